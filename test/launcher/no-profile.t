#!/bin/sh
# The status of cilkprof-run when no profile could be written, and that of the program when one was.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"

cat >ends.c <<'EOC'
#include <cilk/cilk.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
int main(int argc, char *argv[]) {
  int status = argc > 1 ? atoi(argv[1]) : 0;
  if (fib(12) != 144)
    return 99;
  if (argc > 2 && argv[2][0] == 'u')
    syscall(SYS_exit_group, status);
  if (argc > 2)
    raise(SIGTERM);
  return status;
}
EOC
cat >region.c <<'EOC'
#include <stdlib.h>
int main(int argc, char *argv[]) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; i++)
    sum += i;
  return sum == 499500 ? atoi(argv[argc - 1]) : 99;
}
EOC
# A folder of its own for temporary files: those of other runs on this machine must not be seen below.
mkdir temporary
TMPDIR=$PWD/temporary
export TMPDIR
compile -O1 -fcilkplus -fcilkprof ends.c -o timed
compile -O1 -fcilkplus -fcilkprof=count ends.c -o counted
compile -O1 -fcilkplus ends.c -o parallel
compile -O1 -fopenmp region.c -o region

mkdir folder
for program in timed counted parallel region; do
  for wanted in 0 7; do
    launch ./$program $wanted
    equal "$program: a profile, and the status is that of the program, $wanted" "$wanted" $status
    equal "$program: nothing is said" '' "$(cat errors)"
    holds "$program: it is there" test -s cilkprof.out
    for where in none/such /dev/full folder; do
      launch -o $where ./$program $wanted
      equal "$program: $where cannot be written: 125, not $wanted" 125 $status
      holds "$program: a line says so, with the status of the program" \
        grep -qx "cilkprof-run: ./$program: no profile was written; the program exited with status $wanted" errors
    done
  done
done
for program in timed counted parallel; do
  launch ./$program 5 unseen
  equal "$program: an end that nobody sees leaves no profile" 125 $status
  holds "$program: what is left is named" grep -q \
    "^cilkprof-run: ./$program: no complete profile was written; the program exited with status 5; cilkprof report cilkprof.out.[0-9]*.live prints" errors
  launch -o none/such ./$program 0 signal
  equal "$program: a signal is the status all the same" 143 $status
done
holds 'nothing is said then' sh -c '! grep -q "no profile was written" errors'
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=512k tmpfs small 2>/dev/null; then
  (cd small && head -c 2000000 /dev/zero >fill 2>/dev/null)
  for program in timed counted parallel region; do
    (cd small && cilkprof-run ../$program 0 >../out 2>../errors)
    equal "$program: a full disk" 125 $?
  done
  mount -o remount,ro small
  (cd small && cilkprof-run ../counted 0 >../out 2>../errors)
  equal 'a file system that can only be read' 125 $?
  umount small
fi
# The place of the temporary files may be full as well: what is told takes no room there.
cp counted good
launch -o good.out ./good 0
equal 'a profile beside: 0' 0 $status
ls temporary >left
same 'no temporary file is left' /dev/null left
finish
