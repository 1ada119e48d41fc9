#!/bin/sh
# Samples of oneTBB programs, as they are: call paths through tasks on any thread, and the idle time of its workers.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
PATH=/usr/bin:$PATH
unset CILKPROF_OUT CILKPROF_SAMPLE CILKPROF_SAMPLE_HZ
echo '#include <oneapi/tbb.h>' >there.cc
g++ -fsyntax-only there.cc 2>said || {
  pass 'oneTBB is not installed (libtbb-dev): nothing to test'
  finish
  exit
}

# What all programs have: a function that works for a while, without locks or system calls.
cat >spin.h <<'EOC'
#include <cstdio>
#include <stdexcept>
#include <tbb/parallel_for.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
__attribute__((noipa)) inline void spin(long n) {
  volatile long x = 0;
  for (long i = 0; i < n * 1000; i++)
    x = x + i;
}
// At the end of a function: what it calls last is not jumped to, so that it stays on the stack.
#define STAY asm volatile("")
EOC

# paths METRIC PROGRAM: "main;f;g NANOSECONDS", one logical call path a line.
paths() {
  cilkprof-report --format=collapsed --metric="$1" "$2" "$2.samples"
}

# recorded NAME [OPTION...]: compiles NAME.cc as anybody would, and records it on two processors.
recorded() {
  name=$1
  shift
  g++ -std=c++17 -O2 -g "$name.cc" -o "$name" -ltbb >compiler-said 2>&1 || give_up "$name.cc compiles" compiler-said
  timeout 120 cilkprof-run "$@" -o "$name.samples" "./$name" >"$name.out" 2>said
  equal "$name: the exit status" 0 $?
  paths work "$name" >"$name.paths" 2>said || fail "$name: the report" said
}

# share PATTERN FILE: how many percent of the nanoseconds in FILE are on paths that match the PATTERN.
share() {
  awk -v pattern="$1" '{ all += $NF } $0 ~ pattern { found += $NF } END { printf "%.0f\n", all ? 100 * found / all : -1 }' "$2"
}

# Tasks have the path of what started them, on whichever thread they run: of algorithms, also nested ones, of two groups
# in turns, and of filters.
cat >calls.cc <<'EOC'
#include "spin.h"
__attribute__((noipa)) void leaf(int i) { spin(200 + i); STAY; }
__attribute__((noipa)) void inner(int i) {
  tbb::parallel_for(0, 8, [i](int j) { leaf(i + j); });
  STAY;
}
__attribute__((noipa)) void outer() {
  tbb::parallel_for(0, 40, [](int i) { inner(i); });
  STAY;
}
__attribute__((noipa)) void left(tbb::task_group &g) {
  for (int i = 0; i < 40; i++)
    g.run([] { spin(1000); });
  g.wait();
  STAY;
}
__attribute__((noipa)) void right(tbb::task_group &g) {
  for (int i = 0; i < 20; i++)
    g.run([] { spin(2000); });
  g.wait();
  STAY;
}
__attribute__((noipa)) void pipe() {
  int next = 0;
  tbb::parallel_pipeline(8,
    tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control &control) {
      if (next == 100)
        control.stop();
      return next++;
    }) & tbb::make_filter<int, void>(tbb::filter_mode::parallel, [](int) { spin(500); }));
}
int main() {
  tbb::task_group g;
  outer();
  left(g);
  right(g);
  left(g);
  pipe();
  try {
    tbb::parallel_for(0, 100, [](int i) { if (i == 50) throw std::runtime_error("caught"); });
  } catch (const std::exception &thrown) {
    std::puts(thrown.what());
  }
}
EOC
recorded calls
equal 'exceptions pass' caught "$(cat calls.out)"
true_that "all work is below main: $(share '^main;' calls.paths)%" "$(share '^main;' calls.paths) >= 97"
for caller in 'outer.*;inner.*;leaf.*;spin' 'left.*;spin' 'right.*;spin' 'pipe.*;spin'; do
  part=$(share "^main;$caller" calls.paths)
  true_that "main;$caller has its part: $part%" "$part >= 10"
