#!/bin/sh
# The parallel algorithms of standard C++ on Cilk's workers: results, exceptions, vector loops, and their profile.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

# Every algorithm gives what the serial one gives, whoever steals.
cp "$TOP/test/include/algorithms.cc" .
file=algorithms.cc
wants '0 differ'
# Half of the program runs in parallel and half is profiled: it is compiled for ten seconds.
half=-DVECTORS other=-DNO_VECTORS
[ -z "$LONG" ] || half='' other=''
if compiled 'algorithms, in parallel' -std=c++17 -O1 -fcilkplus $other; then
  for workers in 8 ${LONG:+1 2}; do
    (export CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers; run_prints '' >/dev/null)
    same "algorithms on $workers workers are what the serial ones are" wanted got
  done
fi
compiled 'algorithms, profiled' -std=c++17 -O1 -fcilkplus -fcilkprof=count $half &&
  run_prints 'algorithms in a profile are what the serial ones are'
if [ -n "$LONG" ] && compiled 'algorithms, with a sanitizer' -std=c++17 -O1 -fcilkplus -fsanitize=address,undefined; then
  (export CILK_NWORKERS=8 CILKPROF_FORCE_STEALS=8; run_prints '' >/dev/null)
  same 'algorithms make and destroy objects as often' wanted got
fi
# TBB need not be there, and is not used where it is.
c++ -std=c++17 -fcilkplus -M algorithms.cc >depends 2>said
holds 'no header of TBB is included' sh -c 'grep -q parallel_backend_cilk depends && ! grep -q tbb depends'

# The policies are known however the headers are ordered, to all standards that have them.
for first in '<execution>' '<algorithm>' '<numeric>'; do
  printf '#include %s\n' "$first" '<execution>' '<algorithm>' '<numeric>' >order.cc
  echo 'int sum(int *a) { std::sort(std::execution::par, a, a + 9); return std::reduce(std::execution::par, a, a + 9); }' >>order.cc
  for standard in c++17 c++20; do
    ! in_turn 2 || holds "$first first, $standard" c++ -std=$standard $warnings -fcilkplus -fsyntax-only order.cc
  done
done
printf '#include <execution>\nint one;\n' >old.cc
holds '<execution> in an older standard is what it was' c++ -std=c++14 $warnings -fcilkplus -fsyntax-only old.cc

# An exception ends the program, whichever it is: the standard has it so.
cat >throws.cc <<'EOC'
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <execution>
#include <stdexcept>
#include <vector>
int main() {
  std::set_terminate([] {
    std::puts("terminated");
    std::fflush(stdout);
    std::_Exit(5);
  });
  std::vector<int> v(1000, 1);
  try {
    std::sort(std::execution::par, v.begin(), v.end(), [&](int x, int y) {
      if (&x != &y)
        throw std::runtime_error("no order");
      return x < y;
    });
  } catch (const std::runtime_error &) {
    std::puts("caught");
  }
}
EOC
for options in -fcilkplus '-fcilkplus -fcilkprof=count'; do
  file=throws.cc
  compiled "throws.cc $options" -std=c++17 -O1 $options || continue
  printf '%s\n' terminated 'status 5' >wanted
  run_prints "exceptions with $options"
done

# A policy that allows vectors has loops of vectors, where the compiler makes none by itself; the other has none.
cat >vectors.cc <<'EOC'
#include <algorithm>
#include <execution>
#include <vector>
void add(std::vector<float> &v) {
  std::for_each(std::execution::POLICY, v.begin(), v.end(), [](float &x) { x += 1; });
}
EOC
for options in -fcilkplus '-fcilkplus -fcilkprof' ${LONG:+''}; do
  for policy in par_unseq par; do
    c++ -std=c++17 -O1 -fopenmp-simd -DPOLICY=$policy $options -fopt-info-vec-optimized -c vectors.cc -o vectors.o 2>vectors.said
    found=$(grep -c 'loop vectorized' vectors.said)
    case $policy in par_unseq) expected='> 0' ;; *) expected='== 0' ;; esac
    true_that "vectors of $policy ${options:-without us}: $found" "$found $expected"
  done
done

