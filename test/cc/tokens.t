#!/bin/sh
# Whatever is wrong with the tokens of a program, the compiler reports errors and does not crash: some of many mutations.
# MUTANTS=10000 tries more of them, from SEED=1 on; what fails is kept in the folder KEEP.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

# C++ without headers, which take long.
cat >small.cc <<'EOC'
#include <cilk/cilk.h>
int f(int); int f(double); void g(int *); int *h(int, ...);
template <class T> struct pair { T a, b; T *begin() { return &a; } T *end() { return &b + 1; } };
struct S { S(int = 0); S(const S &); ~S(); S make(int) const; int value; operator int() const; S &operator+=(int); };
namespace n { template <int N> int t(pair<int> &p) { if constexpr (N > 1) p.a = cilk_spawn f(N); cilk_sync; return p.b; } }
template <class T, class F> T apply(T x, F all) {
  T y = cilk_spawn all(x), z;
  cilk_spawn { z = all(y); }
  cilk_sync;
  return y + z;
}
constexpr int square(int x) { return x * x; }
struct D : S { int k = square(3); D(int n) : S(n) { cilk_spawn g(&k); cilk_scope { cilk_spawn f(k); } } ~D() { cilk_sync; } };
#define SPAWN(x, ...) x = cilk_spawn f(__VA_ARGS__)
int main(int argc, char **argv) {
  pair<int> p = {1, 2}, *q = &p;
  int a[10] = {0}, x = cilk_spawn f(cilk_spawn f(3) + 1), (*call)(int) = f;
  S s = cilk_spawn S(argc).make(2), t(cilk_spawn s.make(3));
#pragma cilk grainsize = argc + 1
  cilk_for (int i = 0; i < 10; i++) a[i] = f(i);
  cilk_for (int &each : p) each += cilk_spawn call(x);
  cilk_for (char *c = argv[0]; c != argv[1]; ++c) { if (*c) continue; auto l = [=, &x] { return x + *c; }; x = cilk_spawn l(); }
  auto sum = [&](auto y) { int z = cilk_spawn f(y); cilk_sync; return z; };
  try { cilk_spawn s.make(cilk_spawn f(1)); cilk_scope { cilk_spawn h(x, 2.0, s)[0]; throw 3; } }
  catch (int e) { cilk_spawn g(&e); cilk_sync; }
  SPAWN(a[1], x); SPAWN(q->a, (1, 2));
  cilk_spawn a[2] = f(a[3]);
  if (x) s += cilk_spawn n::t<3>(p); else cilk_sync;
  switch (argc) { case 1: cilk_spawn g(a); break; default: cilk_sync; }
  D d(x);
  cilk_sync;
  return apply(x, sum) + s + t + ({ cilk_spawn g(&x); cilk_sync; x; });
}
EOC

: "${MUTANTS=50}" "${SEED=1}"
language=$TOP/test/parallel/language forms=$TOP/test/cc/forms
set -- "$language/blocks.c" "$forms/loops.c" small.cc "$language/opencilk.c" "$forms/spawns.c" small.cc "$language/loops.c" \
  "$language/spawns.c" small.cc "$language/pedigrees.c"
per=$((MUTANTS / $#)) number=0
: >crashed
for program; do
  number=$((number + 1))
  case $program in *.c) suffix=.c ;; *) suffix=.cc ;; esac
  for run in 0 1 2 3 4; do
    awk -v seed=$((SEED * 1000 + number * 10 + run)) -v count=$((per / 5)) -v prefix="$number-$run-" -v suffix=$suffix \
      -f "$TOP/test/cc/mutate.awk" "$program"
    case $run in
    0) options=-fcilkplus ;;
    1) options='-fcilkplus -fcilkprof' ;;
    2) options='-fcilkplus -fcilkprof=parallel' ;;
    3) options='-fcilkplus -x c++ -std=gnu++20' ;;
    *) options='-fcilkplus -save-temps=obj' ;;
    esac
    case $suffix in .c) compiler=cc ;; *) compiler='c++ -std=gnu++20' ;; esac
    for mutant in "$number-$run-"*$suffix; do
      echo "$mutant" >>tried
      timeout 100 $compiler $options -w -O0 -I"$language" -c "$mutant" -o mutant.o >said 2>&1
      status=$?
      # Plain errors are status 1.  What GCC cannot say, another line of it says for it.
      if [ $status -gt 1 ] || grep -qi 'internal compiler error\|confused by earlier\|bug report\|error:.*__cilkprof' said; then
        { echo "$mutant, $options, seed $((SEED * 1000 + number * 10 + run)): status $status"; head -n 4 said; } >>crashed
        [ -z "${KEEP-}" ] || cp "$mutant" "$KEEP/$SEED-$mutant"
      fi
    done
    rm -f "$number-$run-"* mutant.*
  done
done
holds "errors are errors in $(wc -l <tried) mutations" test ! -s crashed
[ ! -s crashed ] || fail 'what crashed' crashed

# What they found: GCC printed the type of a reducer in a message for ever.
cat >reducer.cc <<'EOC'
#include <cilk/cilk.h>
void zero(void *);
void plus(void *, void *);
void add(long cilk_reducer(zero, plus) *to) { **to += 1; }
EOC
timeout 100 c++ -fcilkplus -c reducer.cc >said 2>&1
holds 'a wrong use of a reducer is an error' test $? = 1
rejects 'its type is named' '4:[0-9]*' "have 'long int')" reducer.cc -fcilkplus
finish
