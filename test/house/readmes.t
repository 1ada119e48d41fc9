#!/bin/sh
# Every source file is named in the README of its folder, or of a folder around it.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

# named FILE: some README on the way up from it has its name; a header goes by the name of its source.
named() {
  folder=${1%/*} name=${1##*/}
  quoted=$(echo "$name" | sed 's/[+.]/\\&/g')
  case $name in *.h) names="($quoted|${quoted%??h}\.cc?)" ;; *) names=$quoted ;; esac
  while :; do
    if [ -f "$TOP/$folder/README.md" ] && grep -qE "(^|[^a-zA-Z0-9_-])$names" "$TOP/$folder/README.md"; then return 0; fi
    case $folder in */*) folder=${folder%/*} ;; *) return 1 ;; esac
  done
}

(cd "$TOP" && find fmt libcilkprof cilkprof-report -type f ! -path 'libcilkprof/include/*' \
  \( -name '*.[ch]' -o -name '*.cc' -o -name '*.def' -o -name '*.awk' -o -name '*.sh' -o -name '*.in' \) | sort) >files
holds 'there are source files' test "$(grep -c . files)" -gt 300
while read -r file; do
  named "$file" || echo "$file"
done <files >missing
same 'every source file is named in a README' /dev/null missing
finish
