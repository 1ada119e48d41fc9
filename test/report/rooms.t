#!/bin/sh
# Which folder may use which: those of the report, and those of the project.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/tap.sh"

# Which file includes which: "including included", one pair per line.
(cd "$TOP" && grep -ro --include='*.[ch]' --include='*.cc' '#include "[^"]*"' fmt libcilkprof cilkprof-report) |
  sed 's/:#include "/ /; s/"$//' >includes

# A folder of the report uses only those before it.  The exports and the page are beside the sections, and none of the
# three uses another.  main.c uses them all.
folders='support options objects names model samples emulation analysis tables sections'
cat >upward.awk <<'END'
function folder(path, parts) {
  return split(path, parts, "/") == 3 && parts[1] == "cilkprof-report" ? parts[2] : ""
}
BEGIN {
  count = split(folders, name, " ")
  for (i = 1; i <= count; i++)
    height[name[i]] = i
  height["exports"] = height["html"] = height["sections"]
}
{ from = folder($1); to = folder($2) }
from != "" && to != "" && from != to && height[to] >= height[from]
END
awk -v folders="$folders" -f upward.awk includes >said
same 'no folder of the report includes what is above or beside it' /dev/null said
holds 'there are includes' test "$(grep -c '^cilkprof-report/.* cilkprof-report/' includes)" -gt 100
(cd "$TOP" && find cilkprof-report -mindepth 1 -maxdepth 1 ! -name main.c ! -name rules.mk) | sed 's/.*\///' | sort >got
printf '%s\n' $folders exports html | sort >wanted
same 'beside the folders there is only main.c' wanted got

# Which object file calls which: "calling called", without their suffix.
objects=$(cd "$TOP" && ls cilkprof-report/*.c cilkprof-report/*/*.c | sed 's/c$/o/')
(cd "$BUILD_DIR" && nm -A $objects) |
  sed 's/\.o:/ /' | awk '
  $(NF - 1) == "U" { used[++uses] = $1 " " $NF }
  $(NF - 1) ~ /^[TDBR]$/ { where[$NF] = $1 }
  END {
    for (i = 1; i <= uses; i++) {
      split(used[i], use, " ")
      if (use[2] in where && where[use[2]] != use[1])
        print use[1], where[use[2]]
    }
  }' | sort -u >calls
awk -v folders="$folders" -f upward.awk calls >said
same 'no folder of the report calls what is above or beside it' /dev/null said
holds 'there are calls' test "$(grep -c '^cilkprof-report/.* cilkprof-report/' calls)" -gt 100
cat >circles.awk <<'END'
{ calls[$1] = calls[$1] " " $2; files[$1] = files[$2] = 1 }
function visit(from, start, list, count, i) {
  count = split(calls[from], list, " ")
  for (i = 1; i <= count; i++)
    if (!((start, list[i]) in reaches)) {
      reaches[start, list[i]] = 1
      visit(list[i], start)
    }
}
END {
  for (file in files)
    visit(file, file)
  for (file in files) {
    size = 0
    for (other in files)
      size += ((file, other) in reaches) && ((other, file) in reaches)
    if (size > 3)
      print file, size
  }
}
END
awk -f circles.awk calls >said
same 'no more than three files of the report call each other in a circle' /dev/null said

# only FOLDER OTHER: FOLDER includes only files of its own and of OTHER.
only() {
  grep "^$1/[^ ]* \(cilkprof-report\|libcilkprof\|fmt\)/" includes | grep -v "^$1/[^ ]* \($1\|$2\)/" >said
  same "$1 includes nothing but itself and $2" /dev/null said
}
only fmt fmt
only libcilkprof fmt
only cilkprof-report fmt
# The engine and the format are linked into user programs.
(cd "$TOP" && find fmt libcilkprof -path libcilkprof/launcher -prune -o -path libcilkprof/cc -prune -o -name '*.[ch]' -print |
  xargs grep -l '#include <\(bfd\|libelf\|gelf\|elfutils/.*\|argp\)\.h>') >said
same 'neither BFD nor libelf nor argp in what a program links' /dev/null said
nm -u "$BUILD_DIR"/fmt/*.o | grep -E ' (v?f?printf|puts|fputs|fwrite|exit|_exit|perror)(@|$)' >said
same 'the format neither prints nor exits' /dev/null said

finish
