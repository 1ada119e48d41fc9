#!/bin/sh
# GCC's own checks of its inner state find nothing to complain of, at every level of optimisation and in every mode.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/cc/lib.sh"

mkdir plain plain/cilk
printf '#define cilk_spawn\n#define cilk_sync ((void)0)\n#define cilk_for for\n' >plain/cilk/cilk.h
cat >mixed.cc <<'EOC'
#include <cilk/cilk.h>
#include <map>
#include <string>
#include <vector>
#include <algorithm>
struct S { std::string name; S(int n) : name(n, 'x') {} virtual ~S() {} virtual int size() const { return name.size(); } };
template <class T> T add(T a, T b) { T c = cilk_spawn std::max(a, b); T d = std::min(a, b); cilk_sync; return c + d; }
int collect(const std::vector<S *> &all) {
  std::map<int, int> sizes;
  for (const S *s : all) { int n = cilk_spawn s->size(); sizes[n]++; }
  cilk_sync;
  cilk_for (unsigned i = 0; i < all.size(); i++) if (all[i]->size() > 3) throw i;
  return add(sizes.begin()->first, 3);
}
int main() { std::vector<S *> v; v.push_back(new S(2)); return collect(v) != 5; }
EOC
cat >openmp.cc <<'EOC'
#include <omp.h>
#include <string>
#include <vector>
struct text { std::string all; text &operator+=(const text &more) { all += more.all; return *this; } };
#pragma omp declare reduction(join : text : omp_out += omp_in)
static omp_lock_t lock;
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a) final(n < 5)
  a = fib(n - 1);
#pragma omp task shared(b) untied
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
int main() {
  std::vector<int> v(100);
  std::string name = "x";
  text joined;
  int sum = 0, last = 0, counts[4] = {0}, chain = 0;
  omp_init_lock(&lock);
#pragma omp parallel for schedule(guided) reduction(+ : sum) reduction(join : joined) lastprivate(last) collapse(2)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < 10; j++) {
      sum += v[i * 10 + j] = j;
      joined.all += 'y';
      last = i + j;
#pragma omp atomic
      counts[j & 3]++;
#pragma omp critical (one)
      chain++;
      omp_set_lock(&lock);
      chain++;
      omp_unset_lock(&lock);
    }
#pragma omp parallel
  {
#pragma omp for nowait ordered schedule(dynamic)
    for (int i = 0; i < 10; i++) {
#pragma omp ordered
      chain++;
    }
#pragma omp sections
    {
#pragma omp section
      sum++;
#pragma omp section
      last++;
    }
#pragma omp single
    {
#pragma omp taskgroup
      for (int i = 0; i < 3; i++)
#pragma omp task firstprivate(name) depend(inout : chain)
        chain += name.size();
#pragma omp taskloop grainsize(3) nogroup
      for (int i = 0; i < 10; i++) {
#pragma omp atomic
        chain++;
      }
    }
  }
  return fib(10) != 55 || sum != 451 || joined.all.size() != 100 || last < 0;
}
EOC
c++ -O1 -fopenmp -fcilkprof openmp.cc -o openmp
holds 'the program of OpenMP' ./openmp
# checked LEVEL MODE...: every tenth of the programs with each level and mode, others in turn; with LONG all of them.
# Where one is not silent, gcc itself must say the same of it.
turn=0
checked() {
  level=$1
  shift
  for mode; do
    turn=$((turn + 1))
    : >wanted
    : >got
    chosen=$(printf '%s\n' "$programs"/*.c *.cc | awk -v turn=$turn -v long="$LONG" 'long || (NR + 3 * turn) % 10 == 0')
    for source in $chosen; do
      case $source in *.c) compiler=cc ;; *) compiler=c++ ;; esac
      case $source in openmp.cc) language=-fopenmp ;; *) language=-fcilkplus ;; esac
      $compiler $level -fchecking $language -fcilkprof=$mode -Wall -Wextra -c "$source" -o checked.o >said 2>&1 ||
        echo 'it does not compile' >>said
      [ -s said ] || continue
      cat said >>got
      $compiler $level ${language#-fcilkplus} -Iplain -Wall -Wextra -c "$source" -o checked.o >>wanted 2>&1
    done
    same "$mode $level: only the warnings of gcc itself" wanted got
  done
}
checked -O0 hybrid count clock
checked '-O2 -g' hybrid count clock whatif
for level in -O1 -O2 -O3 -Os -Og '-O2 -fPIC' '-O3 -march=native'; do
  checked "$level" hybrid
done
finish
