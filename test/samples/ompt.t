#!/bin/sh
# The declarations of OMPT are those of an omp-tools.h that is installed: values, layouts, and types of functions.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

own=$TOP/libcilkprof/sampler/openmp/ompt.h
theirs=$(ls /usr/lib/llvm-*/lib/clang/*/include/omp-tools.h /usr/lib/clang/*/include/omp-tools.h /usr/include/omp-tools.h \
  /usr/lib/gcc/*/*/include/omp-tools.h 2>/dev/null | xargs -r readlink -f | sort -u)
[ "$theirs" ] || give_up 'there is no omp-tools.h'

# Every name of the header: that of a type, or of a value.
sed 's|/\*.*\*/||; /\/\*/,/\*\//d' "$own" | grep -o 'ompt_[a-z_]*' | sort -u >names
holds 'there are names' test "$(wc -l <names)" -gt 60
{
  cat <<'EOC'
#include <cstddef>
#include <cstdio>
#include HEADER
template <typename T> void type(const char *name) { printf("%s: %zu: %s\n", name, sizeof(T), __PRETTY_FUNCTION__); }
#define VALUE(name) printf("%s: %d\n", #name, (int)name)
#define MEMBER(name, member) (printf("%zu: ", offsetof(name, member)), type<decltype(name::member)>(#name "::" #member))
int main() {
  MEMBER(ompt_data_t, value);
  MEMBER(ompt_data_t, ptr);
  MEMBER(ompt_frame_t, exit_frame);
  MEMBER(ompt_frame_t, enter_frame);
  MEMBER(ompt_frame_t, exit_frame_flags);
  MEMBER(ompt_frame_t, enter_frame_flags);
  MEMBER(ompt_start_tool_result_t, initialize);
  MEMBER(ompt_start_tool_result_t, finalize);
  MEMBER(ompt_start_tool_result_t, tool_data);
EOC
  sed -n 's/.*_t$/type<&>("&");/p' names
  grep -v '_t$' names | sed 's/.*/VALUE(&);/'
  echo '}'
} >names.cc
# declared HEADER: what it says of all names.
declared() {
  g++ -std=gnu++11 -DHEADER="\"$1\"" names.cc -o names-of 2>compiler-said || {
    fail "$1 declares all of them" compiler-said
    return
  }
  ./names-of
}
declared "$own" >got
for header in $theirs; do
  declared "$header" >wanted
  same "as in $header" wanted got
done
finish