# What the report says of them: the names that the program uses, at its lines, and how parallel each is.
cat >names.cc <<'EOC'
#include <algorithm>
#include <cstdio>
#include <execution>
#include <numeric>
#include <vector>
using std::execution::par;
int main() {
  std::vector<long> a(100000), b(a.size()), c(2 * a.size());
  std::vector<double> d(a.size()), e(a.size());
  for (unsigned long i = 0, x = 1; i < a.size(); i++)
    a[i] = (long)((x = x * 6364136223846793005 + 1442695040888963407) >> 33), d[i] = (double)a[i];
  std::for_each(par, a.begin(), a.end(), [](long &x) { x |= 1; });
  long sum = std::reduce(par, a.begin(), a.end());
  sum += std::count_if(par, a.begin(), a.end(), [](long x) { return x % 3 == 0; });
  std::inclusive_scan(par, a.begin(), a.end(), c.begin());
  std::exclusive_scan(par, d.begin(), d.end(), e.begin(), 0.0);
  std::sort(par, a.begin(), a.end());
  std::stable_sort(par, c.begin(), c.begin() + 50000, [](long x, long y) { return x % 1000 < y % 1000; });
  std::partial_sort(par, d.begin(), d.begin() + 1000, d.end());
  std::iota(b.begin(), b.end(), a[0] + 1);
  std::merge(par, a.begin(), a.end(), b.begin(), b.end(), c.begin(), [](long x, long y) { return x % 2 < y % 2; });
  std::set_union(par, a.begin(), a.end(), a.begin() + 50000, a.end(), c.begin());
  std::partition(par, a.begin(), a.end(), [](long x) { return x % 3 == 0; });
  std::unique(par, a.begin(), a.end());
  std::printf("%d\n", sum != 0);
}
EOC
file=names.cc
compiled 'names.cc' -std=c++17 -O2 -g -fcilkplus -fcilkprof=count
profile names
cilkprof-report -b --sites names names.prof >sites
while read -r name line least; do
  # Its row has the line, and before that the kind, the number of calls, and the parallelism on the work.
  row=$(awk -v name="std::$name" '$NF == name && $(NF - 2) == "main" { print $(NF - 3), $(NF - 6) }' sites)
  equal "std::$name is at the line that calls it" "names.cc:$line" "${row% *}"
  true_that "std::$name is parallel" "${row#* } >= $least"
done <<'END_OF_NAMES'
for_each 12 100
reduce 13 100
count_if 14 100
inclusive_scan 15 100
exclusive_scan 16 100
sort 17 100
stable_sort 18 100
partial_sort 19 20
merge 21 100
set_union 22 20
partition 23 100
unique 24 100
END_OF_NAMES

# One slow element: the verdict says which algorithm has it, and where the program calls that.
cat >slow.cc <<'EOC'
#include <algorithm>
#include <execution>
#include <vector>
static int spin(int n) {
  volatile int x = 0;
  for (int i = 0; i < n; i++)
    x = x + i;
  return x;
}
int main() {
  std::vector<int> v(2000);
  for (int i = 0; i < 2000; i++)
    v[i] = i;
  std::for_each(std::execution::par, v.begin(), v.end(), [](int &x) { x = spin(x == 1500 ? 300000 : 100); });
}
EOC
file=slow.cc
compiled 'slow.cc' -std=c++17 -O2 -g -fcilkplus -fcilkprof=count
CILKPROF_OUT=slow.prof $RUN ./slow
cilkprof-report --verdict --processors=16 slow slow.prof | tr -s ' \n' ' ' >got
holds 'the verdict names the algorithm, at the line that calls it' \
  grep -q 'longest of the [0-9]* chunks of std::for_each at slow.cc:14 takes [6-9][0-9]% of its work' got

# Too few elements for many processors, and each takes long: the verdict speaks of the sort as the program calls it.
cat >few.cc <<'EOC'
#include <algorithm>
#include <execution>
#include <vector>
int main() {
  std::vector<int> v(1000);
  for (int i = 0; i < 1000; i++)
    v[i] = i * 7919 % 1009;
  std::sort(std::execution::par, v.begin(), v.end(), [](int x, int y) {
    volatile int waste = 0;
    for (int i = 0; i < 1000; i++)
      waste = waste + i;
    return x < y;
  });
}
EOC
file=few.cc
compiled 'few.cc' -std=c++17 -O2 -g -fcilkplus -fcilkprof=count
CILKPROF_OUT=few.prof $RUN ./few
cilkprof-report --verdict --processors=16 few few.prof | tr -s ' \n' ' ' >got
holds 'the verdict names the sort, at the line that calls it' grep -q "'std::sort', called at few.cc:8" got
holds 'and nothing of what the library is made of' sh -c '! grep __pstl got'
finish
