#!/bin/sh
# Code without instrumentation: calling it, and being called by it.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >library.c <<'EOC'
int twice(int (*f)(int), int x) { return f(x) + f(x + 1); }
void nothing(void) {}
EOC
gcc -O2 -c library.c -o library.o
cat >other.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
int elsewhere(int n) { int a = cilk_spawn leaf(n); int b = leaf(n); cilk_sync; return a + b; }
EOC
cat >caller.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
int twice(int (*)(int), int); void nothing(void); int elsewhere(int);
static int up(int x) { return x + 1; }
static int nested(int x) { return twice(up, x); }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int (*table[2])(int) = {up, nested};
int main(void) {
  int a[100], sum = 0;
  for (int i = 0; i < 100; i++) a[i] = i * 37 % 101;
  qsort(a, 100, sizeof *a, order);
  sum += cilk_spawn twice(up, 1);
  sum += twice(nested, 2);
  cilk_sync;
  nothing();
  cilk_spawn nothing();
  sum += elsewhere(10);
  for (int i = 0; i < 10; i++) sum += table[i % 3 == 0](i);
  cilk_sync;
  printf("%d %d\n", sum, a[50]);
  return 0;
}
EOC
gcc -O2 -w -D'cilk_spawn=' -D'cilk_sync=' -I"$TOP/test/bench/baseline" caller.c other.c library.o -o plain && $RUN ./plain >wanted
for mode in count hybrid clock; do
  for level in -O0 -O2 -O3; do
    in_turn 3 || continue
    case $LONG$mode$level in count-O[02] | hybrid-O[03] | clock-O[23]) continue ;; esac
    compile $level -fcilkprof=$mode -c caller.c -o caller.o
    compile $level -fcilkprof=$mode -c other.c -o other.o
    compile -fcilkprof=$mode caller.o other.o library.o -o program
    profile program
    same "$mode $level: the program computes what it did" wanted program.stdout
    equal "$mode $level: calls from a library" '14 2' \
      "$(field '<spontaneous>>up' on_work_local_count) $(field '<spontaneous>>nested' on_work_local_count)"
    equal "$mode $level: calls of a library" '1 1 6' "$(grep 'spawn,main,twice' sites.csv | cut -d, -f15) \
$(grep 'call,main,twice' sites.csv | cut -d, -f15) $(field 'nested>twice' on_work_local_count)"
    equal "$mode $level: a call of another unit is an ordinary call" '1 1 1' "$(field 'main>elsewhere' on_work_local_count) \
$(grep 'spawn,elsewhere,leaf' sites.csv | cut -d, -f15) $(grep 'call,elsewhere,leaf' sites.csv | cut -d, -f15)"
    equal "$mode $level: an indirect call has a row for every callee" '6 4' \
      "$(field 'main>up' on_work_local_count) $(field 'main>nested' on_work_local_count)"
    equal "$mode $level: a spawned call of a library function is a spawn" 1 "$(grep 'spawn,main,nothing' sites.csv | cut -d, -f15)"
    true_that "$mode $level: qsort's comparisons are its callees" "$(field '<spontaneous>>order' on_work_local_count) > 99"
  done
done

# Threads: only the one that runs main is profiled; the others neither crash nor spoil it.
cat >threads.c <<'EOC'
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
__attribute__((noinline)) int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
static void *run(void *n) { return (void *)(long)fib((int)(long)n); }
int main(int argc, char **argv) {
  pthread_t t[3];
  (void)argv;
  for (long i = 0; argc > 1 && i < 3; i++) pthread_create(&t[i], NULL, run, (void *)(18 + i));
  int here = fib(20);
  for (int i = 0; argc > 1 && i < 3; i++) pthread_join(t[i], NULL);
  printf("%d\n", here);
  return 0;
}
EOC
compile -O2 -fcilkprof=count -pthread threads.c -o threads
profile threads
grep fib, sites.csv | grep -v spontaneous >wanted
profile threads others
grep fib, sites.csv | grep -v spontaneous >got
same 'threads: the profile is that of the main thread' wanted got

# What another unit holds is found to be instrumented by the first call: the others cost the same.
cat >often.c <<'EOC'
int elsewhere(int);
__attribute__((noinline)) static int once(int n) { return elsewhere(n); }
__attribute__((noinline)) static int often(int n) { int sum = 0; for (int i = 0; i < 7; i++) sum += elsewhere(n); return sum; }
__attribute__((noinline)) static int through(int (*volatile *f)(int), int n) { int sum = 0; for (int i = 0; i < 7; i++) sum += (*f)(n); return sum; }
static int (*volatile pointer)(int) = elsewhere;
int main(void) { return once(9) + often(9) + through(&pointer, 9) < 0; }
EOC
for level in -O0 -O2; do
  compile $level -fcilkprof=count often.c other.c -o often
  profile often
  work=$(field 'once>elsewhere' on_work_top_call_site_work) span=$(field 'once>elsewhere' on_work_top_call_site_span)
  for caller in often through; do
    equal "$level: in $caller, seven times as much as once" "7 $((7 * work)) $((7 * span))" \
      "$(field $caller'>elsewhere' on_work_local_count) $(field $caller'>elsewhere' on_work_top_call_site_work) $(field $caller'>elsewhere' on_work_top_call_site_span)"
  done
