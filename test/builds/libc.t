#!/bin/sh
# What is built here, and what it builds, runs with glibc 2.34, as RHEL 9 and Amazon Linux 2023 have: nothing needs a later
# version of a symbol.  And with any binutils: their libraries have a version in the name.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/builds/lib.sh"

# late FILE...: the functions that need a later glibc than 2.34.  Headers since 2.38 give strtol and the like other names:
# what is built with those runs there or later, by nothing that we call.
late() {
  objdump -T "$@" | sed -n 's/.*GLIBC_2\.\([0-9]*\)[.0-9]*)* *\([A-Za-z_].*\)/\1 \2/p' | awk '$1 > 34 && $2 !~ /^__isoc23_/' | sort -u
}
# early NAME FILE...: there are none.
early() {
  name=$1
  shift
  late "$@" >got
  same "$name" /dev/null got
}
# needs FILE...: how many functions of glibc they need.
needs() {
  objdump -T "$@" | grep -c 'GLIBC_2'
}
early 'the commands' "$BUILD_DIR/bin/cilkprof" "$BUILD_DIR/bin/cilkprof-run" "$BUILD_DIR/bin/cilkprof-report"
early 'the libraries' "$BUILD_DIR"/lib/cilkprof/*.so
early 'the plugins' "$BUILD_DIR"/lib/cilkprof/gcc-*/*.so
cat >loop.c <<'EOC'
static double a[100];
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 100; i++)
    a[i] += i;
  return a[7] < 0;
}
EOC
for options in -fcilkprof -fcilkprof=count -fcilkprof=whatif -fcilkprof=parallel -fcilkplus -fcilkplus=serial; do
  holds "cc $options" cc -O2 -fcilkplus $options prog.c -o program
  early "a program of C, $options" program
  holds "c++ $options" c++ -O2 -fcilkplus $options prog.cc -o program
  early "a program of C++, $options" program
done
holds 'cc -fopenmp' cc -O2 -fopenmp -fcilkprof loop.c -o program
early 'a program of OpenMP' program
objdump -p "$BUILD_DIR/bin/cilkprof-report" | sed -n 's/.*NEEDED *//p' >needed
grep 'libbfd\|libiberty\|libopcodes\|libsframe\|libctf' needed >got
same 'the report needs no library of binutils' /dev/null got
holds 'it needs others' grep -q libdw needed
# What is looked for is seen where it is.
printf '%s\n' '#include <dlfcn.h>' 'struct dl_find_object;' 'int _dl_find_object(void *, struct dl_find_object *);' \
  'int main(void) { return _dl_find_object(0, 0); }' >later.c
if gcc later.c -o later 2>/dev/null; then
  late later >got
  echo '35 _dl_find_object' >wanted
  same 'a later function is seen' wanted got
fi
holds 'and others are' test "$(needs program)" -gt 0
finish
