#!/bin/sh
# Copies without events: in a reference run every function is one, whichever way it is reached, and computes the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

# Who calls it, by an address; without instrumentation.
cat >here.c <<'EOC'
#include <stdio.h>
void here(const char *name) { fprintf(stderr, "%s %llx\n", name, (unsigned long long)__builtin_return_address(0)); }
EOC
cat >here.h <<'EOC'
#ifdef __cplusplus
extern "C"
#endif
void here(const char *name);
#define KEEP __attribute__((noinline))
EOC
gcc -O2 -fno-pie -c here.c

cat >ways.cc <<'EOC'
#include <cilk/cilk.h>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include "here.h"
struct Big { long v[8]; };
struct Pair { long a, b; };
KEEP static int local(int n) { here("local"); return n * 3; }
KEEP Big big(int n) { here("big"); Big b{}; b.v[3] = local(n); return b; }
KEEP Pair pair_of(long n) { here("pair"); return {n, n + 1}; }
KEEP std::string text(std::string a) { here("text"); return a + "x"; }
KEEP __attribute__((noclone)) long sum(Big b) { here("noclone"); return b.v[3]; }
KEEP int many(int n, ...) { here("varargs"); va_list l; va_start(l, n); n += va_arg(l, int); va_end(l); return n; }
static jmp_buf place;
KEEP static void jumps(int n) { here("longjmp"); if (n > 2) longjmp(place, n); }
KEEP int sets(int n) { volatile int k = n; int r = setjmp(place); here("setjmp"); if (r) return r + k; jumps(n); return -k; }
KEEP int throws(int n) { here("throws"); if (n > 3) throw std::runtime_error(std::to_string(n)); return n; }
KEEP int catches(int n) {
  here("catches");
  try { return throws(n) + cilk_spawn local(n); } catch (const std::exception &e) { return atoi(e.what()) * 10; }
}
struct A { virtual ~A() {} virtual int f(int n) = 0; long pad[2]; };
struct B { virtual ~B() {} virtual int g(int n) = 0; };
struct C : A, B {
  int f(int n) override { here("virtual"); return n * 2; }
  int g(int n) override { here("thunk"); return n * 3; }
};
KEEP A *a_of(C *c) { return c; }
KEEP B *b_of(C *c) { return c; }
static int total;
struct Early { KEEP Early() { here("static-constructor"); total = 7; } ~Early() { here("static-destructor"); } } early;
__attribute__((constructor)) KEEP static void before() { here("constructor"); total += 1; }
static int less(const void *a, const void *b) { here("callback"); return *(const int *)a - *(const int *)b; }
extern "C" KEEP int target(int n) { here("alias"); return n + 1; }
extern "C" int other(int n) __attribute__((alias("target")));
extern "C" KEEP __attribute__((weak)) int weak_one(int n) { here("weak"); return n + 5; }
template <class T> KEEP T twice(T t) { here("template"); return t + t; }
KEEP long fib(long n) { if (n < 2) { here("fib"); return n; } long x = cilk_spawn fib(n - 1), y = fib(n - 2); cilk_sync; return x + y; }
int (*volatile pointer)(int) = local;
int main(int argc, char **) {
  here("main");
  int n = argc + 4, s = 0, v[] = {5, 3};
  qsort(v, 2, sizeof *v, less);
  C c;
  auto lambda = [&](int k) { here("lambda"); return k + n; };
  cilk_for (int i = 0; i < 2; i++) s += lambda(i);
  cilk_scope { s += cilk_spawn lambda(3); }
  std::printf("%ld %ld %s %d %d %d %d %d %d %d %d %d %d %d %d %d %ld %d\n", sum(big(n)), pair_of(n).b, text("y").c_str(),
              many(3, 1), sets(n), sets(1), catches(2), catches(n), a_of(&c)->f(n), b_of(&c)->g(n), total, v[0], other(4),
              weak_one(2), twice(n), s, fib(3), pointer(n));
}
EOC

# calls PROGRAM: what it says on standard error, with the symbols of the functions that called.
calls() {
  nm -n "$1" | awk '$2 ~ /[tTwWV]/ { print $1, $3 }' >symbols
  perl -e '
    open my $f, "<", "symbols"; my @s = map { [split] } <$f>;
    while (<STDIN>) {
      my ($name, $at) = split; my $found = "";
      for (@s) { last if hex($_->[0]) > hex($at); $found = $_->[1] }
      print "$name ", $found =~ /\.bare\.\d+$/ ? "bare" : "instrumented", "\n";
    }' <said | sort -u >called
}

