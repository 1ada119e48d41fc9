#!/bin/sh
# What the recording of many tasks takes: however many they are, less than 10 MB, in memory and in the file.  TASKS says how
# many; make check-long has a hundred million.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"
. "$TOP/test/foretell/lib.sh"
report=$BUILD_DIR/bin/cilkprof-report
tasks=${TASKS:-1000000}

foretell_build tasks openmp >said 2>&1 || give_up 'the program is compiled' said
CILKPROF_OUT=tasks.out ./tasks.annotated "$tasks" 20 >got 2>said
same 'nothing is said' /dev/null said
holds "$tasks tasks take less than 10 MB" awk '{ print; exit !($2 > 0 && $2 < 10240) }' got
holds 'so does the profile' test "$(wc -c <tasks.out)" -lt 10485760
"$report" -b --emulate=greedy --processors=1 tasks.annotated tasks.out 2>&1 | grep Recorded | tr -d , >got
echo "  Recorded:               1 section $tasks tasks" >wanted
same 'and all are there' wanted got
finish
