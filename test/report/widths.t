#!/bin/sh
# Every section fits 80 columns.  What is not ours stays as it is: names in the layouts of gprof (flat profile, call
# graph, its index, execution counts), orders for the linker, commands to be copied, paths, and lines of sources.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build quicksort
build calls
cp "$TOP/test/report/tree.txt" .
sed 's/leaf/a_leaf_with_a_name_that_is_too_long_for_any_terminal_of_these_days/g' tree.txt >long.txt
build long
cat >marked.txt <<'END'
mode count
burden 100
command ./marked with many arguments of which each is short but which are too many for a line of eighty columns
totals 900 12 4
site outside 8 main.c 1 2 - main main.c
on_work 1 10000 700 900  1 10000 700 900  1 10000 700 900
on_span 1 10000 700 900  1 10000 700 900  1 10000 700 900
region the-sorting-of-all-the-numbers-that-there-are-from-the-first-one-on 17 2 8000 400 500
region what-is-done-with-them-after-all-that-once-they-have-been-sorted 2 5 2500 2500 2500
whatif a_function_with_a_name_that_is_too_long_for_a_terminal 0 1 1050 650
whatif main 0 1 10000 1
whatif a_function_with_a_name_that_is_too_long_for_a_terminal 4 1 4800 2600
END
build marked
build tree

# too_wide COLUMNS ARGUMENT...: prints the lines that are wider.
too_wide() {
  columns=$1
  shift
  COLUMNS=$columns "$report" "$@" >got 2>errors || cat errors
  expand got | awk -v columns="$columns" 'length > columns'
}
for program in quicksort calls long marked; do
  for section in --verdict --summary --sites --critical-path --whatif --contexts=0 --regions --file-info; do
    too_wide 80 $section $program $program.out |
      grep -v '^cilkprof \(run\|cc\|c++\|report\) ' >wide
    same "$program: $section" /dev/null wide
    [ -s got ] || fail "$program: $section prints something" errors
  done
done
# Samples of parallel runs, with long names.
sed 's/leaf/a_leaf_with_a_name_that_is_too_long_for_any_terminal_of_these_days/g' "$TOP/test/report/waste.c" >waste.c
sed 's/leaf/a_leaf_with_a_name_that_is_too_long_for_any_terminal_of_these_days/g' "$TOP/test/report/waste.txt" >waste.txt
sampled waste
build causes
for section in --waste --top-down=0 --bottom-up=0 --file-info; do
  for profiles in waste.out 'causes.out waste.out'; do
    too_wide 80 $section $profiles >wide
    same "$section of $profiles" /dev/null wide
    [ -s got ] || fail "$section of $profiles prints something" errors
  done
done
too_wide 80 --diff tree.out long.out >wide
same 'the difference of two builds' /dev/null wide
holds 'it has rows, cut' grep -q '[.][.][.]$' got

# The layouts of gprof: only names may go beyond.  Each line is cut where its name begins.
too_wide 80 -p long long.out | cut -c -61 | grep -v '  $' >wide
same 'the flat profile: columns and explanation' /dev/null wide
holds 'it has the share of the span' grep -q '^ time .* span  name' got
too_wide 80 -q long long.out | grep -v '^.\{54\} *a_leaf_with\|\] .*\]' >wide
same 'the call graph: columns and explanation' /dev/null wide
holds 'it has the parallelism' grep -q '^index % time    self  children parallel    called     name$' got

# Beside a source: our columns make room for its lines, and gprof's stays.
awk 'BEGIN { for (i = 1; i <= 60; i++) printf "%-*d;\n", 50, i }' >qsort.c
too_wide 80 -A quicksort quicksort.out >wide
same 'the annotated source' /dev/null wide
holds 'it has the calls and the share of the span' grep -q '^ *calls  % span$' got
"$report" -A quicksort quicksort.out >got
holds 'all columns without a terminal' grep -q '^ *calls  *work  *on span  *% span  *parallel$' got
rm qsort.c

# Wider ones show more, and all is there when there is no terminal.
COLUMNS=90 "$report" -b -p quicksort quicksort.out >got
holds '90 columns: the parallelism in the flat profile' grep -q 'span parallel  name' got
COLUMNS=200 "$report" -b quicksort quicksort.out >wide
"$report" -b quicksort quicksort.out >got
grep -v ' \[[0-9]*\] .*\[' got >got.0
grep -v ' \[[0-9]*\] .*\[' wide >wide.0
same '200 columns are as good as none' got.0 wide.0
COLUMNS=80 "$report" -b --wide quicksort quicksort.out >wide
same '--wide: all of it' got wide
COLUMNS=80 "$report" -b --wide --contexts=0 long long.out >wide
"$report" -b --contexts=0 long long.out >got
same '--wide: of another section' got wide
COLUMNS=80 "$report" --sites quicksort quicksort.out >got
holds 'what is left out is said' grep -q -e '--wide' got
"$report" --sites quicksort quicksort.out >got
holds 'not where nothing is' sh -c '! grep -q -e --wide got'
COLUMNS=80 "$report" -b --sites -o file quicksort quicksort.out
"$report" -b --sites quicksort quicksort.out >got
same 'a file has all of it' got file
too_wide 80 --whatif marked marked.out >wide
same 'speedups of thousands are no wider' /dev/null wide
too_wide 40 --summary quicksort quicksort.out >wide
same 'a narrower one' /dev/null wide
for columns in 0 -1 x 1 7 100000000000; do
  COLUMNS=$columns "$report" quicksort quicksort.out >got 2>errors
  holds "COLUMNS=$columns does no harm" test $? = 0 -a -s got -a ! -s errors
done

finish
