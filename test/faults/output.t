#!/bin/sh
# Where nothing can be written: the program computes and ends as it would, one line says why, an earlier profile stays.
# SPDX-License-Identifier: MIT
. "$TOP/test/faults/lib.sh"

cat >work.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
int main(int argc, char *argv[]) {
  if (argc > 1 && system(argv[1])) return 9;
  printf("%d\n", fib(15));
  return 7;
}
EOC
compile -fcilkplus=serial -O1 work.c -o plain
compile -O1 -fcilkprof=count work.c -o work
work=$PWD/work
CILKPROF_OUT=good.out ./work >got

# spoiled INJECTED REASON: what was run has status 7, printed 610, and said one line with the reason.
spoiled() {
  echo "$status" >>stderr.status
  fault "$1" "status and output are the same, one line: $2" sh -c "
    test $status = 7 && grep -qx 610 got && test \$(wc -l <stderr) = 1 && grep -q -e '^cilkprof: .*: $2; ' stderr"
}
run() {
  "$@" >got 2>stderr
  status=$?
}
run env CILKPROF_OUT=/dev/full ./work
spoiled 'a full device' 'No space left on device'
run env CILKPROF_OUT=none/such ./work
spoiled 'no such folder' 'No such file or directory'
run env CILKPROF_OUT=work/x ./work
spoiled 'a file in the place of a folder' 'Not a directory'
mkdir folder
run env CILKPROF_OUT=folder ./work
spoiled 'a folder of that name' 'Is a directory'
run env CILKPROF_OUT="$(printf '%0300d' 0)" ./work
spoiled 'a name that is too long' 'File name too long'
run env CILKPROF_OUT=/proc/self/none ./work
spoiled 'a file system that takes no files' 'No such file or directory'
run sh -c 'CILKPROF_OUT=none/such exec ./work 2>&-'
fault 'no such folder and a closed standard error' 'status and output are the same' sh -c "test $status = 7 && grep -qx 610 got"
for limit in 0 1; do
  cp good.out cilkprof.out
  (ulimit -f $limit && exec ./work >/dev/null 2>said-limit)
  fault "ulimit -f $limit" 'the same status, an earlier profile is untouched or replaced whole' \
    sh -c "test $? = 7 && cilkprof-report -p work cilkprof.out"
done
# A limit that lets the C library itself start, but leaves the engine less and less.
for limit in 3000 4000 6000 10000 20000 40000 80000; do
  (ulimit -v $limit && ./work >plain-got 2>/dev/null)
  started=$?
  (ulimit -v $limit && ./plain >plain-got 2>/dev/null)
  [ $started = $? ] || [ $started -ge 126 -a $started != 134 -a $started != 139 ] || echo "ulimit -v $limit: status $started"
done >wrong
tried faults 7
fault 'ulimit -v, from hardly any memory on' 'it runs as ever, or the system cannot start it' sh -c 'cat wrong; test ! -s wrong'

if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=512k tmpfs small 2>/dev/null; then
  cp good.out small/cilkprof.out
  (cd small && "$work" 'head -c 2000000 /dev/zero >fill 2>/dev/null; :' >../got 2>../stderr)
  status=$?
  spoiled 'a disk that is full when the profile is written' 'No space left on device'
  fault 'the same' 'an earlier profile is untouched' cmp -s good.out small/cilkprof.out
  rm -f small/*.live
  cp good.out small/cilkprof.out 2>/dev/null
  (cd small && "$work" >../got 2>../stderr)
  status=$?
  spoiled 'a disk that is full from the start' 'No space left on device'
  rm -f small/fill && cp good.out small/cilkprof.out
  mount -o remount,ro small
  (cd small && "$work" >../got 2>../stderr)
  status=$?
  spoiled 'a read-only file system' 'Read-only file system'
  fault 'the same' 'an earlier profile is untouched' cmp -s good.out small/cilkprof.out
  umount small
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  mkdir closed && cp work closed && chmod 755 . closed closed/work
  (cd closed && setpriv --reuid 65534 --clear-groups ./work >../got 2>../stderr)
  status=$?
  spoiled 'no permission' 'Permission denied'
fi
finish
