#!/bin/sh
# -fcilkprof: only functions that fork or join have events; what others do is known from samples and from the exact
# values below them.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
export CILKPROF_SAMPLE_HZ=4000 # the runs are short

# row CALLER CALLEE: "kind count line" of that call site.
row() {
  awk -F, -v caller="$1" -v callee="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["caller"] == caller && $at["callee"] == callee { print $at["kind"], $at["on_work_local_count"], $at["line"] }' sites.csv
}
# ratio COLUMN CALLER CALLEE COLUMN CALLER CALLEE: the first value divided by the second.
ratio() {
  awk -F, -v one="$2>$3" -v other="$5>$6" -v of="$1" -v by="$4" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { who = $at["caller"] ">" $at["callee"] }
    who == one { x = $at[of] }
    who == other { y = $at[by] }
    END { print (y > 0 ? x / y : 0) }' sites.csv
}

cat >ways.c <<'END'
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdio.h>
static volatile unsigned sink;
static jmp_buf home;
__attribute__((noinline)) static void spin(long n) {
  for (long i = 0; i < n; i++)
    sink += (unsigned)i;
}
static inline __attribute__((always_inline)) void inlined(long n) {
  for (long i = 0; i < n; i++)
    sink ^= (unsigned)i;
}
__attribute__((noinline)) static int tree(int n) {
  if (n < 2) {
    spin(2000);
    return 1;
  }
  int a = cilk_spawn tree(n - 1), b = tree(n - 2);
  cilk_sync;
  return a + b;
}
__attribute__((noinline)) static int middle(int n) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
    spin(2000000);
    sum += tree(n);
  }
  return sum;
}
__attribute__((noinline)) static int outer(int n) {
  inlined(20000000);
  return middle(n) + 1;
}
static int again(int n);
__attribute__((noinline)) static int hop(int n) {
  sink += (unsigned)n;
  return again(n - 1) + 1;
}
__attribute__((noinline)) static int again(int n) {
  if (n <= 0)
    return 1;
  int a = cilk_spawn tree(3), b = hop(n - 1);
  cilk_sync;
  return a + b;
}
__attribute__((noinline)) static int jumper(int n) {
  int a = cilk_spawn tree(4);
  cilk_sync;
  if (n > 5)
    longjmp(home, n);
  return a;
}
__attribute__((noinline)) static int around(int n) {
  int jumped = setjmp(home);
  return jumped ? -jumped : jumper(n);
}
int main(void) {
  int one = outer(14);
  printf("%d %d %d %d\n", one, hop(21), around(3), around(8));
  return 0;
}
END
for level in -O2 ${LONG:+-O0 -O1 -O3}; do
  compile -fcilkprof=hybrid $level -g ways.c -o everywhere
  profile everywhere
  cp everywhere.stdout wanted
  grep 'Spawns\|Syncs' summary.txt >forks-wanted
  # counts: of the sites that fork; spawned calls of a recursion may be copies.
  compile -fcilkprof $level -g ways.c -o ways
  profile ways
  same "$level: the program says the same" wanted ways.stdout
  grep 'Spawns\|Syncs' summary.txt | diff forks-wanted - >different && pass "$level: spawns" || fail "$level: spawns" different

  for function in spin middle outer hop around; do
    objdump -d --no-show-raw-insn ways | awk -v name="$function" '$2 ~ "^<" name "[.>]" { on = 1 } on && NF == 0 { exit } on' >code
    holds "$level: $function has code" test -s code
    holds "$level: and no events" sh -c '! grep -q __cilkprof_ code'
  done
  objdump -d --no-show-raw-insn ways | grep -q 'call.*<__cilkprof_o_leave_any\|b[l ].*<__cilkprof_o_leave_any' && pass "$level: others have" || fail "$level: others have" code

  equal "$level: middle calls tree" "call 3 $(grep -n 'sum += tree' ways.c | cut -d: -f1)" "$(row middle tree)"
  equal "$level: hop calls again, in a recursion" "call 11 $(grep -n 'return again' ways.c | cut -d: -f1)" "$(row hop again)"
  equal "$level: around calls jumper, which jumps" "call 2 $(grep -n ': jumper' ways.c | cut -d: -f1)" "$(row around jumper)"
  equal "$level: main is entered" entry "$(awk -F, '$6 == "main" { print $4 }' sites.csv)"
  cilkprof-report --sites -b ways ways.prof >shown 2>&1
  holds "$level: a function without forks is a row" grep -q 'call  *ways.c:[0-9]*  *main -> outer$' shown
  equal "$level: nor in the csv" '  ' "$(awk -F, '$5 == "main" && $6 == "outer" { print $7, $11, $15 }' sites.csv)"
  holds "$level: how often it was called is not known" sh -c "! grep -q '[0-9]  call  *ways.c:[0-9]*  *main -> outer' shown"
  holds "$level: and so is one that is inlined" grep -q 'call  *ways.c:[0-9]*  *outer -> inlined$' shown

  # outer did what inlined, spin and tree did below it: exact sums and parts of them.
  sum=$(ratio on_work_top_call_site_work main outer on_work_top_call_site_work '<spontaneous>' main)
  true_that "$level: outer is most of the program" "$sum > 0.9 && $sum <= 1.0001"
  sum=$(ratio on_work_top_call_site_work outer middle on_work_top_call_site_work middle tree)
  true_that "$level: middle did what tree did below it, and some more" "$sum > 1"
  true_that "$level: inlined did more than half of the span" "$(ratio on_span_local_span outer inlined on_span_top_call_site_span '<spontaneous>' main) > 0.5"
  true_that "$level: tree has parallelism, and so has middle above it" \
    "$(ratio on_work_top_call_site_work outer middle on_work_top_call_site_span outer middle) > 1.05"
  true_that "$level: spin has none" \
    "$(ratio on_work_top_call_site_work tree spin on_work_top_call_site_span tree spin) == 1"
