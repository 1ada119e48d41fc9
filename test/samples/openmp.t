#!/bin/sh
# The tool of OpenMP programs, which many threads tell of tasks at once: under the sanitizers too.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"
PATH=/usr/bin:$PATH

flags="-std=gnu11 -D_GNU_SOURCE -I$TOP"
made=$BUILD_DIR/libcilkprof
sources() { printf "$TOP/libcilkprof/%s.c " "$@"; }
objects() { printf "$made/%s.o " "$@"; }
# Who unwinds reads what is not theirs of a stack, which the sanitizers forbid.
unwinder=$(objects sampler/stack sampler/shapes sampler/unwind sampler/eh_frame sampler/expression)
rest="sampler/openmp/tool sampler/hand/forks sampler/hand/mistakes sampler/hand/names sampler/hand/tasks sampler/place sampler/preload/start sampler/openmp/events sampler/openmp/threads sampler/openmp/spans sampler/openmp/loops sampler/openmp/callers \
  paths/blocks paths/chunks paths/depend paths/path paths/shares paths/sites paths/tasks paths/teams paths/threads paths/write sampler/clock sampler/counters sampler/delay sampler/memory \
  sampler/loaded sampler/objects sampler/origin_calls sampler/run sampler/state sampler/task_origin sampler/thread sampler/timeline sampler/transitions sampler/tree sampler/wait sampler/write \
  common/delay common/perf common/message common/signals common/environment common/file common/command common/object"
printf '0 wrong, 0 missing\n1 at work, 0 waiting\ntasks that are over take no memory\n' >wanted
# Without sanitizers it is what was built.
for options in '' '-O1 -fsanitize=thread' '-O1 -fsanitize=address,undefined'; do
  case $options in '') tool=$(objects $rest) ;; *) tool=$(sources $rest) ;; esac
  gcc $flags $options "$TOP/test/samples/openmp.c" $tool $unwinder "$TOP/fmt/write.c" "$TOP/fmt/checksum.c" -o openmp -pthread \
    >compiler-said 2>&1 || give_up "openmp.c $options" compiler-said
  for watched in '' 1; do
    CILKPROF_SAMPLE=1 CILKPROF_SAMPLE_HZ=1 CILKPROF_LIVE=0 WATCHED=$watched timeout 300 ./openmp >got 2>&1
    same "threads at once ${options:-without sanitizers}${watched:+, with work and span}" wanted got
  done
done
finish
