#!/bin/sh
# cilkprof-run of programs that run in parallel: what is recorded, what they are told, and what is refused.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"
unset CILK_NWORKERS OMP_NUM_THREADS CILKPROF_SAMPLE CILKPROF_SAMPLE_HZ CILKPROF_OUT LD_PRELOAD

# Says what it was told.
cat >told.h <<'EOC'
#include <stdio.h>
#include <stdlib.h>
static const char *told(const char *name) {
  const char *value = getenv(name);
  return value ? value : "-";
}
static int tell(int argc) {
  FILE *log = fopen("log", "a");
  fprintf(log, "%s %s %s %s %s\n", told("CILKPROF_SAMPLE"), told("CILKPROF_SAMPLE_HZ"), told("CILK_NWORKERS"),
          told("OMP_NUM_THREADS"), told("CILKPROF_OUT"));
  fclose(log);
  return argc > 1 ? 7 : 0;
}
EOC
cat >cilk.c <<'EOC'
#include <cilk/cilk.h>
#include "told.h"
static void child(void) {}
int main(int argc, char **argv) { (void)argv; cilk_spawn child(); cilk_sync; return tell(argc); }
EOC
cat >work.c <<'EOC'
#include <cilk/cilk.h>
static void child(void) {}
void work(void) { cilk_spawn child(); cilk_sync; }
EOC
cat >caller.c <<'EOC'
#include "told.h"
void work(void);
int main(int argc, char **argv) { (void)argv; work(); return tell(argc); }
EOC
# runs_as NAME WANTED OPTION...: it is run once, and told that.
runs_as() {
  name=$1 wanted=$2
  shift 2
  launch "$@"
  equal "$name" "$wanted" "$(cat log)"
}
compile -O2 -fcilkplus cilk.c -o cilk
# sampled_at NAME FILE HZ: how often it was sampled, by the profile in FILE.
sampled_at() {
  equal "$1: how often" "$3" "$(cilkprof-report --format=json ./cilk "$2" | jq .waste.hz)"
}
# What is for this program alone, its children do not see: they might be profiled, too.
runs_as 'Cilk' '- - - - -' ./cilk
sampled_at 'Cilk' cilkprof.out 1000
runs_as 'Cilk: so many workers, so often, to a file' '- - 3 - -' -j 3 -F 250 -o x.out ./cilk
sampled_at 'the same' x.out 250
rm x.out
runs_as 'the same by long options' '- - 3 - -' --workers=3 --frequency=250 --output=x.out ./cilk
sampled_at 'the same' x.out 250
export CILKPROF_SAMPLE_HZ=50 CILK_NWORKERS=2 CILKPROF_OUT=y.out
runs_as 'what the environment says stays' '- 50 2 - y.out' ./cilk
sampled_at 'the same' y.out 50
runs_as 'unless an option says else' '- 50 2 - y.out' -F 250 -o z.out ./cilk
sampled_at 'the same' z.out 250
unset CILKPROF_SAMPLE_HZ CILK_NWORKERS CILKPROF_OUT
rm -f ?.out
launch ./cilk x
equal 'the status is that of the program' 7 $status
strip cilk
runs_as 'Cilk, stripped' '- - - - -' ./cilk
compile -O2 -fcilkplus -static cilk.c -o static
runs_as 'Cilk, static' '- - - - -' ./static
compile -O2 -fcilkplus -shared -fPIC work.c -o libwork.so
gcc -O2 caller.c -L. -lwork -Wl,-rpath,"$PWD" -o caller
runs_as 'Cilk in a library only' '- - - - -' ./caller
holds 'they leave samples' test -s cilkprof.out
compile -O2 -fcilkprof cilk.c -o profiled

# A program that starts others, in each kind of run: their files are their own.
cat >starts.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
static int other;
static void start(const char *command) { other = system(command); }
int main(int argc, char **argv) { cilk_spawn start(argc > 1 ? argv[1] : "true"); cilk_sync; return other != 0; }
EOC
compile -O2 -fcilkplus starts.c -o starts
compile -O2 -fcilkprof=count starts.c -o starts-profiled
for command in 'waste' 'run -o x.out'; do
  rm -f cilkprof.* x.out
  cilkprof $command ./starts './cilk; ./profiled' >out 2>errors
  holds "cilkprof $command: started programs are not sampled, and name their profiles themselves" \
    cilkprof-report --summary ./profiled cilkprof.out
  holds "cilkprof $command: its samples are where they should be" \
    sh -c "ls x.out cilkprof.samples 2>&1 | grep -v ls: >names; test ! -s names || cilkprof-report -i \$(cat names) | grep -q samples"
