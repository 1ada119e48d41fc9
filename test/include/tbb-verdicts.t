#!/bin/sh
# Verdicts on programs with oneTBB: they speak of the program's own functions, and of the library's as the program calls
# them, not of what takes their place in a profile.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/tbb.sh"

# The verdict speaks of the program's function, and of the call that has it run.
cat >slow.cc <<'EOC'
#include "spin.h"
int main() {
  tbb::parallel_for(tbb::blocked_range<int>(0, 1000), [](const tbb::blocked_range<int> &r) {
    for (int i = r.begin(); i < r.end(); i++)
      spin(i == 700 ? 2000000 : 1000);
  });
}
EOC
measured slow && cilkprof-report --verdict --processors=16 slow slow.prof | tr -s ' \n' ' ' >got
holds 'the verdict names the function of the program' \
  grep -q "'main::{lambda#1}'.* takes [0-9.]*% of the span when 'main' calls it at slow.cc:3, through 'tbb::parallel_for'" got

# A loop over numbers has iterations, and the name by which the program calls it.
cat >uneven.cc <<'EOC'
#include "spin.h"
int main() {
  tbb::parallel_for(0, 500, [](int i) { spin(i == 300 ? 1000000 : 1000); });
}
EOC
measured uneven && cilkprof-report --verdict --processors=16 uneven uneven.prof | tr -s ' \n' ' ' >got
holds 'the verdict names the loop as the program does' \
  grep -q 'longest of the 500 iterations of tbb::parallel_for at uneven.cc:3 takes [6-9][0-9]% of its work' got

# Ranges that are too short: what can be changed is the call.
cat >fine.cc <<'EOC'
#include "spin.h"
int main() {
  for (int k = 0; k < 200; k++)
    tbb::parallel_for(tbb::blocked_range<int>(0, 1000), [](const tbb::blocked_range<int> &r) { spin((long)r.size()); });
}
EOC
measured fine && cilkprof-report --verdict --processors=16 fine fine.prof | tr -s ' \n' ' ' >got
holds 'of a fine grain the verdict says which call has it' \
  grep -q 'of that cost is in tbb::parallel_for at fine.cc:4: call it for larger ranges, or serially' got

# Every other algorithm: each program is measured for one of them, which takes nearly all of the time.
cat >forms.cc <<'EOC'
#include "spin.h"
struct body {
  void operator()(const tbb::blocked_range<int> &r) const { spin(100000L * r.size()); }
};
static void invoke() { tbb::parallel_invoke([] { spin(3000000); }, [] { spin(10000); }); }
static void once() {
  tbb::task_group g;
  g.run([] { spin(3000000); });
  g.wait();
}
static void pipe() {
  int next = 0;
  tbb::parallel_pipeline(4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control &control) {
    if (next == 40)
      control.stop();
    return next++;
  }) & tbb::make_filter<int, int>(tbb::filter_mode::parallel, [](int i) { return (int)spin(20000) + i; })
     & tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order, [](int) { spin(60000); }));
}
static void serially() {
  std::vector<int> v(20, 1);
  tbb::parallel_for_each(v, [](int &i) { i = (int)spin(2000); });
  volatile long x = 0;
  for (long i = 0; i < 3000000; i++)
    x = x + i;
}
static void tasks() {
  tbb::task_group g;
  for (int i = 0; i < 20000; i++)
    g.run([i] { spin(i % 8); });
  g.wait();
}
static void ranges() {
  for (int i = 0; i < 200; i++)
    tbb::parallel_for(tbb::blocked_range<int>(0, 1000), [](const tbb::blocked_range<int> &r) { spin(7 * (long)r.size()); });
}
int main(int argc, char **argv) {
  switch (*argv[argc - 1]) {
  case 'r': tbb::parallel_for(tbb::blocked_range<int>(0, 10, 100), body()); break;
  case 'i': invoke(); break;
  case 'o': once(); break;
  case 'p': pipe(); break;
  case 's': serially(); break;
  case 't': tasks(); break;
  case 'f': ranges(); break;
  }
}
EOC
measured forms

# verdict FORM SAID: of this form of the program the verdict has what SAID, a pattern, matches.  It speaks of nothing that
# only a profile has.
verdict() {
  profile forms "$1"
  cilkprof-report -b --verdict --processors=16 forms forms.prof 2>&1 | tr -s ' \n' ' ' >got
  holds "$1: $2" grep -q -e "$2" got
  holds "$1: no names of what takes the library's place" sh -c '! grep -e "tbb task" -e "tbb filter" -e "detail::cilkprof" got'
}
verdict r "'body::operator()'.* takes [0-9.]*% of the span when 'main' calls it at forms.cc:39, through 'tbb::parallel_for'"
verdict i "'invoke::{lambda#1}'.* takes [0-9.]*% of the span when '[a-z]*' calls it at forms.cc:5, through 'tbb::parallel_invoke'"
verdict o "'once::{lambda#1}'.* takes [0-9.]*% of the span when '[a-z]*' calls it at forms.cc:8, through 'tbb::task_group::run'"
# Some compilers number the lambdas of each type by themselves.
verdict p "'pipe::{lambda#[23]}'.* takes [0-9.]*% of the span when '[a-z]*' calls it at forms.cc:13, through 'tbb::parallel_pipeline'"
holds 'p: no atomic operations of the library' sh -c '! grep "atomic updates" got'
verdict s 'If its iterations are independent, make it a tbb::parallel_for, or a tbb::parallel_reduce if it accumulates'
verdict t 'of that cost is in tbb::task_group::run at forms.cc:30: do more in each task, or call its function instead'
holds 't: which tasks there are most of' grep -q 'Most often tbb::task_group::run at forms.cc:30 spawns (20,000 times)' got
verdict f 'Most often tbb::parallel_for at forms.cc:35 spawns (51,000 times)'

# What the library does for itself is not to be made parallel, and its threads are not the program's.
cat >control.cc <<'EOC'
#include "spin.h"
#include <tbb/global_control.h>
int main() {
  for (int i = 0; i < 200000; i++) // none is destroyed: making them is what takes the time
    new tbb::global_control(tbb::global_control::max_allowed_parallelism, 2);
  tbb::parallel_for(0, 4, [](int) { spin(10); });
}
EOC
c++ -std=c++17 -O2 -g -fcilkprof control.cc -o control -ltbb 2>said || fail 'control.cc compiles' said
profile control
cilkprof-report -b --verdict --processors=16 control control.prof | tr -s ' \n' ' ' >got
holds "the library's own work" sh -c 'grep -q "global_control.*own work, such as the start" got && ! grep "own threads" got'
finish