done

# A function of the program's own that the compiler takes for the one it knows: its cost is its callers'.
cat >own.c <<'EOC'
#include <stdlib.h>
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x += i; return x; }
__attribute__((noinline)) int twice(int n) { int s = leaf(n); s += leaf(n + 1); return s; }
int main(void) {
  int s = 0;
  for (int i = 0; i < 10; i++) { s += twice(i); char *p = calloc(1, (size_t)s + 1); s += twice(i) + p[0]; s += twice(2); }
  return s < 0;
}
EOC
cat >allocate.c <<'EOC'
#include <stddef.h>
static char arena[1 << 20], *next = arena;
__attribute__((noinline)) static size_t up(size_t n) { volatile size_t m = (n + 15) & ~(size_t)15; return m; }
void *calloc(size_t n, size_t size) { char *p = next; next += up(n * size); return p; }
EOC
for level in -O0 -O2; do
  compile $level -fcilkprof=count own.c allocate.c -o own
  profile own
  equal "$level: a calloc of the program's own" '60 30 0' \
    "$(awk -F, '$6 == "leaf" { leaf += $15 } $6 == "twice" { twice += $15 } $6 == "calloc" || $6 == "up" { own++ } END { print leaf, twice, own + 0 }' sites.csv)"
done

# The verdict: what a library function did is its caller's, what a function of another unit did is its own.
cat >phases.c <<'EOC'
#include <cilk/cilk.h>
#include <stdlib.h>
int elsewhere(int n), a[1000], b[1000];
static int order(const void *x, const void *y) { volatile int k = 0; while (k < 1000) k++; return *(const int *)x - *(const int *)y; }
int main(void) {
  for (int i = 0; i < 1000; i++) a[i] = i * 37 % 1009;
  qsort(a, 1000, sizeof *a, order);
  cilk_for (int i = 0; i < 1000; i++) { volatile int k = 0; while (k < 100000) k++; b[i] = k; }
  return elsewhere(4000000) == 1;
}
EOC
cat >unit.c <<'EOC'
int elsewhere(int n) { volatile int k = 0; while (k < n) k++; return k; }
EOC
compile -O2 -fcilkprof=count phases.c unit.c -o phases
profile phases
cilkprof-report --verdict --processors=16 phases phases.prof | tr '\n' ' ' | tr -s ' ' >got
holds 'the verdict: a library function that calls back is part of its caller' \
  grep -q 'Serial part: the code of .main. itself, .* Of that, .qsort., called at phases.c:7, takes' got
holds 'a function of another unit is serial itself' grep -q 'bottleneck: .elsewhere. takes .* at phases.c:9, .* Parallelise .elsewhere.' got
holds 'what was called back is not named' sh -c '! grep -q order got'

