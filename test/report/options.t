#!/bin/sh
# The command line: sections, defaults, several profiles.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build calls

# sections: the titles of what was printed, one line.
sections() {
  "$report" "$@" | tr -d '\f\t' |
    sed -n 's/^ *\(Verdict\|Parallelism profile\|Flat profile\|Call graph\|Index by\|Call sites\).*/\1/p' | tr '\n' ','
}
all='Verdict,Parallelism profile,Flat profile,Call graph,Index by,Call sites,'
holds 'all sections, in order' test "$(sections --all calls calls.out)" = "$all"
holds 'the same without options' test "$(sections calls calls.out)" = "$all"
holds 'with --screen, a screen' test "$(sections --screen calls calls.out)" = 'Verdict,Call sites,'
holds '-b: all' test "$(sections -b calls calls.out)" = "$all"
holds '--verdict' test "$(sections --verdict calls calls.out)" = 'Verdict,'
holds '--summary' test "$(sections --summary calls calls.out)" = 'Parallelism profile,'
holds '-p' test "$(sections -p calls calls.out)" = 'Flat profile,'
holds '--flat-profile' test "$(sections --flat-profile calls calls.out)" = 'Flat profile,'
holds '-q' test "$(sections -q calls calls.out)" = 'Call graph,Index by,'
holds '--graph' test "$(sections --graph calls calls.out)" = 'Call graph,Index by,'
holds '--sites' test "$(sections --sites calls calls.out)" = 'Call sites,'
holds '--sites -p: both, in the order of the report' test "$(sections --sites -p calls calls.out)" = 'Flat profile,Call sites,'
holds 'options may follow the files' test "$(sections calls calls.out -p)" = 'Flat profile,'
holds 'form feeds stand between sections' test "$("$report" -b calls calls.out | grep -c "$(printf '^\f')")" = 5
holds 'none before the first' test "$("$report" -b -p calls calls.out | grep -c "$(printf '\f')")" = 0

"$report" -b calls calls.out >wanted
cp calls a.out
cp calls.out cilkprof.out
"$report" -b >got
same 'cilkprof.out, which knows its program, is the default' wanted got
"$report" -b calls >got
same 'cilkprof.out is the default of a program' wanted got
mkfifo pipe
cat calls.out >pipe &
"$report" -b calls pipe >got
same 'a profile may be a pipe' wanted got

for option in -h --help '-?'; do
  "$report" "$option" >got
  holds "$option" test $? = 0 -a "$(head -n 1 got)" = 'Usage: cilkprof-report [OPTION...] [PROGRAM] [PROFILE...]'
done
holds '--help is one screen' test "$(awk 'length > 80 { bad = 1 } END { print (bad || NR > 40) }' got)" = 0
holds '--help names the other pages' grep -q -e '--help=gprof .*--help=all' got
"$report" --help=gprof >got
for option in -r -R -O -a -c -D -e -E -f -F -k -n -N -p -q -A -C -J -Z -z -T --inline-file-names; do
  holds "--help=gprof has $option" grep -q -e "^  *$option[ ,]" got
done
holds '--help=gprof has nothing else' sh -c '! grep -q -e "--verdict\|--emulate\|--output" got'
"$report" --help=all >got
for option in -r --verdict --emulate --output --overheads --inline-file-names; do
  holds "--help=all has $option" grep -q -e "$option" got
done
refuses '--help of something else' 'raport: no such help topic; there are gprof and all' --help=raport
"$report" --usage >got
holds '--usage' test $? = 0 -a "$(head -c 22 got)" = 'Usage: cilkprof-report'
for option in -v --version -V; do
  holds "$option" test "$("$report" $option)" = "$("$report" -v)"
done
holds 'the version has its name' sh -c '"$1" -v | grep -q "^cilkprof-report [0-9]"' - "$report"

# Twice the same profile: everything doubles, parallelism stays.
sed 's/^totals.*/totals 1400 24 10/' calls.txt |
  awk '/^on_/ { for (i = 2; i <= NF; i++) $i *= 2 } { print }' >double.txt
$make_profile profile double.txt calls >double.out
"$report" -b -p -q --sites calls double.out >wanted
"$report" -b -p -q --sites calls calls.out calls.out >got
same 'two profiles are added up' wanted got
holds 'the summary says so' sh -c '"$1" --summary calls calls.out calls.out | grep -q "Runs: *2, added up"' - "$report"
sed 's/^mode count/mode clock/; 1a units 1000' calls.txt >clock.txt
$make_profile profile clock.txt calls >clock.out
refuses 'not those of another mode' 'clock.out: it was measured in another mode' calls calls.out clock.out

# Runs calibrate their units anew: the same values in units half as long are half the time.
build quicksort
sed 's/^units.*/units 2000000000/' quicksort.txt >fine.txt
$make_profile profile fine.txt quicksort >fine.out
"$report" --summary quicksort quicksort.out fine.out >got
holds 'profiles of other units are converted' grep -q 'Work: *1.1873 s' got
"$report" --sites quicksort quicksort.out fine.out >got
holds 'with their sites' grep -q '^ 99.29 *212.8ms .* 1.00 *3000000  call    qsort.c:20' got

sed '1a burden 1' calls.txt >burden.txt
$make_profile profile burden.txt calls >burden.out
refuses 'not those of another burden' 'burden.out: it was measured with another burden' calls calls.out burden.out
{ cat calls.txt; echo 'function extra'; } >other.txt
build other
refuses 'not those of another program' 'calls: its build-id' calls calls.out other.out

finish
