#!/bin/sh
# Whose code it is: findings, what-ifs and annotated sources are about the user's, not about that of libraries.  And
# names, of which C++ has long ones and many.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

PATH=$BUILD_DIR/lib/cilkprof/bin:$BUILD_DIR/bin:$PATH
# has NAME PATTERN, lacks NAME PATTERN: what was got.
has() {
  if grep -q -e "$2" got; then pass "$1"; else fail "$1" got; fi
}
lacks() {
  if grep -q -e "$2" got; then fail "$1" got; else pass "$1"; fi
}

joined() { # what is read, in one line
  tr '\n' ' ' | tr -s ' '
  echo
}

# The tracer as a makefile in a folder of its own builds it, with names that are not whole.
mkdir source elsewhere
cp "$TOP/test/report/tracer.cc" source
(cd source && c++ -g -O1 -fcilkplus -fcilkprof=count tracer.cc -o ../tracer) && ./tracer 2000 8 >result ||
  give_up 'the tracer runs'
line() { # TEXT: where the tracer has it
  grep -nF -e "$1" source/tracer.cc | sed 's/:.*//'
}

# Names.
report_names() { # OPTION...: the functions of the flat profile
  "$report" -b -p "$@" tracer | sed '1,/^ time/d' | cut -c 80-
}
report_names >got
has 'short template arguments tell functions apart' '^Tree<Sphere, double>::build$'
has 'of long ones the word that differs' '^std::__introsort_loop \[double\]$'
has 'loops of one line by the functions that they are in' "^cilk_for tracer.cc:$(line cilk_for) \\[float\\]\$"
lacks 'no name is long' '^.\{60\}'
sort got | uniq -d >twice
same 'none is there twice' /dev/null twice
"$report" -b -q tracer >got
has 'the call graph has the same' '^\[.*  std::__introsort_loop \[double\] \[[0-9]*\]$'
has 'its index' ' \[[0-9]*\] std::__introsort_loop \[float\]$'
lacks 'and no other' 'allocator'
"$report" -b -C tracer >got
has 'the execution counts' '(Tree<Sphere, float>::build -> Tree<Sphere, float>::order) '
lacks 'have no other' 'allocator'
"$report" -b --diff tracer:cilkprof.out tracer:cilkprof.out >got
lacks 'nor has a difference' 'allocator'
report_names '-pstd::__introsort_loop [double]' >got
echo 'std::__introsort_loop [double]' >wanted
same 'a function is found by what is shown' wanted got
report_names --full-names >got
has '--full-names' '^void std::__introsort_loop<.*std::allocator<Sphere<double> >.*(.*)$'

# Where one word is not enough.
cat >stores.cc <<'EOC'
#include <memory>
template <typename Real> struct Sphere { Real x, y, z, radius; };
namespace std { // as one of the library's
template <typename Value, typename Allocator> struct _Store {
  Value *values;
  __attribute__((noinline)) explicit _Store(int n) : values(Allocator().allocate(n)) {
    for (int i = 0; i < n; i++) values[i] = Value();
  }
};
}
template <typename Value> void store() { std::_Store<Value, std::allocator<Value>> made(100); }
int main() {
  store<float>(), store<double>(), store<Sphere<float>>(), store<Sphere<double>>();
}
EOC
c++ -g -O1 -fcilkplus -fcilkprof=count stores.cc -o stores && CILKPROF_OUT=stores.out ./stores || give_up 'the stores run'
"$report" -b -p stores stores.out >got
has 'a word that differs' ' std::_Store::_Store \[float\]$'
has 'and the next where there are more' ' std::_Store::_Store \[Sphere, float\]$'

# What limits it.
"$report" --verdict --processors=8 tracer | joined >got
has 'the bottleneck is in the program' \
  "bottleneck: 'Tree<Sphere, double>::build', with its callees, takes .* 'main' calls it at tracer.cc:"
