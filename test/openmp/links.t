#!/bin/sh
# Objects are linked with -fopenmp or without.  Those compiled without -fcilkprof: one line says so.  What profiles are
# compared with.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

cat >main.c <<'EOC'
#include <omp.h>
void part(int n);
int main(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 8; i++) work(1);
  part(8);
  return omp_get_max_threads() < 1;
}
EOC
cat >part.c <<'EOC'
void part(int n) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) work(1);
}
EOC
both='-O1 -fPIC -fopenmp -fcilkprof=count -include unit.h'

compile $both -c main.c part.c
# linked OPTION...: main.o and part.o become a program, whose two loops are measured.
linked() {
  rm -f prog prog.prof
  cc "$@" -fcilkprof=count main.o part.o -o prog && CILKPROF_OUT=prog.prof ./prog &&
    test "$(cilkprof-report --csv prog prog.prof | grep -c '"loop"')" = 2
}
for options in '' -static -Wl,--as-needed -fuse-ld=gold -fuse-ld=lld; do
  case $options in -fuse-ld=*) command -v "ld.${options#*=}" >/dev/null || continue ;; esac
  # shellcheck disable=SC2086 # none or one
  holds "linked with -fopenmp $options" linked -fopenmp $options
  # shellcheck disable=SC2086
  holds "linked without it $options" linked $options
done
# linked_library LIBRARY...: main.o and part.o become a program by the name of a library in place of -fopenmp, as CMake's imported
# target gives it, whose two loops are measured.
linked_library() {
  rm -f prog prog.prof
  cc -fcilkprof=count main.o part.o "$@" -o prog && CILKPROF_OUT=prog.prof ./prog &&
    test "$(cilkprof-report --csv prog prog.prof | grep -c '"loop"')" = 2
}
holds 'linked with -lgomp in its place' linked_library -lgomp
holds 'and that of threads' linked_library -lgomp -lpthread
holds 'by the path of the library' linked_library "$(gcc -print-file-name=libgomp.so)"
holds 'a library without it' cc -shared -Wl,-z,defs -fcilkprof=count part.o -o libpart.so

# Threads run what is not instrumented.
cc -O1 -fopenmp -include unit.h -c part.c
for options in '' -static -Wl,--as-needed; do
  cc $options -fopenmp -fcilkprof=count main.o part.o -o prog 2>/dev/null
  ./prog 2>noise
  equal "an object without -fcilkprof $options: the status" 0 $?
  equal 'it is said, in one line' 1 "$(grep -c . noise)"
  holds 'with what to do' grep -q 'a parallel region in uninstrumented code .*; compile it with -fcilkprof$' noise
done
rm -f prog

# Two schedules: what is compared, and gates.
for schedule in static dynamic; do
  sed "s/dynamic/$schedule, 4/; s/work(1)/work(i)/; /part/d" main.c >$schedule.c
  compile $both $schedule.c -o $schedule
  CILKPROF_OUT=$schedule.prof ./$schedule
done
sed 's/dynamic, 4/dynamic/' dynamic.c >single.c
compile $both single.c -o single
CILKPROF_OUT=single.prof ./single
cilkprof-report -b --diff static.prof single.prof >difference 2>&1
holds 'the difference has the loop' grep -q 'main -> omp parallel for single.c:3' difference
holds 'and its parallelism' grep -q '^ *Parallelism: .* +' difference
holds 'a gate that holds' cilkprof-report --gate 'parallelism >= 3' single single.prof
cilkprof-report --gate 'parallelism >= 3' static static.prof >said 2>&1
equal 'one that does not' 3 $?
holds 'of the loop' cilkprof-report --gate 'parallelism(single.c:3) > 3' single single.prof
finish
