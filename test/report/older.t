#!/bin/sh
# Programs and profiles of earlier versions, whose descriptions of sites were loaded with the program: the report is the
# same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

for which in calls tree; do
  build $which
  { echo loaded; cat $which.txt; } >older.txt
  build older
  holds "$which: its descriptions are loaded" sh -c 'readelf -SW older | grep -q "cilkprof_sites .* A "'
  for options in --sites '-z --csv' '-b -q'; do
    "$report" $options $which $which.out >wanted 2>&1
    "$report" $options older older.out >got 2>&1
    same "$which, $options" wanted got
  done
done
finish
