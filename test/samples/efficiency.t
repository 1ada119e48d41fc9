#!/bin/sh
# Programs whose factors of efficiency are known by construction, in Cilk and in OpenMP: within some points in one of some runs.
# What other programs take of the machine is a factor of its own.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"
unset OMP_NUM_THREADS OMP_TOOL OMP_TOOL_LIBRARIES LD_PRELOAD

cat >program.c <<'EOC'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "burn.h"

static _Atomic int together;
static int workers;

/* Until both have begun, if there are two: what follows runs at the same time.  */
APART meet(void) {
  together++;
  while (workers > 1 && together < 2)
    ;
}
APART alone(void) { burn(0.2); sink = 1; }
APART half(void) { meet(); burn(0.2); sink = 2; }
APART longer(void) { meet(); burn(0.4); sink = 3; }
/* 0.2 s alone, 0.2 s on both: of 0.8 s, 0.2 are idle.  */
APART serial(void) {
#ifndef _OPENMP
  alone();
#endif
  SPAWN half();
  half();
  SYNC;
}
/* 0.2 s on both, 0.2 s on one of them: of 0.8 s, 0.2 are idle.  */
APART unequal(void) {
  SPAWN longer();
  half();
  SYNC;
}
static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
/* Until both have come here COUNT times in all.  */
APART meet_again(int count) {
  together++;
  while (workers > 1 && together < count)
    ;
}
/* Holds lock number TURN and works, or waits for it, by turns; then works beside the other one.  */
APART held(int me) {
  for (int turn = 0; turn < 2; turn++) {
    if (turn == me)
      pthread_mutex_lock(&locks[turn]);
    meet_again(2 + 4 * turn);
    if (turn == me)
      burn(0.1);
    else
      pthread_mutex_lock(&locks[turn]);
    pthread_mutex_unlock(&locks[turn]);
    meet_again(4 + 4 * turn);
  }
  burn(0.2);
}
/* 0.1 s each has the lock for which the other one waits, and 0.2 s on both: of 0.8 s, 0.2 are waiting.  */
APART locked(void) {
  SPAWN held(0);
  held(1);
  SYNC;
}
/* Takes about 3 us.  */
static __attribute__((noipa)) void little(void) {
  for (int i = 0; i < 8000; i++)
    __asm__ volatile("");
}
/* Who takes these runs out of them whenever the one who creates them is interrupted.  */
APART tiny(void) {
  for (int i = 0; i < 100000; i++) {
    SPAWN little();
  }
  SYNC;
}
APART run(const char *what) {
  if (!strcmp(what, "tiny"))
    tiny();
  else if (!strcmp(what, "serial"))
    serial();
  else if (!strcmp(what, "unequal"))
    unequal();
  else
    locked();
}
int main(int argc, char **argv) {
  workers = atoi(argv[argc - 1]);
#ifdef _OPENMP
  if (!strcmp(argv[1], "serial"))
    alone();
#endif
#pragma omp parallel
#pragma omp single
  run(argv[1]);
  return 0;
}
EOC
compile -I"$TOP/test/samples" program.c -o cilk
(PATH=/usr/bin:$PATH && gcc -O2 -g -fopenmp -I"$TOP/test/samples" program.c -o openmp) >compiler-said 2>&1 || give_up 'OpenMP compiles' compiler-said
if [ "$(CILK_NWORKERS=2 CILKPROF_SAMPLE=1 ./cilk x 1; cilkprof-report -i cilkprof.out | sed -n 's/^[[:space:]]*workers: .* on \([0-9]*\) processors.*/\1/p')" != 2 ]; then
  echo '1..0 # SKIP there are no two processors'
  exit 0
fi