done

# A loop of a function with events is a line.
cat >line.c <<'END'
#include <cilk/cilk.h>
static volatile unsigned sink;
int main(void) {
  unsigned part[64];
  for (long i = 0; i < 60000000; i++)
    sink += (unsigned)i; /* hot */
  cilk_for (int i = 0; i < 64; i++)
    part[i] = (unsigned)i;
  return part[63] != 63;
}
END
compile -O2 -fcilkprof line.c -o line # without -g
profile line
cilkprof-report --verdict line line.prof 2>&1 | tr -s '\n ' ' ' >shown
holds 'a serial loop is named' grep -q "Serial loop: the loop at line.c:5 in 'main' takes [0-9.]*% of the span" shown

# Loops: what is in a serial one, in a parallel one of the same function, and in neither; in steps of time.
cat >steps.c <<'END'
#include <cilk/cilk.h>
static volatile unsigned sink;
static inline void some(void) { sink++; sink++; }
int main(void) {
  for (int step = 0; step < 20; step++) {
    for (int i = 0; i < 300000; i++) {
      some();
      sink++;
    }
    cilk_for (int i = 0; i < 30; i++)
      for (int j = 0; j < 10000; j++)
        sink += 3;
  }
  return 0;
}
END
compile -O2 -fcilkprof steps.c -o steps
profile steps
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $at["caller"] == "main" { work[$at["kind"] " " $at["line"]] += $at["on_work_local_work"]; all += $at["on_work_local_work"] }
  $at["callee"] == "main" { rest = $at["on_work_local_work"]; all += rest }
  END { for (each in work) print each, work[each] / all; print "rest", rest / all }' sites.csv | sort >divided
part() {
  awk -v of="$1" '$1 " " $2 == of { print $3 }' divided
}
true_that 'a serial loop and what is inlined into it' "$(part 'serial 6') + 0$(part 'call 7') > 0.5 && $(part 'serial 6') > 0.1"
true_that 'a parallel loop beside it' "$(part 'loop 10') > 0.1 && $(part 'loop 10') < 0.5"
true_that 'and hardly anything else' "$(awk '$1 == "rest" { print $2 }' divided) < 0.05"

# How the time of a strand divides among functions that all do the same, so much of it: within what the errors allow.
cat >parts.c <<'END'
#include <cilk/cilk.h>
static volatile unsigned sink;
#define PART(name, n) __attribute__((noinline)) static void name(void) { for (unsigned i = 0; i < n * 1000u; i++) sink += i; }
PART(one, 100) PART(two, 200) PART(three, 300) PART(four, 400)
__attribute__((noinline)) static void all(void) { one(); two(); three(); four(); sink++; }
static void other(void) { sink++; }
int main(void) {
  for (int i = 0; i < 150; i++) {
    cilk_spawn other();
    all();
    cilk_sync;
  }
  return 0;
}
END
compile -O2 -fcilkprof parts.c -o parts
profile parts
holds 'shares of what one function calls' awk -F, '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $at["caller"] == "all" { work[$at["callee"]] = $at["on_work_local_work"]; error[$at["callee"]] = $at["on_work_local_error"]; sum += $at["on_work_local_work"] }
  END {
    for (each in work) {
      wanted = (each == "one" ? 1 : each == "two" ? 2 : each == "three" ? 3 : 4) / 10 * sum
      off = work[each] - wanted
      if (off < 0) off = -off
      print each, work[each] / sum, error[each] / sum
      if (error[each] == 0 || off > 5 * error[each] + sum / 50) { print "off by", off / sum; wrong = 1 }
      count++
    }
    exit wrong || count != 4
  }' sites.csv

