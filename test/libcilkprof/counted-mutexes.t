#!/bin/sh
# Functions that lock mutexes and do not spawn are counted like others, and what is done under each mutex is known
# nevertheless: how often, and for how long.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
. "$TOP/test/libcilkprof/counted.sh"

# locked: how often each mutex was held, and whether all of that is known.
locked() {
  cilkprof-report --csv=regions "$1" "$1.prof" | tr -d '"' | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["label"], $at["count"], $at["partial"] }' | sort
}

# within PROGRAM: under no mutex was more work than in all of it.
within() {
  all=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { sum += $at["on_work_local_work"] }
    END { printf "%.0f", sum }' sites.csv)
  cilkprof-report --csv=regions "$1" "$1.prof" | tr -d '"' | awk -F, -v all="$all" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["work"] + 0 > all + 0 || $at["work"] + 0 < $at["span"] + 0 { print $at["label"], $at["work"], "of", all }' >above
  equal "$2: no mutex was held for longer than the program ran" '' "$(cat above)"
}

# part CALLER: how many of the calls that it makes were counted, in percent.
part() {
  sed 's/, /;/g' sites.csv | awk -F, -v caller="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["caller"] ~ "^" caller && $at["kind"] == "call" { sum += $at["on_work_local_count"]; counted += $at["counted"] }
    END { print sum ? int(100 * counted / sum) : 0 }'
}

cat >seldom.cc <<'END'
#include <cilk/cilk.h>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#define APART __attribute__((noinline))
std::mutex seldom, often, apart, left, free_one;
std::recursive_mutex twice;
static long sums[7], out[20000];
APART static long step(long x) { return x * 2862933555777941757L + 3037000493L; }
APART static long sometimes(long i) {
  long x = step(i);
  if (i % 100 == 0) {
    std::lock_guard<std::mutex> hold(seldom);
    for (long k = 0; k < 50; k++) sums[0] += step(x + k);
  }
  return x;
}
APART static long always(long i) {
  std::lock_guard<std::mutex> hold(often);
  sums[1] += i;
  return step(i);
}
APART static void lock_apart() { pthread_mutex_lock(apart.native_handle()); }
APART static void unlock_apart() { pthread_mutex_unlock(apart.native_handle()); }
APART static long again(long i, int depth) {
  std::lock_guard<std::recursive_mutex> hold(twice);
  return depth ? again(step(i), depth - 1) : i;
}
APART static long thrown(long i) {
  std::lock_guard<std::mutex> hold(left);
  if (step(i) % 7 == 3) throw i;
  return i;
}
APART static long caught(long i) {
  try { return thrown(i); } catch (long what) { return -what; }
}
APART static long tried(long i) {
  if (pthread_mutex_trylock(free_one.native_handle()) != 0) return -1;
  long x = step(i);
  pthread_mutex_unlock(free_one.native_handle());
  return x;
}
static void divide(long from, long to) {
  if (to - from > 500) {
    cilk_spawn divide(from, (from + to) / 2);
    divide((from + to) / 2, to);
    cilk_sync;
    return;
  }
  for (long i = from; i < to; i++) {
    out[i] = sometimes(i) + always(i) + again(i, 2) + caught(i) + tried(i);
    lock_apart();
    sums[2] += step(i);
    unlock_apart();
  }
}
int main() {
  divide(0, 20000);
  cilk_for (long i = 0; i < 20000; i++) out[i] += sometimes(i);
  for (long i = 0; i < 20000; i++) sums[3] = sums[3] * 3 + out[i];
  for (long each : sums) printf("%ld\n", each);
  return 0;
}
END
c++ -fcilkplus -fcilkprof=hybrid -O2 -g -w seldom.cc -o seldom >compiler-said 2>&1 || give_up 'the program in C++' compiler-said
both 'mutexes of C++' seldom
CILKPROF_FOLLOW=1 CILKPROF_OUT=followed.prof $RUN ./seldom >followed.stdout
ln -s seldom followed
locked followed >followed-locked
locked seldom >counted-locked
same 'how often each mutex was held' followed-locked counted-locked
equal 'all of them are known' 6 "$(wc -l <counted-locked | tr -d ' ')"
within seldom 'mutexes of C++'
for function in divide main; do
  true_that "$function: nearly all of its calls are counted" "$(part $function) >= 80"
done
fewer 'mutexes of C++' seldom

# A function may lock a mutex and then spawn; and one mutex may be locked in counted code and unlocked in other code.
cat >under.c <<'END'
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#define APART __attribute__((noinline))
static pthread_mutex_t around = PTHREAD_MUTEX_INITIALIZER, across = PTHREAD_MUTEX_INITIALIZER;
static long out[1000];
APART static long step(long x) { return x * 1103515245 + 12345; }
APART static void spawning(long i) {
  cilk_spawn step(i);
  out[i % 1000] += step(i + 1);
  cilk_sync;
}
APART static void under(long i) {
  pthread_mutex_lock(&around);
  if (i % 5000 == 4999) spawning(i);
  else out[i % 1000] += step(i);
  pthread_mutex_unlock(&around);
}
APART static void begin(void) { step(1); pthread_mutex_lock(&across); }
APART static int compare(const void *a, const void *b) {
  pthread_mutex_lock(&around);
  long x = *(const long *)a, y = *(const long *)b;
  pthread_mutex_unlock(&around);
  return (x > y) - (x < y);
}
APART static void all(long n) {
  for (long i = 0; i < n; i++) {
    under(i);
    begin();
    spawning(i);
    pthread_mutex_unlock(&across);
  }
}
int main(void) {
  cilk_spawn all(20000);
  cilk_sync;
  qsort(out, 1000, sizeof *out, compare);
  long sum = 0;
  for (long i = 0; i < 1000; i++) sum = sum * 3 + out[i];
  printf("%ld\n", sum);
  return 0;
}
END
compile -fcilkprof=hybrid -O2 -g under.c -o under
CILKPROF_FOLLOW=1 profile under
cp under.stdout followed-said
locked under | sed 's/ [^ ]*$//' >followed-locked
profile under
same 'mutexes around spawns: what the program says' followed-said under.stdout
locked under | sed 's/ [^ ]*$//' >counted-locked
same 'mutexes around spawns: how often each mutex was held' followed-locked counted-locked
within under 'mutexes around spawns'
finish
