#!/bin/sh
# Every header alone, twice, in every language it is for, without a warning; and all of them together.
# SPDX-License-Identifier: MIT
. "$TOP/test/include/lib.sh"

c_headers='cilk cilk_api cilk_api_linux cilk_undocumented cilksan common hyperobject_base reducer reducer_file reducer_max reducer_min
  reducer_min_max reducer_opadd reducer_opand reducer_opmul reducer_opor reducer_opxor'
cc_headers="$c_headers cilk_mutex holder metaprogramming reducer_list reducer_ostream reducer_string reducer_vector"
opencilk_headers='opadd_reducer ostream_reducer'

# compiles NAME COMPILER STANDARD FILE: it does, and nothing is said.  Standards take turns, without LONG.
compiles() {
  if $2 -std="$3" $warnings -fcilkplus -fsyntax-only "$4" >said 2>&1; then
    pass "$1 $2 $3"
  else
    fail "$1 $2 $3" said
  fi
}

for header in $c_headers; do
  printf '#include <cilk/%s.h>\n' "$header" "$header" >alone.c
  echo 'int nothing(void); int nothing(void) { return 0; }' >>alone.c
  for standard in gnu89 c2x ${LONG:+c99 c11}; do
    in_turn 2 || continue
    compiles "<cilk/$header.h>" cc $standard alone.c
  done
done
for header in $cc_headers; do
  printf '#include <cilk/%s.h>\n' "$header" "$header" >alone.cc
  for standard in c++98 c++11 c++20 ${LONG:+c++17}; do
    in_turn 3 || continue
    compiles "<cilk/$header.h>" c++ $standard alone.cc
  done
done
for header in $opencilk_headers; do
  printf '#include <cilk/%s.h>\n' "$header" "$header" >alone.cc
  for standard in c++11 ${LONG:+c++17 c++20}; do
    compiles "<cilk/$header.h>" c++ $standard alone.cc
  done
done
for header in $opencilk_headers holder reducer; do
  printf '#include <cilk/%s>\n' "$header" "$header" >alone.cc
  for standard in c++11 ${LONG:+c++17 c++20}; do
    compiles "<cilk/$header>" c++ $standard alone.cc
  done
done

for header in cilkprof.h cilk/cilkscale.h cilktools/cilkview.h cilktools/cilkscreen.h; do
  printf '#include <%s>\n' "$header" "$header" >alone.c
  echo 'int nothing(void); int nothing(void) { return 0; }' >>alone.c
  cp alone.c alone.cc
  for options in '' ' -fcilkprof'; do
    for standard in gnu89 c2x ${LONG:+c99 c11}; do
      ! in_turn 2 || compiles "<$header>" "cc$options" $standard alone.c
    done
    for standard in c++98 c++11 c++20 ${LONG:+c++17}; do
      ! in_turn 3 || compiles "<$header>" "c++$options" $standard alone.cc
    done
  done
  holds "<$header>: plain gcc" gcc -std=c99 $warnings -I"$TOP/libcilkprof/include" -fsyntax-only alone.c
  holds "<$header>: plain g++" g++ -std=c++11 $warnings -I"$TOP/libcilkprof/include" -fsyntax-only alone.cc
done

# Those of Cilk++ and of Cilk Plus's runtime need the keywords.
for header in internal/abi internal/cilk_fake internal/cilk_version internal/metacall; do
  printf '#include <%s.h>\n' "$header" "$header" >alone.c
  echo 'int nothing(void); int nothing(void) { return 0; }' >>alone.c
  for standard in c99 ${LONG:+c11 c2x}; do
    compiles "<$header.h>" cc $standard alone.c
  done
done
others='internal/abi internal/cilk_fake internal/cilk_version internal/metacall cilktools/fake_mutex cilktools/lock_guard cilk
  cilk_mutex cilkscreen cilkview fake_mutex reducer_list reducer_max reducer_min reducer_opadd reducer_opand reducer_opor
  reducer_opxor reducer_ostream reducer_string'
for header in $others; do
  printf '#include <%s.h>\n' "$header" "$header" >alone.cc
  for standard in c++98 ${LONG:+c++17}; do
    for compiler in c++ 'c++ -fcilkprof'; do
      ! in_turn 2 || compiles "<$header.h>" "$compiler" $standard alone.cc
    done
  done
done

{
  for header in $cc_headers $opencilk_headers; do
    echo "#include <cilk/$header.h>"
  done
  printf '#include <%s.h>\n' $others
  echo '#include <cilk/reducer>'
} >all.cc
printf '#include <%s>\n' cilkprof.h cilk/cilkscale.h cilktools/cilkview.h cilktools/cilkscreen.h >>all.cc
compiles 'all headers' c++ c++17 all.cc
finish
