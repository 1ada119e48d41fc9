#!/bin/sh
# A profile that is not there: the report looks at the program, and says in one line what to do.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"

cat >prog.c <<'EOC'
#include <signal.h>
#include <cilk/cilk.h>
int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
int main(int argc, char **argv) {
  (void)argv;
  return fib(argc > 1 ? 5 : 10) != 55 ? raise(SIGKILL) : 0;
}
EOC
# says NAME WANTED ARGUMENT...: the report fails with that one line.
says() {
  name=$1
  echo "cilkprof-report: $2" >wanted
  shift 2
  cilkprof-report "$@" >got 2>&1 && echo "status $?" >>got
  same "$name" wanted got
}
none='cilkprof.out: No such file or directory'
compile -O2 prog.c -o plain
compile -O2 -fcilkprof prog.c -o prog
compile -O2 -fcilkprof -DOTHER=1 -g prog.c -o other
compile -O2 -fcilkprof prog.c -Wl,--build-id=none -o bare
says 'compiled without' "$none; plain was compiled without -fcilkprof" plain
says 'not run yet' "$none; run ./prog first, which writes it at its end" ./prog
says 'the same for --file-info' "$none; run prog first, which writes it at its end" -i prog
says 'a name of its own' 'my.out: No such file or directory; run prog first, which writes it at its end' prog my.out
says 'no program either' "$none; name a profile, or make one: cilkprof ./prog" nothing
says 'no program that could tell' "$none; name a profile, or make one: cilkprof ./prog" prog.c
./other end >/dev/null 2>&1
left=$(echo cilkprof.out.*.live)
holds 'a run was ended' test -s "$left"
says 'what another program left is not offered' "$none; run prog first, which writes it at its end" prog
says 'nor to one that was compiled without' "$none; plain was compiled without -fcilkprof" plain
says 'its own is' "$none; $left was left by a run that was killed or is still going" other
./prog end >/dev/null 2>&1
own=$(ls cilkprof.out.*.live | grep -v "$left")
says 'the right one of two' "$none; $own was left by a run that was killed or is still going" prog
strip prog
says 'without symbols' "$none; $own was left by a run that was killed or is still going" prog
rm -f cilkprof.out.*
./bare end >/dev/null 2>&1
says 'without build-id, by its path' "$none; $(echo cilkprof.out.*.live) was left by a run that was killed or is still going" bare
echo damaged >cilkprof.out.1.live
rm -f cilkprof.out.[2-9]*.live cilkprof.out.1?*.live
says 'one that cannot be read' "$none; run bare first, which writes it at its end" bare
finish
