#!/bin/sh
# cilkprof-run --trials and --copies: which runs there are, what they are told, the file, and what is refused.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"

# Says in a file how it was run, and does what it is told.
cat >tried.c <<'EOC'
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "", *workers = getenv("CILK_NWORKERS"), *threads = getenv("OMP_NUM_THREADS");
  int number = workers ? atoi(workers) : 0;
  cpu_set_t set;
  sched_getaffinity(0, sizeof set, &set);
  FILE *log = fopen("log", "a");
  fprintf(log, "%s %s %d", workers ? workers : "-", threads ? threads : "-", CPU_COUNT(&set));
  for (int i = 2; i < argc; i++)
    fprintf(log, " <%s>", argv[i]);
  fprintf(log, "\n");
  fclose(log);
  if (strcmp(how, "seven") == 0)
    return 7;
  if (strcmp(how, "fail") == 0 && number > 1)
    return 3;
  if (strcmp(how, "abort") == 0 && number > 1)
    abort();
  if (strcmp(how, "read") == 0) {
    char text[16] = "";
    fread(text, 1, 15, stdin);
    FILE *read = fopen("read", "a");
    fprintf(read, "%s\n", text);
    fclose(read);
  }
  if (strcmp(how, "race") == 0)
    printf("%d\n", number);
  if (strcmp(how, "late") == 0)
    printf("%d\n", system("test $(wc -l <log) -le 4") == 0);
  if (strcmp(how, "time") == 0)
    printf("%d\n", (int)getpid());
  if (strcmp(how, "where") == 0) {
    FILE *places = fopen("places", "a");
    for (int i = 0; i < CPU_SETSIZE; i++)
      if (CPU_ISSET(i, &set))
        fprintf(places, "%d\n", i);
    fclose(places);
    usleep(200000);
  }
  if (strcmp(how, "wait") == 0 && access("ready", F_OK) == 0)
    for (;;)
      pause();
  if (strcmp(how, "wait") == 0)
    fclose(fopen("ready", "w"));
  fprintf(stderr, "noise\n");
  return 0;
}
EOC
gcc -O2 tried.c -o tried || give_up 'the program is compiled'

processors=$(nproc)
two=$((processors < 2 ? 1 : 2))

# try OPTION... PROGRAM ARGUMENT...
try() {
  rm -f cilkprof.trials
  launch "$@"
}
# numbers FILE: the numbers of its lines, without what was measured.
numbers() {
  awk '!/^#/ { print $1 == "copies" ? $1 " " $2 : $1 }' "$1"
}

try --trials=$two --runs=2 ./tried '' 'a{}b{}' '{' '{}'
equal 'the status' 0 $status
holds 'nothing is said' test ! -s errors
for run in 1 2; do
  printf '1 1 1 <a1b1> <{> <1>\n'
  [ $two = 1 ] || printf '2 2 2 <a2b2> <{> <2>\n'
done >wanted
same 'in turns, told the number in every way, and on as many processors' wanted log
cut -d ' ' -f 1 log >wanted
numbers cilkprof.trials >got
same 'the file has a line for each' wanted got
awk '!/^#/ && (NF != 4 || $2 <= 0 || $3 < 0 || $4 < 0 || $4 > $3)' cilkprof.trials >got
same 'with four numbers' /dev/null got
holds 'and says what was run' grep -qF '# Trials of cilkprof-run: ./tried  a{}b{} { {}' cilkprof.trials
holds 'the table has a row for each number' test "$(grep -c '^ *[0-9][0-9]*  *[0-9]' out)" = $two
holds 'and how many runs there were' grep -q '^ *1 *2 ' out
holds 'no output of the program' sh -c '! grep -q noise out errors'
equal 'nothing else is left' cilkprof.trials "$(ls | grep cilkprof)"
try --trials ./tried
equal 'five runs with one worker by default' 5 "$(grep -c '^1 ' log)"
awk -v most="$processors" 'BEGIN { for (p = 1; p < most; p *= 2) print p; print most }' >wanted
sort -un log | cut -d ' ' -f 1 >got
same 'with powers of two, and with as many workers as there are processors' wanted got
(taskset -c 0 true) 2>/dev/null && {
  rm -f log
  taskset -c 0 cilkprof-run --trials ./tried >out
  sort -u log >got
  echo '1 1 1' >wanted
  same 'those that may be used' wanted got
}
try --trials=$two,1,$two,1 --runs=1 ./tried
equal 'each number once' $two "$(wc -l <log)"
try --trials --runs=1 -o other.trials ./tried
holds 'another file' test -f other.trials -a ! -e cilkprof.trials
echo '# old' >>other.trials
try --trials --runs=1 -o other.trials ./tried
holds 'which is replaced' sh -c 'test -s other.trials && ! grep -q old other.trials'
CILK_NWORKERS=77 OMP_NUM_THREADS=78 cilkprof-run --trials=1 --runs=1 ./tried >out
equal 'what the environment says does not count' '1 1 1' "$(tail -n 1 log)"
printf '#!/bin/sh\nexec ./tried "$@"\n' >script
chmod +x script
try --trials=1 --runs=1 ./script x y
equal 'a script' '1 1 1 <y>' "$(cat log)"
holds 'in PATH' sh -c 'PATH=$PWD:$PATH && cilkprof-run --trials=1 --runs=1 tried >out'