done
equal 'no path goes through two of them' 0 "$(grep -c ';left(.*;right(\|;right(.*;left(\|;outer(.*;left(\|;outer(.*;pipe(' calls.paths)"
for line in 13 19; do # of g.run, in left and in right
  holds "the lambda at calls.cc:$line is one of its own" grep -q ";operator() at calls.cc:$line;spin" calls.paths
done
holds 'the report does not say that there was no lock contention' \
  sh -c 'cilkprof-report --waste calls calls.samples | grep -q "Lock contention: *not known"'
holds 'the report says whose threads they were' sh -c 'cilkprof-report --waste calls calls.samples | grep -q "oneTBB workers: "'
holds 'so does JSON' sh -c "cilkprof-report --format=json calls calls.samples | grep -q '\"sampled\":\"tbb\"'"

# Workers are idle while one thread works, whether they look for work or sleep.
cat >alone.cc <<'EOC'
#include "spin.h"
__attribute__((noipa)) void alone() { spin(200000); STAY; }
int main() {
  tbb::parallel_for(0, 200, [](int) { spin(500); });
  alone();
}
EOC
if [ "$(nproc)" -ge 2 ]; then
  recorded alone -j 2
  paths idleness alone >alone.idle
  true_that "the idle time is that of the serial function: $(share '^main;alone' alone.idle)%" "$(share '^main;alone' alone.idle) >= 60"
  # As long as it works, one of the two processors is idle.
  work=$(awk '/^main;alone/ { sum += $NF } END { print sum }' alone.paths)
  idle=$(awk '/^main;alone/ { sum += $NF } END { print sum }' alone.idle)
  true_that "and as long as that: $idle of $work" "$idle >= 0.6 * $work && $idle <= 1.01 * $work"
  recorded alone -j 1
  equal 'on one processor there is no idle time' 0 "$(paths idleness alone | awk '{ sum += $NF } END { print sum + 0 }')"
fi
# Threads that look for work without finding any are sampled as idle.
cat >often.cc <<'EOC'
#include "spin.h"
int main() {
  for (int i = 0; i < 2000; i++) {
    tbb::parallel_for(0, 2, [](int j) { spin(20 + 80 * j); });
    spin(50);
  }
}
EOC
if [ "$(nproc)" -ge 2 ]; then
  recorded often -F 5000
  found=$(cilkprof-report --format=json often often.samples | sed -n 's/.*"idle_samples":\([0-9]*\).*/\1/p')
  true_that "threads that look for work: ${found:-no} samples" "${found:-0} > 0"
  # Samples of threads that belong to no arena, in whatever those call: oneTBB must not be asked for their task.
  statuses=
  for run in 1 2 3 ${LONG:+4 5 6 7 8}; do
    timeout 120 cilkprof-run -F 5000 -o often.samples ./often >often.out 2>said
    statuses="$statuses $?"
  done
  equal 'threads that come and go are sampled' '' "$(echo "$statuses" | tr -d ' 0')"
fi
cilkprof-run -j 1000 ./alone >refused 2>&1
equal 'more threads than processors are refused' 125 $?
holds 'in a line' grep -q 'oneTBB has no more threads than that' refused

# Trials set the number of threads by the processors.
cat >threads.cc <<'EOC'
#include "spin.h"
int main() {
  std::fprintf(stderr, "%d threads\n", tbb::this_task_arena::max_concurrency());
  tbb::parallel_for(0, 100, [](int) { spin(10); });
}
EOC
g++ -std=c++17 -O2 threads.cc -o threads -ltbb 2>said || give_up 'threads.cc compiles' said
most=$(nproc)
sh -c "cilkprof-run --trials=1,$most --runs=1 -o trials sh -c './threads 2>>numbers'" >said 2>&1 || fail 'trials' said
equal 'trials have the threads that they are to have' "$(printf '%s\n' 1 "$most" | sort -nu)" "$(sed 's/ threads//' numbers | sort -nu)"
cilkprof-run -j 1 -o one.samples ./threads 2>one.said
equal 'so has a recording with -j' '1 threads' "$(cat one.said)"
finish
