#!/bin/sh
# Command lines from before there was one command: the three steps, the letters of gprof, variables instead of options.
# SPDX-License-Identifier: MIT
. "$TOP/test/command/lib.sh"
PATH=$BUILD_DIR/lib/cilkprof/bin:$PATH
cp sum.c prog.c

# works COMMAND: has status 0, and prints something.
works() {
  if sh -c "$1" >out 2>errors </dev/null && [ -s out ]; then pass "$1"; else fail "$1" errors; fi
}
works 'cc -O2 -g -fcilkplus -fcilkprof prog.c && ./a.out'
works 'cilkprof-report a.out cilkprof.out'
shows 'it has a verdict' '^Verdict for'
works 'cilkprof-report'
works 'cilkprof-report a.out'
works 'cilkprof-report -b a.out'
shows 'as gprof: a flat profile' '^ time .* calls'
shows 'as gprof: a call graph' '^index % time'
nm a.out >symbols
nm -o a.out | sed 's/^a.out:/prog.o:/' >map
while read -r options; do
  works "cilkprof-report $options a.out cilkprof.out"
done <<'END'
-A
-Asum
-B
-C
-i
-J -p
-p
-psum
-P -q
-Pmain
-q
-qsum
-Q -p
-Qmain
-r
-R map
-T
-Z -p
-a
-b -c
-D
-d
-e main
-E main
-f sum
-F sum
-k main/sum
-l
-L
-m 2
-n sum
-N work
-O auto
-S symbols
-t 3
-w 100
-x -A
-z
-I .
--brief --flat-profile
--graph=sum
--exec-counts
--annotated-source=sum
--function-ordering
--no-flat-profile
--no-graph
--static-call-graph
--no-static
--line
--print-path
--traditional
--min-count=1
--time=sum
--no-time=work
--width=80
--ignore-non-functions
--display-unused-functions
--demangle
--no-demangle
--directory-path=.
--inline-file-names
END
works 'cilkprof-report -s a.out cilkprof.out cilkprof.out; ls cilkprof.sum'
works 'cilkprof-report -A -y a.out; ls prog.c-ann'
works 'CILKPROF_CONTEXTS=1 CILKPROF_OUT=contexts.out ./a.out; cilkprof-report -b --contexts=5 a.out contexts.out'
works 'CILKPROF_ROOT=sum CILKPROF_OUT=roots.out ./a.out; cilkprof-report --summary --root=sum a.out roots.out'
works 'cilkprof-run ./a.out'
works 'cc -O2 -g -fcilkplus prog.c -o parallel && CILKPROF_SAMPLE=1 CILKPROF_OUT=sampled.out ./parallel'
works 'cilkprof-report --waste sampled.out'
works 'cilkprof-cc -O2 prog.c -o other && CILKPROF_OUT=other.out ./other'
works 'cilkprof-run --trials=1 --runs=2 --bounds=a.out ./parallel'

# A program whose tree of tasks has nothing that could be emulated.
cat >once.c <<'EOC'
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
static int one(int n) { return n + 1; }
int main(void) {
  int n = cilk_spawn one(__cilkrts_set_param("nworkers", "2"));
  cilk_sync;
  return n - 1;
}
EOC
works 'cc -O2 -fcilkplus -fcilkprof once.c -o once && ./once && cilkprof-report once cilkprof.out'
finish