# Copies.
if [ "$processors" -ge 2 ]; then
  try --copies=2 --runs=2 ./tried where
  equal 'copies, after one alone' 6 "$(wc -l <log)"
  sort -u log >got
  echo '1 1 1' >wanted
  same 'all with one worker on one processor' wanted got
  printf '%s\n' 1 'copies 2' 'copies 2' 1 'copies 2' 'copies 2' >wanted
  numbers cilkprof.trials >got
  same 'the file has a line for each of them' wanted got
  sed -n '2,3p;5,6p' places | sort | uniq -c | awk '$1 != 2' >got
  same 'on a processor of its own' /dev/null got
  holds 'what they took is said' grep -q '^2 copies at once: each takes [0-9.]* times the processor time of one alone' out
  try --trials=2 --copies --runs=1 ./tried
  printf '%s\n' 1 2 "copies $processors" >wanted
  numbers cilkprof.trials | sort -u >got
  same 'as many as there are processors' wanted got
fi

# Standard input, output and endings.
printf 'abc' >file
rm -f read
try --trials=$two --runs=2 ./tried read <file
sort read | uniq -c | awk '{ print $2 }' >got
echo abc >wanted
same 'every run reads the file' wanted got
{
  head -c 1 >/dev/null
  rm -f read
  try $([ $two = 1 ] && echo --trials || echo --copies=2) --runs=2 ./tried read
} <file
sort -u read >got
echo bc >wanted
same 'from where it was, copies as well' wanted got
printf 'abc' | (try --trials=1 --runs=1 ./tried read; cp errors told; exit $status)
equal 'a pipe is read once' 125 $?
holds 'it is said what to do' grep -q '^cilkprof-run: ./tried: it reads standard input, .*<FILE' told
holds 'and there is no file' test ! -e cilkprof.trials
printf 'abc' | (try --trials=1 --runs=2 ./tried; exit $status)
equal 'a pipe that nobody reads' 0 $?
(try --trials=1 --runs=2 ./tried; exit $status) <&-
equal 'no standard input' 0 $?
try --trials=$two --runs=2 ./tried time
holds 'a program that prints something else each time' test $status = 0 -a ! -s errors
try --trials=$two --runs=3 ./tried late
holds 'or only at times' test $status = 0 -a ! -s errors
try --trials=$two --runs=2 ./tried seven
equal 'every run has the same status, which is none of cilkprof-run' 0 $status
says 'but said' './tried: every run exited with status 7'
if [ $two = 2 ]; then
  try --trials=2 --runs=2 ./tried race
  says 'with two workers something else is printed' './tried: its output with 2 workers differs from that with one'
  equal 'it was measured nevertheless' 0 $status
  for how in fail:'it ended with status 3, and in the first run with 0' abort:'it ended by signal 6'; do
    echo old >cilkprof.trials
    rm -f log
    sh -c 'ulimit -c 0; exec cilkprof-run --trials=2 --runs=2 -o new.trials ./tried "$1"' - ${how%%:*} >out 2>errors
    equal "${how%%:*}: status" 125 $?
    says "${how%%:*}: a line" "./tried: with 2 workers ${how#*:}.*CILK_NWORKERS=2 OMP_NUM_THREADS=2 ./tried"
    holds "${how%%:*}: no file" test ! -e new.trials -a ! -s out
  done
  rm -f cilkprof.trials
fi

# Somebody wants an end: a file of what was measured, or none.  The second run waits.
cat >interactive.sh <<'EOC'
set -m # or what runs beside the script ignores the signal
"$@" >out 2>errors &
launched=$!
while [ "$(grep -c . log 2>/dev/null)" != "$RUNS" ]; do sleep 0.05; done
kill -INT $launched
wait $launched
EOC
rm -f log ready cilkprof.trials
RUNS=2 timeout 60 bash interactive.sh cilkprof-run --trials=1 --runs=9 ./tried wait
equal 'interrupted: status' 130 $?
says 'interrupted: a line' 'cilkprof.trials: interrupted; it has the 1 run that finished'
equal 'interrupted: the run that ended' 1 "$(numbers cilkprof.trials)"
rm -f log cilkprof.trials
touch ready
RUNS=1 timeout 60 bash interactive.sh cilkprof-run --trials=1 --runs=9 ./tried wait
equal 'interrupted in the first run: status' 130 $?
equal 'interrupted in the first run: nothing is left' '' "$(ls | grep 'cilkprof.trials')"

