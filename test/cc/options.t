#!/bin/sh
# The command lines that users type.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

cat >prog.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
int f(int x) { return x + 1; }
int main(void) {
  int a = cilk_spawn f(1);
  cilk_scope { cilk_spawn f(2); }
  cilk_for (int i = 0; i < 3; i++) f(i);
  cilk_sync;
  printf("%d\n", a);
#ifdef __cilkprof__
  puts("instrumented");
#endif
  return 0;
}
EOC
sed '/include <cilk/d; s/cilk_/_Cilk_/g' prog.c >bare.c
cp prog.c prog.cc

# The literal line, from the build tree.
PATH=$("$BUILD_DIR"/bin/cilkprof-cc --print-path):$PATH
for compiler in cc gcc; do
  rm -f a.out cilkprof.out
  holds "$compiler -fcilkplus -fcilkprof prog.c" $compiler -fcilkplus -fcilkprof prog.c
  equal "$compiler: it runs" '2 instrumented' "$(./a.out | tr '\n' ' ' | sed 's/ $//')"
  holds "$compiler: cilkprof-report with its defaults" cilkprof-report
  $compiler -fcilkplus prog.c && equal "$compiler -fcilkplus alone" 2 "$(./a.out)"
done
for compiler in c++ g++; do
  rm -f a.out cilkprof.out
  holds "$compiler -fcilkplus -fcilkprof prog.cc" $compiler -fcilkplus -fcilkprof prog.cc
  equal "$compiler: it runs" '2 instrumented' "$(./a.out | tr '\n' ' ' | sed 's/ $//')"
  holds "$compiler: cilkprof-report with its defaults" cilkprof-report
done
holds 'the keywords without a header' cc -fcilkplus -fcilkprof bare.c -o bare
holds 'the keywords without a header, in parallel' cc -fcilkplus bare.c -o bare
holds 'the keywords without a header, as the serial elision' cc -fcilkplus=serial bare.c -o bare
holds 'other programs compile as ever' sh -c 'echo "int main(void) { return 0; }" >c.c && cc c.c -o c && ./c'
holds 'the keywords are not known without -fcilkplus' sh -c '! cc prog.c -o c 2>/dev/null'
"$BUILD_DIR"/bin/cilkprof-cc prog.c -o prog && equal 'cilkprof-cc needs no option' '2 instrumented' "$(./prog | tr '\n' ' ' | sed 's/ $//')"
"$BUILD_DIR"/bin/cilkprof-c++ prog.cc -o prog && equal 'nor does cilkprof-c++' '2 instrumented' "$(./prog | tr '\n' ' ' | sed 's/ $//')"
holds 'gcc with the specs file' gcc -specs="$("$BUILD_DIR"/bin/cilkprof-cc --print-specs)" -fcilkprof prog.c -o prog

# Builds name the runtime, and OpenCilk's option; programs declare what it has by themselves.
cat >runtime.c <<'EOC'
#ifdef __cplusplus
extern "C"
#endif
int __cilkrts_set_param(const char *, const char *);
int f(int x) { return x + 1; }
int main(void) {
  int a = _Cilk_spawn f(__cilkrts_set_param("nworkers", "2"));
  _Cilk_sync;
  return a - 1;
}
EOC
cp runtime.c runtime.cc
for options in '-fcilkplus -lcilkrts' '-fopencilk -lopencilk -lopencilk-pedigrees' '-fopencilk -fcilktool=cilkscale' '-fcilkplus' '-fopencilk' '-fopencilk -fcilkprof -static'; do
  holds "cc runtime.c $options" sh -c "cc runtime.c $options -o runtime && ./runtime"
  holds "c++ $options runtime.cc" sh -c "c++ $options runtime.cc -o runtime && ./runtime"
done
rm -f cilkprof.out
holds 'cilkprof-cc -fopencilk -lcilkrts' sh -c '"$BUILD_DIR"/bin/cilkprof-cc -fopencilk runtime.c -lcilkrts -o runtime && ./runtime'
holds 'and it is profiled' cilkprof-report runtime
holds '-fopencilk, linked by itself' sh -c 'cc -fopencilk -c runtime.c && cc -fopencilk runtime.o -o runtime && ./runtime'
holds '-fopencilk for a shared library' cc -fopencilk -fcilkprof -fPIC -shared runtime.c -o libruntime.so -lcilkrts