lacks 'not in a header' '\.h:\|\.tcc:'
lacks 'a library that only calls back is not to be replaced' "with something parallel"

# What-if, from another folder: the printed commands run there as they are.
build_call=tracer.cc:$(line 'tree.build(scene, 0)')
sort_call=tracer.cc:$(line 'order(shapes, axis);')
cd elsewhere || exit 1
echo 'int main() { return 1; }' >tracer.cc # which is another one
"$report" --whatif=auto --processors=64 ../tracer ../cilkprof.out >commands
sed -n 's/.* --whatif=\([^ ]*\).*/\1/p' commands | tr ',' '\n' >got
has 'what the verdict names is asked for first' "^$build_call\$"
has 'and what holds most of it' "^$sort_call\$"
grep -v '^tracer.cc:[0-9]*\(:[0-9]*\)*$' got >others
same 'nothing in headers is' /dev/null others
cp commands got
has 'the number of processors is that which was asked for' '^cilkprof report --whatif --processors=64 '
sh commands >got 2>errors
has 'the commands work' "^  $build_call: "
"$report" --whatif=auto ../tracer ../cilkprof.out >got
lacks 'no number is made up' processors

# Places in headers of the system come with the line of the program that leads to them.
"$report" --sites ../tracer ../cilkprof.out >got
has 'a place in the standard library, with the line of the user' '  tracer.cc:[0-9]* (stl_algo.h:[0-9]*)  std::__introsort_loop'
lacks 'a line of the user stays as it is' 'tracer.cc:[0-9]* (tracer.cc'
has 'which is explained' 'place  .*of a call in a library the line of the program that leads to it'
"$report" --screen ../tracer ../cilkprof.out >got
lacks 'on the screen, where both do not fit,' 'stl_[a-z]*\.h:'
has 'only that of the user, with a mark' '  tracer.cc:[0-9]*+  std::'

# Sources.
"$report" -A ../tracer ../cilkprof.out >got
has 'the one where the compiler ran' "\*\*\* File .*/source/tracer.cc:"
grep -c '^\*\*\* File' got >count
echo 1 >wanted
same 'headers of the system are not shown' wanted count
has 'which is said' 'System and library headers not shown: [0-9]*, with [0-9.]*% of the span'
"$report" -b -A ../tracer ../cilkprof.out >got
lacks 'but with -b' 'headers not shown'
for spec in stl_algo.h __introsort_loop; do
  "$report" -b -A$spec ../tracer ../cilkprof.out | sed -n 's/^\*\*\* File.*\///p' >got
  echo stl_algo.h: >wanted
  same "-A$spec shows one" wanted got
done
mkdir moved
sed 's/small ray/moved ray/' ../source/tracer.cc >moved/tracer.cc
"$report" -b -A -Imoved ../tracer ../cilkprof.out >got
has '-I comes before the folder of the compiler' 'A moved ray tracer'
cd .. || exit 1
mv source gone
mkdir program
cp tracer program
cp gone/tracer.cc program
"$report" -b -A program/tracer cilkprof.out >got
has 'beside the program, when the folder is gone' '^\*\*\* File program/tracer.cc:'

# A library that does the work: it is named after the program's call of it.
cat >sort.cc <<'EOC'
#include <cilk/cilk.h>
#include <algorithm>
#include <vector>
static bool is_less(const long &a, const long &b) { return a < b; }
__attribute__((noinline)) static void arrange(std::vector<long> &values) {
  std::sort(values.begin(), values.end(), is_less);
}
int main() {
  std::vector<long> values(20000);
  unsigned random = 1;
  for (long &value : values)
    value = (random = random * 1664525 + 1013904223) >> 8;
  arrange(values);
  cilk_for (int i = 0; i < 6000; i++) values[i] /= 3;
  return 0;
}
EOC
c++ -O0 -fcilkplus -fcilkprof=count sort.cc -o sort && CILKPROF_OUT=sort.out ./sort || give_up 'the sort runs'
"$report" --verdict --processors=8 sort sort.out | joined >got
has 'the program first, then the library' "'arrange', with its callees, .* Of that, 'std::sort', called at sort.cc:6, takes"
has 'and what to do about it' "Replace 'std::sort' with something parallel"

