#!/bin/sh
# -fcilkprof=parallel: only functions that fork or join have events; what others do is known from samples of all workers.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
export CILKPROF_SAMPLE_HZ=4000 # the runs are short

# Functions without events below spawns and in a loop, of which the time that each takes is known; between two functions
# with events; one that is most of the span; and one that is inlined.
cat >ways.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
static volatile unsigned sink[64 * 16];
#define PART(name, n) __attribute__((noinline)) static void name(int k) { for (unsigned i = 0; i < n * 1000u; i++) sink[16 * k] += i; }
PART(one, 10) PART(two, 20) PART(three, 30) PART(four, 40) PART(alone, 3000)
static inline __attribute__((always_inline)) void inlined(int k) { for (unsigned i = 0; i < 1000000; i++) sink[16 * k] ^= i; }
__attribute__((noinline)) static void all(int k) { one(k); two(k); three(k); four(k); sink[16 * k]++; }
static void deep(int depth, int k);
__attribute__((noinline)) static int hop(int depth, int k) { deep(depth, k); return (int)sink[16 * k]++; }
__attribute__((noinline)) static void deep(int depth, int k) {
  if (!depth) { all(k); return; }
  cilk_spawn deep(depth - 1, 2 * k % 64);
  hop(depth - 1, (2 * k + 1) % 64);
  cilk_sync;
}
__attribute__((noinline)) static int middle(int round) { alone(round % 64); inlined(1); deep(6, 1); return round; }
__attribute__((noinline)) static void loops(void) { cilk_for (int i = 0; i < 64; i++) { two(i); four(i); } }
int main(void) {
  int sum = 0;
  for (int i = 0; i < 20; i++) { sum += middle(i); loops(); }
  printf("%d\n", sum);
  return 0;
}
END
compile -fcilkprof=parallel -O2 -g ways.c -o ways
for function in one two three four all hop middle; do
  "${CC%gcc*}objdump" -d --no-show-raw-insn ways | awk -v name="$function" '$2 ~ "^<" name "[.>]" { on = 1 } on && NF == 0 { exit } on' >code
  holds "$function has code" test -s code
  holds "$function has no events" sh -c '! grep -q __cilkprof_ code'
done
"${CC%gcc*}objdump" -d --no-show-raw-insn ways | grep -q '<__cilkprof_o_leave_any' && pass 'others have' || fail 'others have' code

# site CALLER CALLEE FIELD: that of the call sites, added up.
site() {
  sed 's/, /;/g; s/"//g' sites.csv | awk -F, -v caller="$1" -v callee="$2" -v field="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["caller"] == caller && $at["callee"] == callee { sum += $at[field] }
    END { printf "%.0f\n", sum }'
}
# parts NAME CALLER WANTED...: the work of what CALLER calls, as "callee part" each, is within the errors that are stated.
parts() {
  name=$1 caller=$2
  shift 2
  printf '%s\n' "$@" >wanted-parts
  sed 's/, /;/g; s/"//g' sites.csv | awk -F, -v caller="$caller" 'FILENAME == "wanted-parts" { split($0, of, " "); wanted[of[1]] = of[2]; next }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["caller"] == caller && $at["callee"] in wanted { work[$at["callee"]] += $at["on_work_local_work"]; error[$at["callee"]] += $at["on_work_local_error"]; sum += $at["on_work_local_work"] }
    END {
      for (each in wanted) {
        off = work[each] - wanted[each] * sum
        print each, work[each] / sum, error[each] / sum
        wrong += (off < 0 ? -off : off) > 5 * error[each] + sum / 25
      }
      exit wrong
    }' wanted-parts - >shown
  [ $? -eq 0 ] && pass "$name" || fail "$name" shown
}
for workers in 1 2 3; do
  for forced in '' 5; do
    how="$workers workers${forced:+, forced steals}"
    if [ -n "$forced" ]; then export CILKPROF_FORCE_STEALS=$forced; else unset CILKPROF_FORCE_STEALS; fi
    CILK_NWORKERS=$workers profile ways
    equal "$how: what the program prints" 190 "$(cat ways.stdout)"
    holds "$how: the profile is complete" test "$(cilkprof-report --format=json ways ways.prof | grep -c '"incomplete":false')" -eq 1
    equal "$how: calls of functions with events, by what spawns them" 1260 "$(site deep deep on_work_local_count)"
    equal "$how: and by what has no events" 1260 "$(site hop deep on_work_local_count)"
    equal "$how: outside of the recursion" 20 "$(site middle deep on_work_local_count)"
    parts "$how: below spawns" all 'one 0.1' 'two 0.2' 'three 0.3' 'four 0.4'
    parts "$how: in a loop" loops 'two 0.3333' 'four 0.6667'
    span=$(site '<spontaneous>' main on_span_top_call_site_span)
    true_that "$how: what is most of the span" "$(site middle alone on_span_local_span) > 0.5 * $span"
    true_that "$how: what is inlined" "$(site middle inlined on_span_local_span) > 0.05 * $span"
    true_that "$how: the span has nothing else" "$(site middle alone on_span_local_span) + $(site middle inlined on_span_local_span) < $span"
    sum=$(site main middle on_work_top_call_site_work) work=$(site '<spontaneous>' main on_work_top_call_site_work)
    true_that "$how: what middle did, with what was spawned below it" "$sum > 0.6 * $work && $sum < 0.85 * $work"
    sum=$(site deep all on_work_top_call_site_work)
    true_that "$how: all of what was spawned" "$sum > 0.35 * $work && $sum < 0.6 * $work"
  done
done
unset CILKPROF_FORCE_STEALS

# Code without instrumentation, most of whose calls are only counted, and such that calls the program back.
cat >foreign.c <<'END'
double ext(double x) { return x * 1.5 + 2; }
void back(void (*function)(int), int n) { for (int i = 0; i < n; i++) function(i); }
END
cat >calls.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
double ext(double x);
void back(void (*function)(int), int n);
static double results[3000];
static volatile int sink;
static void forks(int n) { cilk_spawn ext(n); sink++; cilk_sync; }
static int tree(int n) {
  if (n < 2) return (int)ext(n) & 1;
  int a = cilk_spawn tree(n - 1), b = tree(n - 2);
  results[n] = ext(n);
  cilk_sync;
  back(forks, n % 3);
  return a + b;
}
int main(void) {
  for (int k = 0; k < 5; k++) cilk_for (int i = 0; i < 3000; i++) results[i] += ext(i);
  printf("%d\n", tree(14));
  return 0;
}
END
${CC:-gcc} -O2 -c foreign.c || give_up foreign.c /dev/null
# calls PROGRAM: how often each site was reached, in all and by the outermost ones.
calls() {
  profile "$1"
  sed 's/, /;/g; s/"//g' sites.csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["on_work_local_count"] != "" { print $at["caller"], $at["callee"], $at["line"], $at["on_work_local_count"], $at["on_work_top_call_site_count"], $at["on_work_top_caller_count"] }' | sort
}
compile -w -O2 -fcilkprof calls.c foreign.o -o serial
CILKPROF_FOLLOW=1 calls serial >wanted
holds 'there are such calls' test "$(grep -c 'ext\|back' wanted)" -ge 5
compile -w -O2 -fcilkprof=parallel calls.c foreign.o -o calls
for workers in 1 2 4; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers calls calls >got
  same "$workers workers: calls of code without instrumentation" wanted got
done
finish
