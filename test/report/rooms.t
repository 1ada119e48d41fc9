#!/bin/sh
# What may know of what: the rooms of the report, and the folders.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/tap.sh"

# Who includes what of the project: "including included", one a line.
(cd "$TOP" && grep -ro --include='*.[ch]' --include='*.cc' '#include "[^"]*"' fmt libcilkprof cilkprof-report) |
  sed 's/:#include "/ /; s/"$//' >includes

# A room knows those before it.  main.c, beside them, knows all.
rooms='support options objects model samples emulation analysis tables sections'
awk -v rooms="$rooms" '
  function height(path, parts) {
    split(path, parts, "/")
    if (parts[1] != "cilkprof-report" || parts[2] !~ /^[a-z]+$/)
      return 0
    return parts[2] in heights ? heights[parts[2]] : heights["tables"] + 0.5 # exports and html are beside the sections
  }
  BEGIN { count = split(rooms, room, " "); for (i = 1; i <= count; i++) heights[room[i]] = i }
  height($1) > 0 && height($2) > height($1)' includes >said
same 'no room of the report includes what is above it' /dev/null said
holds 'there are includes' test "$(grep -c '^cilkprof-report/.* cilkprof-report/' includes)" -gt 100
(cd "$TOP" && find cilkprof-report -mindepth 1 -maxdepth 1 ! -name main.c ! -name rules.mk) | sed 's/.*\///' | sort >got
printf '%s\n' $rooms exports html | sort >wanted
same 'beside the rooms there is only main.c' wanted got

# only FOLDER OTHER: of the project's folders it includes only itself and the other.
only() {
  grep "^$1/[^ ]* \(cilkprof-report\|libcilkprof\|fmt\)/" includes | grep -v "^$1/[^ ]* \($1\|$2\)/" >said
  same "$1 includes nothing but itself and $2" /dev/null said
}
only fmt fmt
only libcilkprof fmt
only cilkprof-report fmt
# The engine and the format are in other people's programs.
(cd "$TOP" && find fmt libcilkprof -path libcilkprof/launcher -prune -o -path libcilkprof/cc -prune -o -name '*.[ch]' -print |
  xargs grep -l '#include <\(bfd\|libelf\|gelf\|elfutils/.*\|argp\)\.h>') >said
same 'neither BFD nor libelf nor argp in what a program links' /dev/null said
nm -u "$BUILD_DIR"/fmt/*.o | grep -E ' (v?f?printf|puts|fputs|fwrite|exit|_exit|perror)(@|$)' >said
same 'the format neither prints nor exits' /dev/null said

finish