cilkprof-report -b --flat parts parts.prof | awk '$NF == "two" { print NF }' >columns
equal 'the flat profile leaves their calls blank' 7 "$(cat columns)"
cilkprof-report -b --graph parts parts.prof | grep ' two \[' | grep -c '[0-9]/[0-9]\|1  *two' >counts
equal 'so does the call graph' 0 "$(cat counts)"

# A function that was compiled without -fcilkprof, but with -g, is the program's like others, and one of it is named.
cat >crunch.c <<'END'
static volatile unsigned sink;
static void inner(int n) { for (int i = 0; i < n; i++) sink += (unsigned)i; }
void crunch(int n) { for (int i = 0; i < 100; i++) inner(n / 100); }
END
cat >uses.c <<'END'
#include <cilk/cilk.h>
void crunch(int n);
int main(void) {
  unsigned part[64];
  crunch(60000000);
  cilk_for (int i = 0; i < 64; i++)
    part[i] = (unsigned)i;
  return part[63] != 63;
}
END
"$CC" -O2 -g -c crunch.c && compile -O2 -fcilkprof uses.c crunch.o -o uses
profile uses
cilkprof-report --verdict uses uses.prof 2>&1 | tr -s '\n ' ' ' >shown
holds 'a serial function without -fcilkprof is the bottleneck' grep -q "Serial bottleneck: 'crunch', .* Parallelise 'crunch'\." shown

# Exceptions, and callees in another unit and in a library that is compiled so.
cat >throws.cc <<'END'
#include <cstdio>
#include <stdexcept>
int forks(int n);
__attribute__((noinline)) static int middle(int n) {
  try {
    return forks(n);
  } catch (std::exception &) {
    return -1;
  }
}
int main() {
  int sum = 0;
  for (int i = 0; i < 100; i++)
    sum += middle(i % 7);
  std::printf("%d\n", sum);
}
END
cat >forks.cc <<'END'
#include <cilk/cilk.h>
#include <stdexcept>
static int tree(int n) {
  if (n < 2)
    return 1;
  int a = cilk_spawn tree(n - 1), b = tree(n - 2);
  cilk_sync;
  return a + b;
}
int forks(int n) {
  int a = cilk_spawn tree(n);
  if (n % 2)
    throw std::runtime_error("odd");
  cilk_sync;
  return a;
}
END
for how in 'forks.cc' '-fPIC -shared' '-flto'; do
  case $how in
  *shared)
    c++ -O2 -g -fcilkplus -fcilkprof $how forks.cc -o libforks.so >said 2>&1 || give_up "$how" said
    made='./libforks.so'
    ;;
  *) made=${how#forks.cc}\ forks.cc ;;
  esac
  c++ -O2 -g -fcilkplus -fcilkprof throws.cc $made -o throws >said 2>&1 || give_up "$how" said
  profile throws
  equal "$how: exceptions: what the program says" 252 "$(cat throws.stdout)"
  equal "$how: every call of forks" 100 "$(awk -F, '$5 == "middle(int)" && $6 == "forks(int)" { sum += $15 } END { print sum }' sites.csv)"
done

# Functions of a library that others may replace, and that call one another and code outside.
cat >replaced.c <<'END'
int outside(int n);
int first(int n), second(int n);
int first(int n) { return n < 1 ? outside(n) : second(n - 1) + 1; }
int second(int n) { return n < 1 ? outside(n) : first(n - 1) + 2; }
END
holds 'a library of functions without events is compiled' timeout 60 cc -O2 -fcilkplus -fcilkprof -fPIC -shared replaced.c -o libreplaced.so

# What nobody may call from outside leaves as ever, and mixing with units that have all events works.
c++ -O2 -g -fcilkplus -fcilkprof=hybrid -c forks.cc -o all.o && c++ -O2 -g -fcilkplus -fcilkprof throws.cc all.o -o throws ||
  give_up mixed /dev/null
profile throws
equal 'mixed with a unit that has all events' 252 "$(cat throws.stdout)"
c++ -O2 -g -fcilkplus -fcilkprof=hybrid -c throws.cc -o all.o && c++ -O2 -g -fcilkplus -fcilkprof forks.cc all.o -o throws ||
  give_up mixed /dev/null
profile throws
equal 'and the other way round' 252 "$(cat throws.stdout)"

# Random programs.
holds 'random programs have the same forks' "$TOP/test/oracle/forks" 1 ${LONG:+10}3
holds 'random programs of C++, too' "$TOP/test/oracle/forks" 4 ${LONG:+10}5 c++
finish