for options in -O0 -O2 '-O3 -g -fcilkprof-inline' \
  ${LONG:+'-O2 -flto' '-O3 -g' -Os '-O2 -fno-optimize-sibling-calls' '-O2 -fcilkprof-inline' \
  '-O2 -fcilkprof-outline'}; do
  for mode in hybrid clock; do
    in_turn 2 || continue
    plain=$(echo "$options" | sed 's/-fcilkprof-[a-z]*//')
    c++ $plain -no-pie -fcilkplus=serial ways.cc here.o -o plain && ./plain >wanted 2>said
    c++ $options -fchecking -no-pie -fcilkplus -fcilkprof=$mode ways.cc here.o -o ways >compiler-said 2>&1 ||
      fail "$mode $options: it is compiled" compiler-said
    CILKPROF_REFERENCE_TO=0:none ./ways >got 2>said
    same "$mode $options: what it computes" wanted got
    calls ways
    grep -v ' bare$' called >said
    same "$mode $options: every function is bare" /dev/null said
    equal "$mode $options: all were there" 22 "$(wc -l <called)"
    ./ways >got 2>said
    same "$mode $options: with events" wanted got
    CILKPROF_FOLLOW=1 ./ways 2>said >/dev/null
    calls ways
    grep -v ' instrumented$' called >said
    same "$mode $options: then no function is bare" /dev/null said
    # An address of which only the page is loaded is shown as that of whatever is there.  A copy that begins anew with
    # events, because it is about to spawn, says so; in a reference run none does.
    objdump -d --no-show-raw-insn ways |
      awk '/^[0-9a-f]+ </ { bare = /\.bare\./ } bare && $2 != "adrp" && /<__cilkprof_/ { print }' |
      grep -v '<__cilkprof_o_begin_anew>$' >said
    same "$mode $options: no events in the copies" /dev/null said
  done
done
cilkprof-report -z ways >said
holds 'the report does not show copies' sh -c '! grep -q "[.]bare" said'


# What cannot be copied stays instrumented, and harmless; what it calls is bare again.
cat >odd.c <<'EOC'
#include <stdarg.h>
#include <stdio.h>
#include "here.h"
KEEP static int leaf(int n) { here("leaf"); return n + 1; }
KEEP static int deep(int n) { here("deep"); return n ? deep(n - 1) + leaf(n) : 0; }
KEEP static int jumps(int n) {
  static const void *const labels[] = {&&even, &&odd};
  here("labels");
  goto *labels[n & 1];
even:
  return deep(n);
odd:
  return leaf(n);
}
KEEP static int symbol(int n) { here("symbol"); __asm__ volatile("a_symbol_of_its_own:"); return leaf(n); }
KEEP int many(int n, ...) { here("varargs"); va_list l; va_start(l, n); n += leaf(va_arg(l, int)); va_end(l); return n; }
int (*volatile through)(int, ...) = many;
KEEP static int nested(int n) {
  KEEP int inner(int k) { here("inner"); return k + n + leaf(k); }
  return inner(2);
}
int main(void) { printf("%d %d %d %d %d\n", jumps(4), jumps(3), symbol(2), through(1, 2), nested(3)); return 0; }
EOC
for options in =count =whatif ' -fcilkprof-no-reference' ' -fcilkprof-callbacks' ''; do
  compile -O2 -fcilkprof$options -c odd.c
  case $options in '') copies='> 0' ;; *) copies='== 0' ;; esac
  true_that "-fcilkprof$options: whether there are copies" "$(nm odd.o | grep -c '\.bare\.') $copies"
done
for options in -O0 '-O3 -flto' ${LONG:+-O2}; do
  gcc $options -no-pie odd.c here.o -o plain && ./plain >wanted 2>said
  compile $options -no-pie -fcilkprof=hybrid odd.c here.o -o odd
  CILKPROF_REFERENCE_TO=0:none ./odd >got 2>said
  same "$options: functions that cannot be copied" wanted got
  calls odd
  sort >wanted <<'END'
deep bare
inner bare
labels instrumented
leaf bare
symbol instrumented
varargs instrumented
END
  same "$options: only these are instrumented" wanted called
done
rm -f cilkprof.out*
CILKPROF_REFERENCE_TO=0:none ./odd >got 2>said
equal 'they leave nothing behind' '' "$(ls | grep cilkprof.out)"

