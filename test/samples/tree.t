#!/bin/sh
# The tree of paths, which threads change at once: under the sanitizers too.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

parts="sampler/state sampler/tree sampler/loaded sampler/objects sampler/memory sampler/write sampler/timeline sampler/transitions \
  sampler/counters common/perf common/delay common/message common/signals common/environment common/file common/command common/object"
printf '0 equal, 0 missing, 0 lost\nas many nodes as paths\n' >wanted
# Without sanitizers it is what was built.
for options in '' '-O1 -fsanitize=thread' '-O1 -fsanitize=address,undefined'; do
  case $options in
  '') sources=$(printf "$BUILD_DIR/libcilkprof/%s.o " $parts) ;;
  *) sources=$(printf "$TOP/libcilkprof/%s.c " $parts) ;;
  esac
  (PATH=/usr/bin:$PATH gcc -std=gnu11 -D_GNU_SOURCE -I"$TOP" $options "$TOP/test/samples/tree.c" \
    $sources "$TOP/fmt/write.c" "$TOP/fmt/checksum.c" -o tree -pthread) >compiler-said 2>&1 || give_up "tree.c $options" compiler-said
  CILKPROF_LIVE=0 timeout 300 ./tree >got 2>&1
  same "threads at once ${options:-without sanitizers}" wanted got
done
finish