cat >callbacks.c <<'EOC'
#include <search.h>
#include <stdlib.h>
static int keys[64], values[2000];
static int equal(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static int order(const void *x, const void *y) {
  size_t n = 64;
  int *i = lfind(x, keys, &n, sizeof *keys, equal), *j = lfind(y, keys, &n, sizeof *keys, equal);
  return (i > j) - (i < j);
}
int main(void) {
  for (int i = 0; i < 64; i++) keys[i] = i;
  for (int i = 0; i < 2000; i++) values[i] = i * 37 % 64;
  qsort(values, 2000, sizeof *values, order);
  return 0;
}
EOC
compile -O2 -fcilkprof=count callbacks.c -o callbacks
profile callbacks
cilkprof-report --verdict callbacks callbacks.prof | tr '\n' ' ' | tr -s ' ' >got
holds 'calls back within calls back are part of main' grep -q 'the code of .main. itself, .* Of that, .qsort., called at callbacks.c:13,' got
holds 'and not named' sh -c '! grep -q "order\|equal" got'

# Code of the program may run where the compiler takes a call for its caller's own work.  It is then profiled as in a call
# of code without instrumentation: with the same work and span.
# totals: of the whole program.
totals() {
  echo "$(whole Work) $(whole Span) $(whole 'Burdened span') $(whole Spawns)"
}

# A function that is declared to be a leaf, as all of <stdlib.h> are, and is not.
cat >leaf.c <<'EOC'
#include <cilk/cilk.h>
int helper(int) LEAF;
__attribute__((noinline)) int one(int n) { volatile int x = n; return x; }
__attribute__((noinline)) int bare(int n) { return helper(n) + 1; }
__attribute__((noinline)) int f(int n) {
  if (n < 2) return helper(n);
  int a = cilk_spawn f(n - 1);
  int b = f(n - 2) + bare(n);
  cilk_sync;
  return one(a) + helper(b & 3);
}
int main(void) {
  int s = f(6);
  cilk_for (int i = 0; i < 20; i++) s += helper(i & 7);
  return s < 0;
}
EOC
cat >helper.c <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) static int inner(int n) { volatile int x = n; for (int i = 0; i < 3 * n; i++) x += i; return x; }
int helper(int n) { int a = cilk_spawn inner(n); int b = inner(n + 1); cilk_sync; return a + b; }
EOC
for form in inline outline; do
  for level in -O0 '-O2 -flto -fno-inline' ${LONG:+-O2}; do
    compile $level -fcilkprof=count -fcilkprof-$form -D'LEAF=' leaf.c helper.c -o leaf
    profile leaf
    totals >wanted
    compile $level -fcilkprof=count -fcilkprof-$form -D'LEAF=__attribute__((leaf))' leaf.c helper.c -o leaf
    profile leaf
    totals >got
    same "$form $level: a leaf that calls instrumented code costs as much as another function" wanted got
  done
  for mode in hybrid clock whatif; do
    compile -O2 -fcilkprof=$mode -fcilkprof-$form -D'LEAF=__attribute__((leaf))' leaf.c helper.c -o leaf
    CILKPROF_WHATIF=inner CILKPROF_CONTEXTS=1 profile leaf
    equal "$form $mode: a leaf that calls instrumented code" '0 57' "$status $(field '<spontaneous>>helper' on_work_local_count)"
  done
done

# A leaf that writes to a stream whose functions are the program's own; they return, jump, exit, and write to it again.
cat >say.c <<'EOC'
#include <stdarg.h>
#include <stdio.h>
int say(FILE *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int result = vfprintf(to, format, arguments);
  va_end(arguments);
  return result;
}
EOC
gcc -O2 -c say.c -o say.o
cat >stream.c <<'EOC'
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
int say(FILE *, const char *, ...) LEAF;
static FILE *volatile out; /* for a leaf it would be read only once */
static jmp_buf back;
static int how, nested;
__attribute__((noinline)) int one(int n) { volatile int x = n; return x; }
__attribute__((noinline)) int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
static ssize_t put(void *cookie, const char *text, size_t size) {
  (void)cookie, (void)text;
  fib(5);
  if (how == 'j') longjmp(back, 1);
  if (how == 'e') exit(0);
  if (how == 'n' && nested++ < 3) { say(out, "%d\n", nested); one(2); }
  return (ssize_t)size;
}
__attribute__((noinline)) int f(int n) { one(n); int a = cilk_spawn fib(4); say(out, "%d\n", n); cilk_sync; return a + one(n); }
__attribute__((noinline)) int g(int n) { if (!setjmp(back)) return f(n); return one(3); }
__attribute__((noinline)) int h(int n) { if (!setjmp(back)) say(out, "%d\n", n); return one(4); }
int main(int argc, char *argv[]) {
  how = argv[argc - 1][0];
  out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = put});
  setvbuf(out, NULL, _IONBF, 0);
  int s = 0;
  for (int i = 0; i < 5; i++) { nested = 0; s += g(i) + h(i); }
  how = 0;
  cilk_for (int i = 0; i < 20; i++) say(out, "%d\n", i);
  return s < 0;
}
EOC
for form in inline outline; do
  for level in -O2 ${LONG:+-O0}; do
    compile $level -fcilkprof=count -fcilkprof-$form -D'LEAF=' stream.c say.o -o foreign
    compile $level -fcilkprof=count -fcilkprof-$form -D'LEAF=__attribute__((leaf))' stream.c say.o -o quiet
    for how in returns jumps exits nests; do
      profile foreign $how
      totals >wanted
      profile quiet $how
      totals >got
      same "$form $level: a stream's own function $how: work and span as if foreign code had called it" wanted got
    done
  done
  for mode in hybrid clock; do
    compile -O2 -fcilkprof=$mode -fcilkprof-$form -D'LEAF=__attribute__((leaf))' stream.c say.o -o quiet
    for how in returns jumps exits nests; do
      profile quiet $how
      equal "$form $mode: a stream's own function $how" 0 $status
    done
  done
done

