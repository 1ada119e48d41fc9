#!/bin/sh
# Reducers in profiles of parallel runs: results of a serial run, and a profile that does not depend on the views.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# A number whose digits are appended: not commutative.  The functions of its monoid are instrumented, too.
cat >digits.h <<'END_OF_FILE'
struct digits { unsigned value, power; };
static inline unsigned mix(unsigned n) { unsigned sum = 0; for (unsigned i = 0; i < n % 4; i++) sum += i * n; return sum; }
static inline void make_digits(struct digits *d) { d->value = mix(3) * 0; d->power = 1; }
static inline void append_digit(struct digits *d, unsigned n) { d->value = d->value * 31 + n; d->power *= 31; }
static inline void append_digits(struct digits *left, const struct digits *right) {
  left->value = left->value * right->power + right->value + mix(right->value) * 0;
  left->power *= right->power;
}
END_OF_FILE
cat >classes.cc <<'END_OF_FILE'
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <cstdio>
#include "digits.h"
struct monoid : cilk::monoid_base<digits> {
  static void identity(digits *d) { make_digits(d); }
  static void reduce(digits *left, digits *right) { append_digits(left, right); }
};
static cilk::reducer<cilk::op_add<long>> sum;
static cilk::reducer<monoid> all;
static void walk(unsigned n) {
  *sum += n;
  append_digit(&all.view(), n);
  if (n < 2) return;
  cilk_spawn walk(n - 1);
  append_digit(&all.view(), n + 7);
  cilk_spawn walk(n - 2);
  *sum += mix(n);
  cilk_sync;
}
int main(int argc, char **) {
  cilk::reducer<cilk::op_add<long>> local;
  walk((unsigned)argc + 9);
  cilk_for (int i = 0; i < 200; i++) {
    *local += i;
    append_digit(&all.view(), (unsigned)i);
    if (i % 50 == 0) walk(3);
  }
  std::printf("%ld %ld %u\n", sum.get_value(), local.get_value(), all.view().value);
}
END_OF_FILE
cat >macros.c <<'END_OF_FILE'
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <stdio.h>
#include "digits.h"
static void identity(void *reducer, void *view) { (void)reducer; make_digits(view); }
static void reduce(void *reducer, void *left, void *right) { (void)reducer; append_digits(left, right); }
static CILK_C_DECLARE_REDUCER(struct digits) all =
    CILK_C_INIT_REDUCER(struct digits, reduce, identity, __cilkrts_hyperobject_noop_destroy, {0, 1});
static CILK_C_REDUCER_OPADD(sum, long, 0);
static void walk(unsigned n) {
  REDUCER_VIEW(sum) += n;
  append_digit(&REDUCER_VIEW(all), n);
  if (n < 2) return;
  cilk_spawn walk(n - 1);
  append_digit(&REDUCER_VIEW(all), n + 7);
  cilk_spawn walk(n - 2);
  cilk_sync;
}
int main(int argc, char **argv) {
  CILK_C_REGISTER_REDUCER(sum);
  CILK_C_REGISTER_REDUCER(all);
  walk((unsigned)argc + 9);
  cilk_for (unsigned i = 0; i < 200; i++) append_digit(&REDUCER_VIEW(all), i);
  printf("%ld %u\n", sum.value, all.value.value);
  CILK_C_UNREGISTER_REDUCER(all);
  CILK_C_UNREGISTER_REDUCER(sum);
  return argv == 0;
}
END_OF_FILE
cat >keyword.c <<'END_OF_FILE'
#include <cilk/cilk.h>
#include <stdio.h>
#include "digits.h"
static void identity(void *view) { make_digits(view); }
static void reduce(void *left, void *right) { append_digits(left, right); }
static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
static struct digits cilk_reducer(identity, reduce) all = {0, 1};
static long cilk_reducer(zero, add) sum;
static long inside(unsigned n) {
  long cilk_reducer(zero, add) local = 0;
  cilk_for (unsigned i = 0; i < n; i++) local += i;
  return local;
}
static void walk(unsigned n) {
  sum += n;
  append_digit(&all, n);
  if (n < 2) return;
  cilk_spawn walk(n - 1);
  append_digit(&all, n + 7);
  sum += inside(n);
  cilk_spawn walk(n - 2);
  cilk_sync;
}
int main(int argc, char **argv) {
  walk((unsigned)argc + 9);
  cilk_for (unsigned i = 0; i < 200; i++) append_digit(&all, i);
  printf("%ld %u\n", sum, all.value);
  return argv == 0;
}
END_OF_FILE

cat >counts.awk <<'END_OF_FILE'
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["on_work_local_count"] != "" { print $at["caller"], $at["callee"], $at["line"], $at["on_work_local_count"] } # no samples
END_OF_FILE

# check PROGRAM COMPILER...: profiles PROGRAM, compiled by COMPILER and its flags, on several workers.
check() {
  name=$1 stolen=0
  shift
  "$@" -w -O1 -fcilkprof=count -o serial >said 2>&1 || give_up "$name" said
  profile serial
  awk -F, -f counts.awk sites.csv | sort >serial-counts
  for mode in parallel-count parallel; do
    "$@" -w -O1 -fcilkprof=$mode -o prog >said 2>&1 || give_up "$name" said
    for workers in 1 2 3 8; do
      CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers profile prog
      same "$name, $mode: $workers workers: the result of a serial run" serial.stdout prog.stdout
      equal "$name, $mode: $workers workers: nothing is said" '' "$(cat prog.stderr)"
      awk -F, -f counts.awk sites.csv | sort >counts
      same "$name, $mode: $workers workers: the calls of a serial run" serial-counts counts
      [ $mode = parallel-count ] || continue
      sort sites.csv >seen
      [ $workers -gt 1 ] || cp seen wanted
      same "$name: $workers workers: the profile of one worker" wanted seen
      stolen=$((stolen + $(cilkprof-report --csv=workers prog prog.prof | tr -d '\r' | tail -1 | cut -d, -f6)))
    done
  done
  holds "$name: children were stolen" test $stolen -gt 0
}
check 'classes' c++ -fcilkplus classes.cc
check 'macros' cc -fcilkplus macros.c
check 'the keyword' cc -fopencilk keyword.c
finish