# tried PROGRAM WHAT: samples a trial, and has the factors of two workers in the file factors.
tried() {
  timeout 120 cilkprof-run --trials=1,2 --runs=1 --samples -o trials "./$1" "$2" '{}' >said 2>&1 || give_up "$* runs" said
  cilkprof-report --format=json "./$1" cilkprof.samples >json 2>said || give_up "$* is reported" said
  jq '.waste.efficiency.program | map(select(.workers == 2))[0]' json >factors
}
# count_others: has in OTHERS how many hundredths of a second the processors worked for other programs than this script's
# since the machine started.
count_others() {
  times >times # not in a subshell, which has no times of its own
  own=$(tr 'ms' '  ' <times | awk '{ sum += 60 * ($1 + $3) + $2 + $4 } END { print int(100 * sum) }')
  others=$(($(awk '$1 == "cpu" { print $2 + $3 + $4 + $7 + $8 + $9 }' /proc/stat) - own))
}
# near PROGRAM WHAT FACTOR VALUE OTHERS [POINTS]: whether FACTOR is VALUE and OTHERS are 1, within some POINTS, 3 unless told,
# in one of five runs.  Where other programs had the processors for a tenth of the time in most of them, nothing can be said.
near() {
  undisturbed=0
  for try in 1 2 3 4 5; do
    count_others
    before=$others
    began=$(date +%s%N)
    tried "$1" "$2"
    count_others
    elapsed=$((($(date +%s%N) - began) / 10000000))
    jq -e --arg factor "$3" --argjson value "$4" --arg others "$5" --argjson points "${6:-3}" \
      'def near($x): . > $x - $points / 100 and . < $x + $points / 100;
       . as $all | (.[$factor] | near($value)) and ($others | split(" ") | all(.[]; . as $name | $all[$name] | near(1)))' factors >said && return
    [ $((10 * (others - before))) -lt $elapsed ] && jq -e '.available > 0.97' factors >said && undisturbed=$((undisturbed + 1))
  done
  cat factors >&2
  [ $undisturbed -lt 3 ]
}

for program in cilk openmp; do
  holds "$program: serial parts" near $program serial serial_parts 0.75 'load_balance scheduling waiting computation'
  holds "$program: they are the worst, and it is said where" \
    jq -e '.waste.efficiency.worst | .factor == "serial_parts" and (.name | IN("alone", "burn"))' json
  holds "$program: one worker has no such losses" jq -e '.waste.efficiency.program[0] |
    .workers == 1 and .load_balance > 0.97 and .serial_parts > 0.97 and .computation == 1' json
  holds "$program: load balance" near $program unequal load_balance 0.75 'serial_parts scheduling waiting computation'
  holds "$program: short tasks are no imbalance" near $program tiny load_balance 1 'serial_parts waiting' 10
  holds "$program: locks" near $program locked waiting 0.75 'serial_parts scheduling load_balance computation'
done
holds 'the file has all runs' test "$(cilkprof-report -i cilkprof.samples | grep -c 'workers: ')" = 2

# What is refused.
cilkprof-run --samples ./cilk serial 1 >got 2>&1
holds 'samples of trials only' grep -q 'samples: it needs --trials' got
timeout 120 cilkprof-run --trials=1,2 --runs=1 --copies=2 --samples ./cilk serial '{}' >printed 2>&1 || give_up 'copies run' printed
equals_two() { test "$(cilkprof-report -i "$1" | grep -c 'workers: ')" = 2; }
holds 'copies are sampled into a file of their own' equals_two cilkprof.samples.copies
holds 'and not into that of the trial' equals_two cilkprof.samples
holds 'it is said how to use them' grep -q 'cilkprof report --efficiency --waste --copies=cilkprof.samples.copies cilkprof.samples' printed
cilkprof-report --format=json --copies=cilkprof.samples.copies ./cilk cilkprof.samples >json 2>said
holds 'what does the same in all runs is not inflated' jq -e '.waste.inflation.functions == []' json
echo precious >kept
cilkprof-run --trials=1 --runs=1 --samples=kept ./cilk serial 1 >got 2>&1
holds 'another file is not replaced' sh -c 'grep -q "kept: it exists and is not a file of samples" got && grep -qx precious kept'
mkfifo pipe
timeout 20 cilkprof-run --trials=1 --runs=1 --samples=pipe ./cilk serial 1 >got 2>&1
holds 'a pipe is not waited for' sh -c "test $? = 125 && grep -q 'pipe: it exists and is not a file of samples' got"
ln -s nothing link
cilkprof-run --trials=1 --runs=1 --samples=link ./cilk serial 1 >got 2>&1
holds 'a link is replaced, not followed' test -s link -a ! -h link -a ! -e nothing
finish
