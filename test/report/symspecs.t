#!/bin/sh
# Symspecs that name nothing are told, and are an error when nothing is left to show.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build calls

for option in -pnosuch -qnosuch -Anosuch -Cnosuch '-f nosuch' '-F nosuch' '-n nosuch' -qmain/nosuch -pnosuch.c -p77777 \
  --flat-profile=nosuch --graph=nosuch; do
  refuses "$option" 'such*[^ ]*: nothing in the profile has that name$\|7: nothing in the profile has that name$' \
    $option calls calls.out
done
refuses 'two that name nothing' 'nosuch: nothing' -pnosuch -pnorthis calls calls.out

# tells NAME OPTION...: one line for nosuch; the report is that of wanted.
tells() {
  name=$1
  shift
  "$report" -b "$@" calls calls.out >got 2>errors
  echo "status $?" >>errors
  printf '%s\n' 'cilkprof-report: nosuch: nothing in the profile has that name; it is ignored' 'status 0' >wanted_errors
  same "$name" wanted_errors errors
  same "$name: the report" wanted got
}
"$report" -b -pleaf calls calls.out >wanted
tells 'one of two is shown' -pleaf -pnosuch
"$report" -b -p calls calls.out >wanted
tells 'to be left out of the flat profile' -Pnosuch
"$report" -b -q calls calls.out >wanted
tells 'to be left out of the call graph' -q -e nosuch
tells 'told once, though it is left out of graph and time' -q -E nosuch
"$report" -b -q -k main/even calls calls.out >wanted 2>errors
holds 'an arc that is there' test ! -s errors
finish
