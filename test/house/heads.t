#!/bin/sh
# The licence of a source file is on a line of its own, so that tools and readers find it.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

(cd "$TOP" && find fmt libcilkprof cilkprof-report test/house test/oracle test/libcilkprof test/samples test/emulation \
  test/fmt -type f \( -name '*.[ch]' -o -name '*.cc' -o -name '*.js' -o -name '*.css' \) | sort) >files
holds 'there are source files' test "$(grep -c . files)" -gt 400
(cd "$TOP" && grep -LE '^[^A-Za-z0-9]*SPDX-License-Identifier: [A-Za-z0-9.-]+( +\*/)?$' -- $(cat "$OLDPWD/files")) >joined
same 'every one has its licence on a line of its own' /dev/null joined
finish
