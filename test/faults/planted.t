#!/bin/sh
# What others have put where files are made: a program follows no link, waits for no pipe and writes to no disk, and one
# with raised privileges writes nothing.
# SPDX-License-Identifier: MIT
. "$TOP/test/faults/lib.sh"

cat >work.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
int main(void) { printf("%d\n", fib(15)); return 7; }
EOC
compile -O1 -fcilkprof=count work.c -o work
compile -O1 -fcilkprof=parallel-count work.c -o workers
cc -O1 -fcilkplus work.c -o parallel 2>compiler-said || give_up 'a parallel program' compiler-said

# run COMMAND...: with what it printed in got and stderr; nobody has a reason to wait for a pipe.
run() {
  timeout 60 "$@" >got 2>stderr
  status=$?
}
# seen PATTERN: status and output are the same, and one line matches.
seen() {
  [ "$status" = 7 ] && grep -qx 610 got && one_line "$1"
}
# quiet: they are, and nothing was said.
quiet() {
  [ "$status" = 7 ] && grep -qx 610 got && [ ! -s stderr ]
}
whole() {
  cilkprof-report --summary "$1" "$2"
}
echo victim >wanted
untouched() {
  cmp wanted victim
}

# Links under the names that a process of this number would use.
for name in .tmp .live; do
  rm -f cilkprof.out*
  cp wanted victim
  run sh -c "ln -s victim cilkprof.out.\$\$$name; exec ./work"
  fault "a link in the place of cilkprof.out.PID$name" 'its file is untouched' untouched
  fault 'the same' 'the profile is written' whole work cilkprof.out
done
rm -f cilkprof.out*
ln -s victim cilkprof.out
run ./work
fault 'a link in the place of the profile' 'its file is untouched' untouched
fault 'the same' 'the profile takes the place of the link' sh -c 'test ! -h cilkprof.out && cilkprof-report --summary work cilkprof.out'
rm -f cilkprof.out* names
for i in 1 2 3; do
  strace -f -o trace ./work >/dev/null 2>&1 && break
done
if [ -s trace ]; then
  for i in 1 2; do
    strace -f -o trace ./work >/dev/null 2>&1
    sed -n 's/.*"\([^"]*\)\.tmp", .*O_CREAT.*/\1/p' trace | sed 's/.*\.//' >>names
  done
  fault 'the name of the temporary file' 'is another one in each run' test "$(sort -u names | grep -c .)" = 2
  fault 'the same' 'and is created, never opened' sh -c '! grep "\.tmp\"" trace | grep open | grep -v O_EXCL'
fi

# A live file is opened again when it grows: another file in its place is not taken for it.
cat >swap.c <<'EOC'
#include <cilk/cilk.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  char live[64];
  snprintf(live, sizeof live, "cilkprof.out.%d.live", (int)getpid());
  if (access(live, F_OK) || unlink(live) || link("victim", live)) return 1;
  void *library = dlopen("./more.so", RTLD_NOW);
  int (*more)(int) = library ? (int (*)(int))dlsym(library, "more") : NULL;
  return more ? more(1) : 2;
}
EOC
echo 'int add(int n) { return n + 1; } int more(int n) { int a = cilk_spawn add(n); cilk_sync; return a + 5; }' |
  sed 's/^/#include <cilk\/cilk.h>\n/' >more.c
compile -O1 -fcilkprof=count swap.c -o swap -ldl
compile -O1 -fcilkprof=count -shared -fPIC more.c -o more.so
cp wanted victim
run ./swap
fault 'another file in the place of the live file' 'it is untouched, and the program runs on' \
  sh -c "test $status = 7 && cmp wanted victim"

# Pipes and devices: only where they are named.
rm -f cilkprof.out*
mkfifo cilkprof.out
run ./work
fault 'a pipe in the place of the profile' 'nothing waits for a reader, one line' seen 'cilkprof.out: it is not a file; .* CILKPROF_OUT; no profile'
mkfifo pipe
CILKPROF_OUT=pipe run ./work
fault 'a named pipe without a reader' 'nothing waits, one line' seen 'pipe: nobody reads it; no profile'
timeout 60 cat pipe >piped &
exec 9>pipe # the reader is there
CILKPROF_OUT=pipe run ./work
exec 9>&-
wait
fault 'a named pipe with a reader' 'it gets the whole profile' whole work piped
fault 'the same' 'nothing is said' quiet
rm cilkprof.out
ln -s /dev/null cilkprof.out
run ./work
fault 'a device in the place of the profile' 'it is not written to, one line' seen 'cilkprof.out: it is not a file; '
CILKPROF_OUT=/dev/null run ./work
fault 'a device that is named' 'nothing is said' quiet
rm cilkprof.out

# As a user who may write to no folder of the system.
nobody=
[ "$(id -u)" != 0 ] || nobody='setpriv --reuid 65534 --regid 65534 --clear-groups'
if [ -z "$nobody" ] || command -v setpriv >/dev/null; then
  chmod 777 . && chmod 666 got
  run $nobody env CILKPROF_OUT=/dev/stdout ./work
  fault '/dev/stdout, which is a file' 'no other one takes its place, one line' seen 'stdout: it is another name of an open file'
fi
if [ "$(id -u)" = 0 ] && mknod disk b 7 250 2>/dev/null; then
  ln -s disk cilkprof.out
  run ./work
  fault 'a disk in the place of the profile' 'it is not opened, one line' seen 'cilkprof.out: it is a block device; no profile'
  CILKPROF_OUT=disk run ./work
  fault 'a disk that is named' 'it is not opened, one line' seen 'disk: it is a block device; no profile'
  rm -f cilkprof.out disk
fi

# Programs with the rights of another user, who is nobody here and root where this is run as root.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  mkdir theirs && chmod 755 . && chmod 777 theirs
  for program in work workers parallel; do
    cp "$program" "raised-$program" && chmod 4755 "raised-$program"
    (cd theirs && CILKPROF_OUT=named CILKPROF_SAMPLE=1 CILKPROF_CONTEXTS=1 timeout 60 \
      $nobody "../raised-$program" >../got 2>../stderr)
    status=$?
    fault "a set-user-ID program, $program" 'nothing is written' test -z "$(ls -A theirs)"
    if [ "$program" = parallel ]; then
      fault 'the same' 'it runs as ever, without samples' quiet
    else
      fault 'the same' 'it runs as ever, one line' seen '^cilkprof: no profile: .* raised privileges'
    fi
  done
  fault 'the same, by cilkprof run' 'it says that there is no profile' sh -c "
    cd theirs && $nobody cilkprof-run ../raised-work >../got 2>../stderr
    test \$? = 125 && grep -q 'no profile was written' ../stderr"
fi
finish