# When std::sort is inlined, it is said all the same, and not that which it calls.
c++ -O2 -fcilkplus -fcilkprof=count sort.cc -o sort && CILKPROF_OUT=sort.out ./sort || give_up 'the sort runs'
"$report" --verdict --processors=8 sort sort.out | joined >got
lacks 'no part of the library is to be replaced' "Replace 'std::__"
has 'but what the program calls' "Of that, 'std::sort', called at sort.cc:6, takes .* Replace 'std::sort' with something parallel"

# A library that calls the program back: the user's call above is named, then the library function.
cat >back.cc <<'EOC'
#include <cilk/cilk.h>
#include <algorithm>
#include <vector>
static volatile long sink;
__attribute__((noinline)) static void step(long n) {
  long x = 1;
  for (long i = 0; i < n; i++)
    x = x * 31 + i;
  sink = x;
  cilk_for (int i = 0; i < 64; i++) {
    long y = 1;
    for (long j = 0; j < 20000; j++)
      y = y * 31 + j;
    sink = y;
  }
}
int main() {
  std::vector<long> lengths(4, 1000000);
  std::for_each(lengths.begin(), lengths.end(), step);
  return 0;
}
EOC
c++ -O0 -fcilkplus -fcilkprof=count back.cc -o back && CILKPROF_OUT=back.out ./back || give_up 'the callback runs'
"$report" --verdict --processors=8 back back.out | joined >got
has 'the call in the program' "the code of 'step' itself.* when 'main' calls it at back.cc:19, through 'std::for_each'"
"$report" --whatif=auto back back.out | sed -n 's/.* --whatif=\([^ ]*\).*/\1/p' >got
has 'is what is asked for' '^back.cc:19'

# What no demangler reads: _Zone has a place, _Z_two only an address, _Zthree is in no file.
cat >odd.txt <<'EOC'
mode count
command ./odd
totals 1000 0 0
function _Z_two
site outside 8 odd.cc 1 1 - main odd.cc
on_work 1 1000 1000 1000  1 1000 1000 1000  1 100 100 100
on_span 1 1000 1000 1000  1 1000 1000 1000  1 100 100 100
site call 0 odd.cc 3 5 main _Zone odd.cc
on_work 1 400 400 400  1 400 400 400  1 400 400 400
on_span 1 400 400 400  1 400 400 400  1 400 400 400
site call 0 odd.cc 4 5 main _Z_two odd.cc
on_work 1 300 300 300  1 300 300 300  1 300 300 300
on_span 1 300 300 300  1 300 300 300  1 300 300 300
site call 0 odd.cc 5 5 main _Zthree odd.cc
on_work 1 200 200 200  1 200 200 200  1 200 200 200
on_span 1 200 200 200  1 200 200 200  1 200 200 200
site outside 8 other.cc 70 1 - _Zone other.cc
site outside 8 other.cc 80 1 - _Z4overi other.cc
site outside 8 other.cc 90 1 - _Z4overd other.cc
site call 0 odd.cc 6 5 main _Z4overi odd.cc
site call 0 odd.cc 7 5 main _Z4overd odd.cc
EOC
build odd
"$report" -b -p -z odd odd.out | sed '1,/^ time/d' | cut -c 80- | sed 's/0x[0-9a-f]*/0xN/' >got
printf '%s\n' other.cc:70 odd+0xN _Zthree main 'over (other.cc:80)' 'over (other.cc:90)' >wanted
same 'unreadable symbols by place or address, overloads by place' wanted got
"$report" -b -p --no-demangle odd odd.out >got
has '--no-demangle shows symbols' ' _Zone$'
"$report" -b -p --full-names odd odd.out >got
has 'so does --full-names' ' _Zone$'
"$report" -b -p_Zone odd odd.out | sed '1,/^ time/d' | cut -c 80- >got
echo other.cc:70 >wanted
same 'they are found by their symbols' wanted got