cc -fcilkplus -fcilkprof=bogus prog.c -o prog >said 2>&1 && echo compiled >>said
equal 'an unknown mode is an error in one line' \
  "cc: error: '-fcilkprof=' needs one of the modes 'hybrid', 'count', 'clock', 'whatif', 'parallel' and 'parallel-count'" "$(cat said)"
for mode in hybrid count clock; do
  cc -fcilkplus -fcilkprof=$mode prog.c -o prog && ./prog >/dev/null
  cilkprof-report --summary -b prog >summary
  holds "-fcilkprof=$mode measures in that mode" grep -q "Measured: *$mode" summary
done
cc -fcilkplus -fcilkprof=whatif prog.c -o prog && CILKPROF_WHATIF=main ./prog >/dev/null
cilkprof-report --summary -b prog >summary
holds '-fcilkprof=whatif counts' grep -q "Measured: *count" summary
cc -fcilkplus -fcilkprof=count -c prog.c -o count.o
echo 'int g(void) { return 3; }' >g.c
cc -fcilkplus -fcilkprof=clock -c g.c -o clock.o
cc -fcilkplus -fcilkprof=count count.o clock.o -o mixed >errors 2>&1 && echo linked >>errors
holds 'objects of two modes do not link' grep -q 'multiple definition of .__cilkprof_all_objects_must_be_compiled_in_the_same_mode' errors
cc -fcilkplus -fcilkprof=whatif -c g.c -o whatif.o
cc -fcilkplus -fcilkprof=whatif count.o whatif.o -o mixed >errors 2>&1 && echo linked >>errors
holds 'nor do counted ones and ones for what-if' grep -q 'multiple definition of .__cilkprof_all_objects' errors

# The serial elision costs nothing: the code is that of gcc without the keywords.
mkdir plain plain/cilk
printf '#define cilk_spawn\n#define cilk_sync ((void)0)\n#define cilk_for for\n' >plain/cilk/cilk.h
for program in fib cilksort stencil ${LONG:+qsort mm nqueens saxpy}; do
  command gcc -O2 -Iplain -S "$programs/$program.c" -o wanted.s
  cc -O2 -fcilkplus=serial -S "$programs/$program.c" -o got.s
  grep -v '^\.L\|^\t\.' wanted.s | sed 's/\.L[A-Z]*[0-9]*/.L/g' >wanted
  grep -v '^\.L\|^\t\.' got.s | sed 's/\.L[A-Z]*[0-9]*/.L/g' >got
  same "$program: -fcilkplus=serial compiles to the same instructions" wanted got
done

# What parallel code borrows of GCC's passes does not make serial loops parallel, also where options go back to what they were.
for back in '__attribute__((optimize("O3"))) void unrelated(void) {}' '_Pragma("GCC push_options") _Pragma("GCC optimize(\"O3\")")
  void unrelated(void) {} _Pragma("GCC pop_options")' '__attribute__((target("sse2"))) void unrelated(void) {}'; do
  printf '#include <cilk/cilk.h>\nvoid unrelated(void);\n%s\ndouble a[1000000];\n' "$back" >loop.c
  echo 'int main(void) { for (int i = 0; i < 1000000; i++) a[i] = i * 2.0; return a[999999] != 1999998.0; }' >>loop.c
  cp loop.c loop.cc
  for mode in '' -fcilkprof -fcilkprof=parallel; do
    for compile in 'cc loop.c' 'c++ loop.cc'; do
      in_turn 2 || continue
      ${compile% *} -O2 -fcilkplus $mode -S "${compile#* }" -o loop.s 2>said || cp said loop.s
      holds "${compile% *} -fcilkplus $mode: serial loops stay serial after ${back%%(*}" sh -c '! grep GOMP_ loop.s && grep -q main: loop.s'
    done
  done
done
finish
