#!/bin/sh
# The unwinder of samples: wherever a program is interrupted, its stack leads to main, through every call.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

objects=$(printf "$BUILD_DIR/libcilkprof/sampler/%s.o " loaded unwind eh_frame expression)
for compiler in 'gcc -O2' 'gcc -O0' 'gcc -O2 -static -Wl,--eh-frame-hdr' 'clang -O2' \
  ${LONG:+'gcc -O2 -fno-omit-frame-pointer' 'clang -O0' 'clang -O2 -fomit-frame-pointer'}; do
  if ! (PATH=/usr/bin:$PATH $compiler -std=gnu11 -D_GNU_SOURCE -I"$TOP" "$TOP/test/samples/unwind.c" $objects -o program -lm) \
    >compiler-said 2>&1; then
    case $compiler in gcc*) give_up "$compiler" compiler-said ;; esac
    continue
  fi
  timeout 120 ./program >got 2>places
  echo '0 lost, 0 wrong' >wanted
  same "$compiler" wanted got
done
# The first call of a function, which the dynamic linker looks up: its code and that of linkage tables is special.  An
# emulator cannot step through it.
if [ -z "$RUN" ]; then
  (PATH=/usr/bin:$PATH gcc -O2 -std=gnu11 -D_GNU_SOURCE -Wl,-z,lazy -I"$TOP" "$TOP/test/samples/lookup.c" $objects -o program) >compiler-said 2>&1 ||
    give_up 'lookup.c' compiler-said
  timeout 120 ./program >got 2>places
  echo '0 lost' >wanted
  same 'functions that are looked up' wanted got
fi
finish