# A loop in a header of a library: where the program calls it comes first.
cat >loop.txt <<'EOC'
mode count
command ./loop
totals 10000 10 10
site outside 8 loop.cc 1 1 - main loop.cc
on_work 1 90000 10000 10000  1 90000 10000 10000  1 100 100 100
on_span 1 90000 10000 10000  1 90000 10000 10000  1 100 100 100
site call 0 loop.cc 3 5 main apply loop.cc
on_work 1 89900 9900 9900  1 89900 9900 9900  1 100 100 100
on_span 1 89900 9900 9900  1 89900 9900 9900  1 100 100 100
site loop 0 /usr/local/include/all.h 20 5 apply - loop.cc
on_work 1 89800 9800 9800  1 89800 9800 9800  1 89800 9800 9800
on_span 1 89800 9800 9800  1 89800 9800 9800  1 89800 9800 9800
site outside 8 /usr/local/include/all.h 18 1 - apply loop.cc
EOC
build loop
"$report" --verdict --processors=16 loop loop.out | joined >got
has 'a loop of a library' 'iterations of the cilk_for at loop.cc:3 (code from all.h:20) take 98.0%'

# A library function without instrumentation: the estimate of a timed profile is the answer.
cat >timed.txt <<'EOC'
mode hybrid
units 1000000000
command ./timed
totals 1000 0 0
site outside 8 timed.c 1 1 - main timed.c
on_work 1 1000 1000 1000  1 1000 1000 1000  1 300 300 300
on_span 1 1000 1000 1000  1 1000 1000 1000  1 300 300 300
site call 8 timed.c 3 5 main qsort timed.c
on_work 1 700 700 700  1 700 700 700  1 700 700 700
on_span 1 700 700 700  1 700 700 700  1 700 700 700
EOC
build timed
"$report" --whatif -b timed timed.out >got
has 'the estimate has it' ' 70.00% .* without the calls at timed.c:3$'
"$report" --whatif=auto timed timed.out >got
has 'the commands say why they do not' "^# timed.c:3 is left out: most of it is 'qsort', which is not instrumented"
sed '/^units/d; s/hybrid/count/; s/700 700 700/0 0 0/g' timed.txt >counted.txt
echo 'whatif qsort 0 1 300 300' >>counted.txt
sed -i 's/^\(on_.*\)1000 1000 1000\(.*\)1000 1000 1000/\1300 300 300\2300 300 300/; s/^totals 1000/totals 300/' counted.txt
build counted
"$report" --whatif -b counted counted.out | joined >got
has 'so does a run that counted instructions' "qsort: 'qsort' is not instrumented, and this run counts instructions"

# A destructor of the library is not to be replaced.
cat >destroyed.cc <<'EOC'
#include <cilk/cilk.h>
#include <memory>
struct node {
  std::unique_ptr<node> left, right;
  long value;
};
static std::unique_ptr<node> make(int depth) {
  auto made = std::make_unique<node>();
  made->value = depth;
  if (depth > 0) {
    cilk_spawn [&] { made->left = make(depth - 1); }();
    made->right = make(depth - 1);
    cilk_sync;
  }
  return made;
}
int main() {
  auto tree = make(17);
  return tree->value != 17;
}
EOC
PATH=$BUILD_DIR/lib/cilkprof/bin:$PATH c++ -O2 -fcilkplus -fcilkprof=count destroyed.cc -o destroyed >got 2>&1 && ./destroyed
"$report" --verdict --processors=8 destroyed cilkprof.out | tr '\n' ' ' | tr -s ' ' >got
has 'a destructor is not to be replaced' "'std::unique_ptr::~unique_ptr', called at destroyed.cc:[0-9]*, takes .* Destroy parts of it in parallel"
finish
