#!/bin/sh
# OpenMP programs that are recorded where something is not there: libomp, the tool, or OpenMP itself until it is loaded.
# SPDX-License-Identifier: MIT
. "$TOP/test/launcher/lib.sh"
unset OMP_NUM_THREADS OMP_TOOL OMP_TOOL_LIBRARIES CILKPROF_SAMPLE CILKPROF_SAMPLE_HZ CILKPROF_OUT LD_PRELOAD

cat >library.c <<'EOC'
#include <stdio.h>
static volatile double sink;
__attribute__((noinline)) static void spin(void) {
  double x = 1;
  for (int i = 0; i < 100000000; i++)
    x = x * 1.0000001 + 1e-9;
  sink = x;
}
int work(void) {
  int threads = 0;
#pragma omp parallel num_threads(2)
  {
    spin();
#pragma omp atomic
    threads++;
  }
  return printf("%d\n", threads) < 0;
}
EOC
printf 'int work(void);\nint main(void) { return work(); }\n' >needs.c
cat >loads.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  void *library = dlopen("./libwork.so", RTLD_NOW);
  int (*work)(void) = library ? (int (*)(void))dlsym(library, "work") : NULL;
  return work ? work() : printf("%s\n", dlerror());
}
EOC
(gcc -O2 -g -fopenmp needs.c library.c -o needs && gcc -O2 -g -fopenmp -shared -fPIC library.c -o libwork.so &&
  gcc -g loads.c -o loads -ldl && gcc -O2 -static -Dwork=rand needs.c -o static) >compiler 2>&1 || give_up 'the programs' compiler

# fails NAME PATTERN COMMAND...: nothing but a line, and nothing is run.
fails() {
  name=$1 pattern=$2
  shift 2
  "$@" >out 2>errors
  equal "$name: status" 125 $?
  says "$name: a line" "$pattern"
  holds "$name: nothing was run" test ! -s out
}

# Who asks for libomp gets nothing; or one that was built without OMPT.
printf 'void *dlopen(const char *name, int mode) { (void)name, (void)mode; return 0; }\n' >none.c
printf 'void *dlsym(void *library, const char *name) { (void)library, (void)name; return 0; }\n' >without.c
for name in none without; do
  gcc -shared -fPIC $name.c -o $name.so
done
fails 'no libomp' './needs: .* which is not installed; run: apt-get install -y libomp5$' env LD_PRELOAD="$PWD/none.so" cilkprof-run ./needs
fails 'no OMPT' './needs: .* built without .*(OMPT); run: apt-get install -y libomp5$' env LD_PRELOAD="$PWD/without.so" cilkprof-run ./needs

mkdir -p elsewhere/bin
cp "$BUILD_DIR/bin/cilkprof-run" elsewhere/bin
cp "$BUILD_DIR/bin/cilkprof-run" elsewhere
fails 'no tool' 'elsewhere/lib/cilkprof/libcilkprof-openmp.so: No such file.*install cilkprof again' elsewhere/bin/cilkprof-run ./needs
fails 'no folder for it' 'lib/cilkprof/libcilkprof-openmp.so: No such file' elsewhere/cilkprof-run ./needs

# What loads OpenMP later does not say so.
fails 'loads it later' './loads: not compiled for profiling, .*Cilk, OpenMP or oneTBB; .*--openmp if it loads OpenMP later' cilkprof-run ./loads
launch --openmp -j 2 ./loads
equal 'loads it later, and somebody says so: status' 0 $status
same 'nothing is said' /dev/null errors
echo 2 >wanted
same 'it has two threads' wanted out
cilkprof-report --format=collapsed --metric=work loads cilkprof.out >paths
holds 'its path goes on in the library' grep -q '^main;work;parallel library.c:11;spin ' paths
cilkprof-report --waste loads cilkprof.out >waste.txt
holds 'it is OpenMP' grep -q 'OpenMP workers: 2' waste.txt
launch --openmp -j 2 ./needs
holds 'one that needs it is as without --openmp' test $status = 0 -a -f cilkprof.out
printf '#!/bin/sh\nexec ./loads\n' >script
chmod +x script
fails 'a script' './script: static programs and scripts cannot be sampled; name the script.s interpreter' cilkprof-run --openmp ./script
fails 'a static program' './static: static programs and scripts cannot be sampled' cilkprof-run --openmp ./static
fails 'trials' '--openmp: it applies to sampled runs; these are only timed' cilkprof-run --openmp --trials ./needs
finish
