#!/bin/sh
# Programs whose waste is known by construction: it is blamed on the right functions.  Nothing is asserted of times but what
# holds however fast the machine is, and whatever else it does.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

cat >program.c <<'EOC'
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define APART __attribute__((noinline, noclone))

static _Atomic int together;
static volatile double sink;

static APART void burn(double seconds) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  double end = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec + seconds, at = 0;
  while (at < end) {
    double x = 1;
    for (int i = 0; i < 20000; i++)
      x = x * 1.0000001 + 0.5;
    sink = x;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    at = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
  }
}

/* Until both have begun: what follows runs at the same time.  */
static void meet(void) {
  together++;
  while (together < 2)
    ;
}

static APART void first(void) { burn(0.2); sink = 1; }
static APART void second(void) { burn(0.2); sink = 2; }
static APART void serial_phase(void) { first(); second(); sink = 0; }

static APART void shorter(void) { meet(); burn(0.1); sink = 0; }
static APART void longer(void) { meet(); burn(0.5); sink = 0; }
static APART void imbalance(void) {
  cilk_spawn longer();
  shorter();
  cilk_sync;
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static APART void locked(void) {
  pthread_mutex_lock(&lock);
  burn(0.005);
  pthread_mutex_unlock(&lock);
}
static APART void lock_phase(void) {
#pragma cilk grainsize 1
  cilk_for (int i = 0; i < 60; i++)
    locked();
}

static APART long tiny(int n) {
  if (n < 2)
    return n;
  long x = cilk_spawn tiny(n - 1);
  long y = tiny(n - 2);
  cilk_sync;
  return x + y;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (!strcmp(what, "serial"))
    serial_phase();
  else if (!strcmp(what, "imbalance"))
    imbalance();
  else if (!strcmp(what, "lock"))
    lock_phase();
  else if (!strcmp(what, "tiny"))
    printf("%ld\n", tiny(39));
  return 0;
}
EOC
compile program.c -o program
if [ "$(CILK_NWORKERS=2 CILKPROF_SAMPLE=1 ./program; cilkprof-report -i cilkprof.out | sed -n 's/^[[:space:]]*workers: .* on \([0-9]*\) processors.*/\1/p')" != 2 ]; then
  echo '1..0 # SKIP there are no two processors'
  exit 0
fi

# sum METRIC FUNCTION: of the paths that lead through it.
sum() {
  paths "$1" ./program | awk -v name="$2" '{ path = ";" $0; sub(/ [0-9]+$/, "", path); if (index(path ";", ";" name ";")) total += $NF }
    END { printf "%d\n", total }'
}

sampled ./program serial
holds 'a serial phase: the other processor idles all the time' test "$(sum idleness serial_phase)" -eq "$(sum work serial_phase)"
holds 'and it is there' test "$(sum work serial_phase)" -gt 0
holds 'what it calls is to blame, for its own part' \
  test "$(($(sum idleness first) + $(sum idleness second)))" -eq "$(sum idleness serial_phase)"
holds 'about as much each' awk -v a="$(sum idleness first)" -v b="$(sum idleness second)" 'BEGIN { exit !(a > b / 2 && b > a / 2) }'
holds 'no lock is waited for' test "$(sum waiting main)" -eq 0

# often COMMAND...: succeeds in one of five tries.  What other programs take of the machine is idleness or too long a strand
# in some runs, and in none of them the other way round.
often() {
  for try in 1 2 3 4 5; do
    "$@" && return
  done
  false
}

# The longer one works alone from the end of the shorter on; in what they do together nobody idles.
imbalance() {
  sampled ./program imbalance
  awk -v alone="$(sum idleness longer)" -v all="$(sum work longer)" -v other="$(sum idleness shorter)" \
    'BEGIN { exit !(alone > 0.6 * all && alone <= all && other < 0.2 * alone) }'
}
holds 'imbalance: the longer is to blame, and not the shorter' often imbalance

sampled ./program lock
holds 'a lock is waited for' test "$(sum waiting locked)" -gt 0
holds 'where it is taken, and nowhere else' test "$(sum waiting locked)" -eq "$(sum waiting main)"
holds 'the function is under its loop' sh -c "cilkprof-report --format=collapsed --metric=waiting ./program cilkprof.out |
  grep -q '^main;lock_phase;cilk_for program.c:[0-9]*;locked [0-9]*\$'"
holds 'waiting is no idleness' awk -v a="$(sum idleness locked)" -v b="$(sum waiting locked)" 'BEGIN { exit !(a < b) }'
cilkprof-report --waste ./program cilkprof.out >got
holds 'it is judged to be a lock' grep -q ' lock  *locked$' got

tiny() {
  sampled ./program tiny >said
  cilkprof-report --waste ./program cilkprof.out >got
  test "$(sum overhead tiny)" -gt "$(($(sum work tiny) / 10))" && grep -q ' larger pieces  *tiny$' got
}
holds 'spawns that are too small are overhead, and are judged so' often tiny
finish
