#!/bin/sh
# ccache before and behind the front ends: hits are right, nothing is stale, and neither looks for the other for ever.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/builds/lib.sh"

export CCACHE_DIR="$PWD/cache" CCACHE_NOSTATS= CCACHE_CONFIGPATH="$PWD/ccache.conf"
unset CCACHE_NOSTATS CCACHE_DISABLE CCACHE_PREFIX CCACHE_COMPILER
: >ccache.conf
ccache=$(command -v ccache) || { echo '1..0 # SKIP no ccache'; exit 0; }
front_ends=$BUILD_DIR/lib/cilkprof/bin
mkdir masquerade
for name in cc gcc c++ g++; do ln -s "$ccache" masquerade/$name; done

stored() { # hits and misses since the last call
  ccache --print-stats | awk '$1 ~ /^(direct|preprocessed)_cache_hit$/ { hits += $2 } $1 == "cache_miss" { misses += $2 }
    END { print hits + 0, misses + 0 }'
  ccache -z >/dev/null
}

# twice NAME COMMAND...: it makes prog.o, the second time from the cache, and both are right.
twice() {
  what=$1
  shift
  rm -rf cache prog.o
  timeout 60 "$@" >said 2>&1
  equal "$what: compiled" '0 1' "$(stored)"
  builds "$what: a program of it" cilkprof-cc -fcilkprof=count prog.o -o program
  rm -f prog.o
  timeout 60 "$@" >said 2>&1
  equal "$what: a hit" '1 0' "$(stored)"
  builds "$what: a program of the hit" cilkprof-cc -fcilkprof=count prog.o -o program
}
twice 'ccache cilkprof-cc' ccache cilkprof-cc -fcilkprof=count -O2 -c prog.c
cilkprof-cc -fcilkprof=clock -O2 -c prog.c -o wanted.o
ccache cilkprof-cc -fcilkprof=clock -O2 -c prog.c -o got.o
equal 'another mode is another object' '0 1' "$(stored)"
holds 'the object is that of the compiler' cmp wanted.o got.o
twice 'ccache cc' ccache cc -fcilkplus -fcilkprof=count -O2 -c prog.c
twice 'the specs file' ccache "/usr/bin/${CC##*/}" -specs="$(cilkprof-cc --print-specs)" -fcilkprof=count -O2 -c prog.c
twice "ccache's folder before cilkprof's" env PATH="$PWD/masquerade:$front_ends:$PATH" cc -fcilkplus -fcilkprof=count -O2 -c prog.c
twice "ccache's folder behind cilkprof's" env PATH="$front_ends:$PWD/masquerade:$PATH" cc -fcilkplus -fcilkprof=count -O2 -c prog.c
twice "cilkprof-cc with ccache's folder in PATH" env PATH="$PWD/masquerade:$PATH" cilkprof-cc -fcilkprof=count -O2 -c prog.c

# Another build of cilkprof, here with another header, is another compiler.
mkdir other
cp -a "$BUILD_DIR/lib" "$BUILD_DIR/bin" "$BUILD_DIR/libcilkprof" "$BUILD_DIR/fmt" "$BUILD_DIR"/gcc-* other
rm -rf cache
compile_with_both() {
  ccache other/bin/cilkprof-cc -O2 -c prog.c
  PATH=$PWD/masquerade:$PATH other/bin/cilkprof-cc -O2 -c prog.c
}
remake() {
  env -u MAKEFLAGS -u MFLAGS make -s -C "$TOP" BUILD="$PWD/other" "$PWD/other/bin/cilkprof-cc" "$PWD/other/lib/cilkprof/cilkprof.specs" >said 2>&1
}
remake
compile_with_both
stored >/dev/null
sleep 0.01
echo '/* changed */' >>other/lib/cilkprof/include/cilk/holder.h
remake
compile_with_both
equal 'nothing of another build of cilkprof is taken' 0 "$(stored | cut -d' ' -f1)"
finish