done
rm -f cilkprof.out
cilkprof run -o x.out ./starts-profiled ./profiled >out 2>errors
holds 'a profile: that of a started program is its own' cilkprof-report --summary ./profiled cilkprof.out
holds 'and not in the place of this one' cilkprof-report --summary ./starts-profiled x.out
mkfifo cilkprof.samples
timeout 60 cilkprof waste ./cilk >out 2>errors
holds 'a pipe in the place of the samples' sh -c "test $? = 125 && grep -q 'cilkprof.samples: it is not a file; remove it' errors"
rm cilkprof.samples
compile -O2 -fcilkplus=serial cilk.c -o serial

# fails NAME PATTERN OPTION...: nothing but a line, and nothing is run.
fails() {
  name=$1 pattern=$2
  shift 2
  launch "$@"
  equal "$name: status" 125 $status
  says "$name: a line" "$pattern"
  holds "$name: nothing was run" test ! -s log -a ! -s out
}
fails 'one that was compiled for a profile' '-j: ./profiled was compiled with -fcilkprof.*cilkprof cc --parallel' -j 2 ./profiled
fails 'the serial elision' './serial: not compiled for profiling, and not a parallel program of Cilk, OpenMP or oneTBB' ./serial
fails 'no workers' '-j: 0: not a number from 1 to 1024' -j 0 ./cilk
fails 'too many of them' '-j: 1025: not a number from 1 to 1024' -j 1025 ./cilk
fails 'no frequency' '-F: often: not a number from 1 to 100000' -F often ./cilk
fails 'trials with -F' '-F: it applies to sampled runs; these are only timed' --trials -F 2 ./cilk
fails 'trials with an option for profiles' 'contexts: it applies to profiles; these runs are only timed' --trials --contexts ./cilk
fails 'an option for profiles' 'root: it applies to profiles of work and span; compile ./cilk with cilkprof cc' --root=f ./cilk
fails 'stealing by force in a profiling build' '--force-steals: ./profiled was compiled with -fcilkprof' --force-steals=1 ./profiled
# Values that the program itself would only warn about.
while read -r option value why; do
  fails "$option=$value" "$option: $why" "$option=$value" ./profiled
done <<'END'
--burden x x: not a number from 0 to
--burden -1 -1: not a number from 0 to
--loop-workers 0 0: not a number from 1 to
--tolerance 101 101: not a number from 0 to 100
--tree-memory much much: not a number from 1 to
--interval 0 0: not a number from 1 to
--signal NONE NONE: not a signal
--signal 900 900: not a signal
--root , no function or call site given
--whatif , no function or call site given
--force-steals x x: not a number from 0 to
END
fails 'several runs' '--runs: ./cilk is sampled in a single run' --runs=3 ./cilk

# Options in the place of variables.
cat >asked.c <<'EOC'
#include "told.h"
int main(int argc, char **argv) { return argc < 2 || !puts(told(argv[1])); }
EOC
compile -O2 -fcilkprof=whatif asked.c -o asked
while read -r option variable value; do
  launch --no-reference "$option" ./asked "$variable"
  equal "$option is $variable" "0 $value" "$status $(cat out)"
done <<'END'
--contexts CILKPROF_CONTEXTS 1
--root=main CILKPROF_ROOT main
--whatif=main/2 CILKPROF_WHATIF main/2
--burden=900 CILKPROF_BURDEN 900
--loop-workers=16 CILKPROF_LOOP_WORKERS 16
--follow CILKPROF_FOLLOW 1
--tolerance=7 CILKPROF_TOLERANCE 7
--tree-memory=9 CILKPROF_TREE_MEMORY 9
--interval=60 CILKPROF_INTERVAL 60
--signal=SIGUSR1 CILKPROF_SIGNAL SIGUSR1
--no-live CILKPROF_LIVE 0
END
fails 'what-if questions to another build' '--whatif: ./profiled was not built for what-if questions' --whatif=main ./profiled
launch --force-steals=7 ./cilk
equal 'stealing by force in a parallel one' 0 $status

# OpenMP: what cannot be recorded.
cat >openmp.c <<'EOC'
#include "told.h"
int main(int argc, char **argv) {
  int sum = 0;
  (void)argv;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += i;
  return sum == 4950 ? tell(argc) : 1;
}
EOC
gcc -O2 -fopenmp -static openmp.c -o openmp-static 2>compiler
fails 'a static OpenMP program' "./openmp-static: it is statically linked with its OpenMP runtime.*without -static" ./openmp-static
finish