# Code without instrumentation that is a leaf, calls back, and throws.
cat >throws.cc <<'EOC'
extern int throws(int) LEAF;
int called_back(int n) { volatile int x = n; for (int i = 0; i < n; i++) x = x + i; return x; }
__attribute__((noinline)) int one(int n) { volatile int x = n; return x; }
__attribute__((noinline)) int catches(int n) {
  try { return throws(n) + one(1); } catch (int e) { return e + one(2); }
}
int main() {
  int s = 0;
  for (int i = 0; i < 9; i++) s += catches(i) + one(3);
  return s < 0;
}
EOC
cat >throw.cc <<'EOC'
int called_back(int);
int throws(int n) { if (called_back(n) > 10) throw n; return n; }
EOC
"$CXX" -O2 -c throw.cc -o throw.o
for form in inline outline; do
  for leaf in '' '__attribute__((leaf))'; do
    c++ -O2 -fcilkplus -fcilkprof=count -fcilkprof-$form -D"LEAF=$leaf" throws.cc throw.o -o throws || give_up 'throws.cc'
    profile throws
    totals >"got${leaf:+.leaf}"
  done
  same "$form: an exception out of a leaf that called back: nothing is lost" got got.leaf
done

# What is to be done at a fork.
cat >forks.c <<'EOC'
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) int one(int n) { volatile int x = n; return x; }
static void at_fork(void) { one(1); one(2); }
__attribute__((noinline)) int f(int n) {
  one(n);
  pid_t child = fork();
  if (!child) _exit(0);
  waitpid(child, NULL, 0);
  return one(n);
}
int main(void) {
  pthread_atfork(at_fork, at_fork, at_fork);
  int s = 0;
  for (int i = 0; i < 3; i++) s += f(i);
  return s < 0;
}
EOC
for form in inline outline; do
  for mode in count hybrid clock; do
    for level in -O2 ${LONG:+-O0}; do
      compile $level -fcilkprof=$mode -fcilkprof-$form -pthread forks.c -o forks
      profile forks
      equal "$form $mode $level: what is done at a fork is profiled" 6 "$(field '<spontaneous>>at_fork' on_work_local_count)"
    done
  done
done

# Below other functions that the compiler knows, the engine knows nothing of the caller.  The profile can be read, and says
# so.
cat >upper.c <<'EOC'
int toupper(int);
__attribute__((noinline)) int one(int n) { volatile int x = n; return x; }
__attribute__((noinline)) int f(int c) { one(1); c = toupper(c); return c + one(2); }
int main(int argc, char *argv[]) { (void)argc; return f(argv[0][0]) + f('x') < 0; }
EOC
cat >toupper.c <<'EOC'
int step(int n);
int toupper(int c) { return step(c); }
EOC
cat >step.c <<'EOC'
__attribute__((noinline)) static int up(int n) { volatile int x = n; return x + 1; }
int step(int n) { return up(n) - up(0); }
EOC
cat >allocates.c <<'EOC'
#include <stdlib.h>
__attribute__((noinline)) int one(int n) { volatile int x = n; return x; }
__attribute__((noinline)) int f(int n) { one(n); char *volatile p = malloc((size_t)n + 1); free(p); return one(n); }
int main(void) { return f(1) + f(2) < 0; }
EOC
cat >manage.c <<'EOC'
#include <stddef.h>
void *take(size_t size);
void *malloc(size_t size) { return take(size); }
void free(void *p) { (void)p; }
EOC
cat >take.c <<'EOC'
#include <stddef.h>
static char arena[1 << 20], *next = arena;
static __attribute__((noinline)) int touch(int n) { volatile int x = n; return x; }
void *take(size_t size) { char *p = next; for (int i = 0; i < 9; i++) touch(i); next += (size + 15) & ~(size_t)15; return p; }
EOC
cat >writes.c <<'EOC'
#define _GNU_SOURCE
#include <stdio.h>
static FILE *out;
__attribute__((noinline)) int one(int n) { volatile int x = n; return x; }
static ssize_t put(void *cookie, const char *text, size_t size) { (void)cookie, (void)text; return (ssize_t)size + one(0); }
__attribute__((noinline)) int f(int n) { one(n); fprintf(out, "%d\n", n); return one(n); }
int main(void) {
  out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = put});
  setvbuf(out, NULL, _IONBF, 0);
  return f(1) + f(2) < 0;
}
EOC
for form in inline outline; do
  for sources in 'upper.c toupper.c step.c' 'allocates.c manage.c take.c' writes.c; do
    name=${sources%%.c*}
    compile -O2 -fcilkprof=count -fcilkprof-$form $sources -o "$name"
    CILKPROF_OUT=$name.prof $RUN "./$name" 2>said
    cilkprof-report --summary -b "$name" "$name.prof" >report 2>&1
    equal "$form: $name.c runs instrumented code where nothing tells: the profile is read, and incomplete" '0 1 1' \
      "$? $(grep -c 'did not finish' report) $(grep -c "^cilkprof: .*/$name.prof: .* seems to call instrumented functions; " said)"
  done
done
finish
