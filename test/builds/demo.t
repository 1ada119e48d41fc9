#!/bin/sh
# make demo: what it builds, how it says so, and what it says in the end.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# made ARGUMENT...: what make does, or with -n would do, in a folder of this test.
made() {
  make --no-print-directory -C "$TOP" BUILD="$PWD/fresh" SETUP=no "$@" 2>&1
}

made -n demo >demo
sed -n 's/^\[\([0-9]*\/[0-9]*\)\]  [A-Z]* .*/\1/p' demo >steps
total=$(wc -l <steps)
seq "$total" | sed "s/\$/\/$total/" >wanted
same 'files are counted, from the first to the last' wanted steps
true_that 'of which there are some' "$total > 400"
grep -o -- '-c [^ ]* -o [^ ]*' demo | sort >compiled
uniq -d compiled >twice
same 'nothing is compiled twice' /dev/null twice
grep -E 'fresh/(asan|test|whatif|workers)/|sampler/(openmp|tbb)/' compiled >superfluous
same 'nor what the demonstration does not need' /dev/null superfluous
made -n V=1 demo | grep -e ' -c libcilkprof/cc/.*[.]cc ' | grep -e ' -g' -e ' -O[23]' >slow
same 'nor with debugging information, which takes longest of all, for the plugins' /dev/null slow
jobs() {
  sed -n 's/^.*--no-print-directory *\(-j[0-9]*\)* *STEPS=.*/\1/p'
}
equal 'as many at once as there are processors' "-j$(nproc)" "$(jobs <demo)"
equal 'or as many as make was told' '' "$(made -n -j3 demo | jobs)"

made "$PWD/fresh/fmt/checksum.o" >got
echo '  CC fmt/checksum.c' >wanted
same 'a short line' wanted got
rm fresh/fmt/checksum.o
made V=1 "$PWD/fresh/fmt/checksum.o" | grep -c -- '-c fmt/checksum.c -o' >got
echo 1 >wanted
same 'V=1 shows the command' wanted got
rm fresh/fmt/checksum.o
made -s "$PWD/fresh/fmt/checksum.o" >got
same '-s shows nothing' /dev/null got

# What was built is not built again: the tests that run meanwhile use it.
in_build() {
  make -C "$TOP" BUILD="${BUILD_DIR#"$TOP"/}" SETUP=no "$@"
}
in_build -n demo | grep -o -- ' -c [a-z][^ ]*' >again
same 'nothing is compiled again after make' /dev/null again

# The demonstration itself, and what is to be typed after it.
in_build -s demo >report 2>progress
holds 'the report is printed' grep 'pqsort -> partition' report
cp "$TOP/test/programs/qsort.c" prog.c
cp "$TOP/test/programs/random.h" .
sed -n '/^Next/,/^To/s/^  //p' progress >next
equal 'three commands are to be typed' 3 "$(wc -l <next)"
holds 'and do what they should' sh -ec '. ./next >own'
holds 'which is a report' grep 'pqsort -> partition' own
finish
