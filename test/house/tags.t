#!/bin/sh
# In one folder a tag of a struct, union or enum has one meaning: it is defined once.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

(cd "$TOP" && grep -rnoE --include='*.[ch]' --include='*.cc' \
  '^(typedef |static |const )*(struct|union|enum|class) [A-Za-z_][A-Za-z0-9_]*( :[^{;]*| final)? \{' fmt libcilkprof cilkprof-report) >definitions
holds 'there are definitions' test "$(grep -c . definitions)" -gt 200
sed -E 's/:.*(struct|union|enum|class) ([A-Za-z0-9_]*).*/ \2/' definitions | grep -v '^libcilkprof/include/' |
  awk '{ folder = $1; sub(/\/[^\/]*$/, "", folder); if (seen[folder, $2]++) print folder, $2 }' | sort -u >twice
same 'no tag is defined twice in a folder' /dev/null twice
finish
