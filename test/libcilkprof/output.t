#!/bin/sh
# Where the profile goes, and what happens when it cannot go there: the program never notices.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >work.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <unistd.h>
#include <stdlib.h>
#include <sys/wait.h>
__attribute__((noinline)) int f(int n) { volatile int x = n; return x; }
int main(int argc, char *argv[]) {
  cilk_spawn f(1);
  cilk_sync;
  if (argc > 1 && argv[1][0] == 'c' && chdir("/") < 0) return 9;
  if (argc > 1 && argv[1][0] == 'f') { if (fork() == 0) exit(f(3)); wait(NULL); }
  puts("computed");
  return 7;
}
EOC
compile -O2 -fcilkprof=count work.c -o work

# run [VARIABLE=VALUE] [ARGUMENT]: the program's status and output stay what they are; what the engine says is in said.
run() {
  out=$(env "$@" 2>said)
  echo "$? $out"
}
equal 'default: status and output' '7 computed' "$(run ./work)"
holds 'default: cilkprof.out in the current folder' test -s cilkprof.out
holds 'nothing is said' test ! -s said
mkdir sub
(cd sub && equal 'a program that changes its folder' '7 computed' "$(run ../work c)")
count=$((count + 1))
holds 'its profile is where it started' test -s sub/cilkprof.out
run CILKPROF_OUT=p%%.%p.%h ./work >/dev/null
holds '%% and %p and %h' sh -c "ls | grep -q \"^p%[.][0-9]*[.]$(uname -n)\$\""
mkdir 50%p
(cd 50%p && ../work >/dev/null 2>&1)
holds 'a % in the name of the folder stands for itself' test -s 50%p/cilkprof.out
run CILKPROF_OUT=forked.prof ./work f >/dev/null
holds 'a forked child writes a file of its own' sh -c 'ls | grep -q "^forked[.]prof[.][0-9]*$" && test -s forked.prof'
holds 'no temporary file is left' sh -c '! ls | grep -q tmp'

# one_line NAME PATTERN: the program ran as ever, and the engine said one line.
one_line() {
  if [ "$result" = '7 computed' ] && [ "$(wc -l <said)" = 1 ] && grep -q -e "^cilkprof: $2" said; then
    pass "$1"
  else
    { echo "$result"; cat said; } >why
    fail "$1" why
  fi
}
cp cilkprof.out before
result=$(run CILKPROF_OUT=/dev/full ./work)
one_line 'a full disk' '/dev/full: No space left on device'
result=$(run CILKPROF_OUT=none/such ./work)
one_line 'no such folder' '.*/none/such: No such file or directory'
result=$(run CILKPROF_OUT=sub ./work)
one_line 'a folder of that name' '.*/sub: Is a directory'
result=$(run CILKPROF_OUT=$(printf '%05000d' 0) ./work)
one_line 'a name that is too long' '.*File name too long'
{ (ulimit -f 0; ./work; echo "$?") 2>&1 | cat; } >got
printf 'computed\ncilkprof: %s/cilkprof.out: File too large; no profile is written\n7\n' "$PWD" | sort >wanted
sort got >sorted
same 'a limit on the size of files' wanted sorted
(ulimit -f 0; ./work >/dev/null 2>unwritten)
equal 'even where that cannot be said' '7' $?
cmp -s before cilkprof.out && holds 'the earlier profile is as it was' true || fail 'the earlier profile is as it was' said
result=$(run CILKPROF_BURDEN=many ./work)
one_line 'a burden that is no number' 'CILKPROF_BURDEN: not a number'
rm cilkprof.out

# A live file that could not be brought up to date is still there.
cat >part.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) int g(int n) { volatile int x = n; return x; }
int part(void) { cilk_spawn g(1); cilk_sync; return 0; }
EOC
cat >limits.c <<'EOC'
#include <cilk/cilk.h>
#include <dlfcn.h>
#include <signal.h>
#include <sys/resource.h>
__attribute__((noinline)) int f(int n) { volatile int x = n; return x; }
int main(void) {
  cilk_spawn f(1);
  cilk_sync;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
  void *library = dlopen("./part.so", RTLD_NOW);
  return library ? ((int (*)(void))dlsym(library, "part"))() : 9;
}
EOC
compile -O1 -fPIC -shared -fcilkprof=count part.c -o part.so
compile -O1 -fcilkprof=count limits.c -ldl -o limits
{ ./limits; echo "$?"; } 2>&1 | cat >got
printf 'cilkprof: %s/cilkprof.out: File too large; only its .live file is left\n0\n' "$PWD" >wanted
same 'a live file is not forgotten because a library was too much for it' wanted got
holds 'it can be read' sh -c "cilkprof-report --summary limits cilkprof.out.*.live | grep -q 'did not finish'"
rm cilkprof.out.*.live

equal 'little address space' '7 computed' "$(ulimit -v 30000; run ./work)"
holds 'is enough' test -s cilkprof.out

profile work
burdened=$(whole 'Burdened span') span=$(whole Span)
true_that 'the default burden is 15000 instructions' "$burdened > 15000 - $span && $burdened <= $span + 15000"
CILKPROF_BURDEN=0
export CILKPROF_BURDEN
profile work
equal 'without a burden the burdened span is the span' "$(whole Span)" "$(whole 'Burdened span')"
CILKPROF_BURDEN=123456789
profile work
true_that 'any burden can be set' "$(whole 'Burdened span') > 123000000"
finish