# fails STATUS NAME PATTERN OPTION...: that status, nothing but a line, and nothing is run.
fails() {
  wanted=$1 name=$2 pattern=$3
  shift 3
  try "$@"
  equal "$name: status" "$wanted" $status
  says "$name: a line" "$pattern"
  holds "$name: nothing was run" test ! -s log -a ! -s out -a ! -e cilkprof.trials
}
fails 125 'no worker' '--trials: 0: not a number from 1 to .*processors' --trials=0 ./tried
fails 125 'no number' '--trials: abc: not a number' --trials=abc ./tried
fails 125 'more than there are processors' '--trials: 1000000: not a number from 1 to' --trials=1000000 ./tried
fails 125 'a number too large for any machine' '--trials: 99999999999999999999: not' --trials=99999999999999999999 ./tried
fails 125 'one wrong number' '--trials: -2: not' --trials=1,-2 ./tried
fails 125 'nothing after a comma' '--trials: : not' --trials=1, ./tried
fails 125 'an empty list' '--trials: : not' --trials= ./tried
fails 125 'one copy' '--copies: ' --copies=1 ./tried
fails 125 'no number of copies' '--copies: ' --copies=two ./tried
fails 125 'no runs' '--runs: 0: not a number from 1 to 1000' --trials --runs=0 ./tried
fails 125 'no profile is made' '--no-reference: ' --trials --no-reference ./tried
fails 125 'bounds of nothing' '--bounds: .*--trials' --bounds=prog ./tried
fails 127 'a program that is not there' './nowhere: No such file' --trials ./nowhere
fails 126 'a file that is no program' 'a source file; compile it first' --trials ./tried.c
sed 's,/ld-linux,/no-linux,' tried >lost
chmod +x lost
fails 126 'a program that cannot be run' './lost: its interpreter' --trials ./lost
fails 125 'a program as its file' 'tried: it exists and is not a file of trials' --trials -o tried ./tried
fails 125 'a device as its file' '/dev/null: it exists and is not a file of trials' --trials -o /dev/null ./tried
fails 125 'a folder that is not there' '/nowhere/x: No such file' --trials -o /nowhere/x ./tried
TMPDIR=/nowhere
export TMPDIR
fails 125 'no folder for what it prints' '/nowhere/.*TMPDIR' --trials ./tried
unset TMPDIR

# Beside the bounds of a profile.
cat >fib.c <<'EOC'
#include <cilk/cilk.h>
static long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1), y = fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(void) { return fib(20) != 6765; }
EOC
compile -O2 -fcilkprof=count fib.c -o fib
./fib
fails 125 'a program with events' 'fib: compiled with -fcilkprof, it runs on one processor' --trials ./fib
compile -O2 -fcilkprof=parallel-count fib.c -o fib
fails 125 'a program that is profiled on all workers' 'fib: compiled with -fcilkprof=parallel, it also takes the time of its profile' --trials ./fib
./fib
mv cilkprof.out other.out
cilkprof-run --trials -j $two --runs=1 --bounds=fib:other.out ./tried >out 2>errors
holds 'beside the bounds' grep -q '^processors  runs .* lower    upper' out
holds 'a row for each number' test "$(grep -c '^ *[0-9][0-9]*  *[0-9]' out)" = $two
mv other.out cilkprof.out
cilkprof-run --trials=$two --runs=1 --bounds=fib ./tried >out 2>errors
holds 'cilkprof.out is meant' grep -q '^processors  runs .* lower    upper' out
cilkprof-run --trials=1 --runs=1 ./tried >out 2>errors
holds 'where there is one, it is said how' grep -q 'cilkprof report --trials=cilkprof.trials' out
printf '#!/bin/sh\necho ran >>ran\nexec ./tried\n' >noted
chmod +x noted
rm -f ran cilkprof.trials
fails 125 'bounds of no program' 'cilkprof-run: nothing: No such file.*; --bounds=PROGRAM is the program that was profiled' --trials=1 --bounds=nothing ./noted
fails 125 'bounds without a profile' 'cilkprof-run: gone.out: No such file.*; --bounds needs a profile' --trials=1 --bounds=fib:gone.out ./noted
holds 'both are said before any run' test ! -e ran -a ! -e cilkprof.trials
finish
