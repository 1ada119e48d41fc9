#!/bin/sh
# cilkprof-run: a reference and a profile, options, and what is no program for it.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"

cat >prog.c <<'EOC'
#include <cilk/cilk.h>
#include "logs.h"
static long fib(long n) {
  /* Without this GCC makes so little of the calls that they are ten times as fast bare, as no two runs can be.  */
  for (volatile int i = 0; i < 20;)
    i++;
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(int argc, char **argv) {
  logs();
  printf("%ld\n", fib(27));
  for (int i = 1; i < argc; i++)
    printf("<%s>\n", argv[i]);
  fputs("error\n", stderr);
  return argc > 2 ? atoi(argv[2]) : 0;
}
EOC
compile -O2 -fcilkprof prog.c -o prog

launch --runs=2 ./prog 'a b' 0 --help
equal 'the status' 0 $status
printf '%s\n' 196418 '<a b>' '<0>' '<--help>' >wanted
same 'the output of one run, with all arguments' wanted out
echo error >wanted
same 'and its errors' wanted errors
ran 'as many references as asked for, then the profile' bare bare profiled
equal 'the profile knows them' 2 "$(references prog)"
equal 'and is checked by them' checked "$(checked prog)"
cilkprof-report --format=json prog cilkprof.out | tr -d '\n' |
  sed 's/.*"units_per_second":\([0-9]*\),.*"totals":{"work":\([0-9]*\),.*"reference":{"cpu_ns":\([0-9]*\).*/\1 \2 \3/' >values
read -r unit work took <values
true_that 'the work is what the reference took' "$took > 0 && ($work / $unit) / ($took / 1e9) > 0.999999 &&
  ($work / $unit) / ($took / 1e9) < 1.000001"
equal 'nothing else is left here' cilkprof.out "$(ls | grep -v -e '^prog' -e '^out$' -e '^values$' -e '^errors$' -e '^wanted$' -e log -e compiler -e words -e expression -e difference)"

launch ./prog
true_that 'a short program is run up to three times' "$(grep -c bare log) >= 1 && $(grep -c bare log) <= 3"
true_that 'and for its profile, at most twice' "$(grep -c profiled log) >= 1 && $(grep -c profiled log) <= 2"
launch -o other.out ./prog
holds 'another file' test -f other.out -a ! -e cilkprof.out
rm -f other.out
launch --no-reference ./prog
ran 'no reference' profiled
equal 'the profile has none' 0 "$(references prog)"
launch ./prog x 7
equal 'the status is that of the program' 7 $status
equal 'one that is not 0 is a result too' checked "$(checked prog)"
echo error >wanted
same 'and nothing is said of it' wanted errors
mkdir folder
(cd folder && PATH=$PWD/..:$PATH cilkprof-run prog >../out 2>../errors && ls) >got
printf '%s\n' cilkprof.out log >wanted
same 'found in PATH' wanted got
CILKPROF_OUT=named.out cilkprof-run ./prog >out 2>errors
holds 'CILKPROF_OUT' test -f named.out
(CILKPROF_REFERENCE_TO=1:$PWD/none && export CILKPROF_REFERENCE_TO && launch --no-reference ./prog)
ran 'a reference run that runs cilkprof-run does not make it one' profiled

# Instructions are counted: every run is the same.
for mode in count whatif; do
  compile -O2 -fcilkprof=$mode prog.c -o counted
  launch ./counted
  ran "$mode: one run" profiled
  holds "$mode: a profile" test -f cilkprof.out
done
compile -O2 -fcilkprof -fcilkprof-no-reference prog.c -o only
launch ./only
ran 'compiled for no reference: one run' profiled
equal 'compiled for no reference: it is unchecked' unchecked "$(checked only)"
compile -O2 -fcilkprof=clock prog.c -o clocked
launch --runs=1 ./clocked
ran 'clock: a reference' bare profiled
equal 'clock: it is checked' checked "$(checked clocked)"
cp prog stripped
strip stripped
launch --runs=1 ./stripped
ran 'a program without symbols' bare profiled
compile -O2 -fcilkprof -static prog.c -o static
launch --runs=1 ./static
ran 'a static program' bare profiled
equal 'it is checked' checked "$(checked static)"

# fails STATUS NAME PATTERN OPTION...: that status, nothing but a line, and nothing is run.
fails() {
  wanted=$1 name=$2 pattern=$3
  shift 3
  launch "$@"
  equal "$name: status" "$wanted" $status
  says "$name: a line" "$pattern"
  holds "$name: nothing was run" test ! -s log -a ! -s out
}
fails 125 'a program that is not instrumented' 'cat: not compiled for profiling' cat
fails 127 'a program that is not there' 'nowhere: not found in PATH' nowhere
fails 127 'a file that is not there' './nowhere: No such file' ./nowhere
fails 126 'a file that is no program' 'not an executable file' ./logs.h
for suffix in c:cc cc:c++ f90:'fortran -fopenmp'; do
  : >source.${suffix%:*}
  fails 126 "a source file, ${suffix%:*}" "./source[.]${suffix%:*}: a source file; compile it first: cilkprof ${suffix#*:} -O2 -g ./source[.]${suffix%:*} -o source\$" ./source.${suffix%:*}
done
fails 127 'a source file that is not there' './none.c: No such file' ./none.c
fails 126 'a folder' './folder: a folder; name the program in it' ./folder
mkfifo -m 755 pipe
fails 126 'a pipe' 'not an executable file' ./pipe
printf '#!/bin/sh\nexec ./prog\n' >script
chmod +x script
fails 125 'a script' 'not compiled for profiling' ./script
head -c 2000 prog >cut
chmod +x cut
fails 125 'a program that was cut short' 'not compiled for profiling' ./cut
sed 's,/ld-linux,/no-linux,' prog >lost
chmod +x lost
fails 126 'a program that cannot be run' './lost: its interpreter or dynamic linker is not there' ./lost
fails 126 'the same for its profile only' './lost: its interpreter or dynamic linker is not there' --no-reference ./lost
fails 125 'no number of runs' '--runs: many: not a number from 1 to 1000' --runs=many ./prog
fails 125 'no runs' '--runs: 0: not a number' --runs=0 ./prog
TMPDIR=/nowhere
export TMPDIR
fails 125 'no folder for temporary files' '/nowhere/.*TMPDIR' ./prog
unset TMPDIR
launch
equal 'no program: status' 125 $status
holds 'no program' grep -q '^cilkprof-run: no program given' errors
launch --unknown ./prog
equal 'an unknown option' 125 $status
launch --help
holds '--help' grep -q '^Usage: cilkprof-run \[OPTION...\] PROGRAM \[ARG...\]' out
launch --version
holds '--version' grep -q '^cilkprof-run [0-9]' out
launch --usage
holds '--usage' grep -q '^Usage: cilkprof-run .*--no-reference' out

# Options in the place of variables.
cat >variables.c <<'EOC'
#include "logs.h"
int main(void) {
  static const char *const names[] = {"CONTEXTS", "ROOT", "TREE", "WHATIF", "BURDEN", "LOOP_WORKERS", "TOLERANCE", "TREE_MEMORY", "INTERVAL", "SIGNAL", "LIVE"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
    char name[64];
    snprintf(name, sizeof name, "CILKPROF_%s", names[i]);
    if (getenv(name) != NULL)
      printf("%s=%s\n", names[i], getenv(name));
  }
  return 0;
}
EOC
compile -O2 -fcilkprof=whatif variables.c -o variables
cilkprof-run --no-reference --contexts --root=main --whatif=f/3 --burden=7 --loop-workers=8 --tolerance=1 --tree-memory=9 --interval=100 --signal=USR1 --no-live ./variables >got 2>errors
cat >wanted <<'EOC'
CONTEXTS=1
ROOT=main
WHATIF=f/3
BURDEN=7
LOOP_WORKERS=8
TOLERANCE=1
TREE_MEMORY=9
INTERVAL=100
SIGNAL=USR1
LIVE=0
EOC
same 'options in the place of variables' wanted got
# As it is copied from a report, which breaks lines.
cilkprof-run --no-reference '--root=main(std::vector<double,
    int>&)' ./variables 2>errors | grep ROOT >got
echo 'ROOT=main(std::vector<double, int>&)' >wanted
same 'names with line ends' wanted got

# The main function is not instrumented: nothing is known of its time.
cat >library.c <<'EOC'
#include <cilk/cilk.h>
int thrice(int n) { return 3 * n; }
int work(int n) {
  int s = cilk_spawn thrice(0);
  for (int i = 1; i < n; i++) s += thrice(i);
  return s;
}
EOC
cat >plain.c <<'EOC'
#include "logs.h"
int work(int);
int main(void) { logs(); return work(10) != 135; }
EOC
compile -O2 -fcilkprof -c library.c
gcc -O2 -c plain.c
compile -fcilkprof plain.o library.o -o mixed
launch ./mixed
ran 'a main without instrumentation: one run' profiled
says 'and a line' 'its main was not compiled with -fcilkprof, so the times of the profile cannot be checked'
finish
