#!/bin/sh
# The layout of the sources is clang-format's.  It leaves comments alone: they may hold tables.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

sources=$(cd "$TOP" && find fmt libcilkprof cilkprof-report test/oracle test/libcilkprof test/parallel test/samples \
  test/emulation test/report test/fmt test/verdicts -path libcilkprof/include -prune -o \
  -path test/parallel/language -prune -o \
  \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.def' \) -print | sort)
# Every version has its own taste.
if clang-format --version | grep -q 'version 14\.'; then
  (cd "$TOP" && clang-format --dry-run $sources) >said 2>&1
  same 'as clang-format would have it' /dev/null said
fi
(cd "$TOP" && awk 'length() > 120 { print FILENAME ":" FNR }' $sources) >said
same 'no line is longer than 120 columns' /dev/null said
(cd "$TOP" && grep -n '^ *\*/$' $sources) >said
same 'no comment ends alone on a line' /dev/null said
(cd "$TOP" && awk 'FNR == 401 { print FILENAME }' $sources) >said
same 'no file is longer than 400 lines' /dev/null said
finish