# Every kind of parameter and result is passed on: a function that is called by a pointer goes on in its copy.
cat >kinds.c <<'EOC'
#include <stdio.h>
#include <string.h>
#include "here.h"
typedef int vector __attribute__((vector_size(16)));
struct small { char a[3]; };
union either { double d; long l; };
KEEP double old(f, c, s, d, p) float f; char c; short s; double d; char *p; { return f * 2 + c + s + d + strlen(p); }
KEEP _Bool mixed(_Bool a, unsigned char b, signed char c, short d, float e, long double g) { return a && b + c + d + e + g > 3; }
KEEP _Complex double complex_one(_Complex double z, _Complex float y) { return z * y; }
KEEP vector vectors(vector a, vector b) { return a + b; }
KEEP struct small small(struct small x) { x.a[1]++; return x; }
KEEP union either either(union either x) { x.l++; return x; }
KEEP __int128 wide(__int128 a, char b) { return a + b; }
KEEP int addressed(int n) { int *volatile p = &n; *p += 2; return n; }
#define THROUGH(function) __typeof__(&function) volatile p_##function = function
int main(void) {
  double (*volatile p_old)() = (double (*)())old;
  THROUGH(mixed);
  THROUGH(complex_one);
  THROUGH(vectors);
  THROUGH(small);
  THROUGH(either);
  THROUGH(wide);
  THROUGH(addressed);
  vector v = p_vectors((vector){1, 2, 3, 4}, (vector){5, 6, 7, 8});
  _Complex double z = p_complex_one(1 + 2i, 3 - 1i);
  printf("%g %d %g %g %d %s %ld %ld %d\n", p_old(1.5f, 'a', 3, 2.5, "four"), p_mixed(1, 200, -100, 5, 1.5f, 2.5L), __real__ z,
         __imag__ z, v[3], p_small((struct small){"ab"}).a, p_either((union either){.l = 4}).l, (long)p_wide(5, -3), p_addressed(4));
  return 0;
}
EOC
for options in -O0 -O2 ${LONG:+'-O2 -fno-optimize-sibling-calls'}; do
  options="-std=gnu17 $options" # later ones know no functions without a prototype
  gcc -w $options kinds.c -o plain && ./plain >wanted
  compile -w -fchecking $options -fcilkprof=hybrid kinds.c -o kinds
  CILKPROF_REFERENCE_TO=0:none ./kinds >got 2>said
  same "$options: parameters and results" wanted got
done
cat >passes.cc <<'EOC'
#include <cstdio>
#include <stdexcept>
__attribute__((noinline)) int throws(int n) { if (n > 3) throw std::runtime_error("four"); return n; }
struct Noise { ~Noise() { std::puts("left"); } };
int (*volatile pointer)(int) = throws;
__attribute__((noinline)) int between(int n) { Noise noise; return pointer(n); }
int main() {
  try { between(4); } catch (const std::exception &e) { std::puts(e.what()); }
  return between(3) != 3;
}
EOC
printf '%s\n' left four left >wanted
for options in -O0 -O2 ${LONG:+'-O2 -fno-optimize-sibling-calls'}; do
  c++ $options -fcilkplus -fcilkprof=hybrid passes.cc -o passes
  CILKPROF_REFERENCE_TO=0:none ./passes >got 2>said
  same "$options: exceptions pass" wanted got
done

# A library that is loaded later, with a function that others may replace.
cat >library.c <<'EOC'
#include "here.h"
KEEP static int inside(int n) { here("inside"); return n + 1; }
KEEP int replaced(int n) { here("replaced"); return inside(n); }
int entry(int n) { here("entry"); return inside(n) + replaced(n); }
EOC
cat >loads.c <<'EOC'
#include <dlfcn.h>
#include <stdio.h>
#include "here.h"
int main(void) {
  void *library = dlopen("./liblate.so", RTLD_NOW);
  int (*entry)(int) = (int (*)(int))dlsym(library, "entry");
  int value = entry(3);
  dlclose(library);
  printf("%d\n", value);
  return 0;
}
EOC
# Its functions begin at pages of their own, so that the low bits of an address tell them.
compile -O2 -shared -fPIC -falign-functions=512 -fcilkprof=hybrid library.c -o liblate.so
compile -O2 -no-pie -fcilkprof=hybrid -rdynamic loads.c here.o -o loads -ldl
echo 8 >wanted
for run in bare instrumented; do
  rm -f cilkprof.out*
  [ $run = instrumented ] || export CILKPROF_REFERENCE_TO=0:none
  ./loads >got 2>said
  unset CILKPROF_REFERENCE_TO
  same "$run: a library that is loaded" wanted got
  equal "$run: its profile" $([ $run = bare ] && echo 0 || echo 1) "$(ls | grep -c '^cilkprof.out$')"
  perl -e '
    my %at = map { my ($a, undef, $n) = split; (hex($a) & 0xe00, $n) } grep { / (entry|inside|replaced)(\.bare\.\d+)?$/ } `nm liblate.so`;
    while (<STDIN>) { my ($name, $at) = split; print "$name ", $at{hex($at) & 0xe00} // "?", "\n" }' <said |
    sed 's/\.bare\.[0-9]*$/ bare/' | sort -u >called
  [ $run = instrumented ] || printf '%s\n' 'entry entry bare' 'inside inside bare' 'replaced replaced bare' >which
  [ $run = bare ] || printf '%s\n' 'entry entry' 'inside inside' 'replaced replaced' >which
  same "$run: its functions" which called
done
finish
