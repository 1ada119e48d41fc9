#!/bin/sh
# What may know of what: the rooms of the engine, and those of the compiler's side.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

rooms='time names whatif span roots tasks control marks tree profile run'

# Who includes what: "including included", one a line, without the folder's name.
(cd "$TOP" && grep -ro --include='*.[ch]' --include='*.cc' '#include "libcilkprof/[^"]*"' libcilkprof) |
  sed 's/^libcilkprof\///; s/:#include "libcilkprof\// /; s/"$//' >includes

# A room of the engine knows those before it; what is in none of them, engine.h and the like, is known to all.
cat >heights.awk <<'END'
function height(path, parts) {
  split(path, parts, "/")
  return parts[1] != "engine" ? 0 : parts[2] in heights ? heights[parts[2]] : 0
}
BEGIN {
  count = split(rooms, room, " ")
  for (i = 1; i <= count; i++)
    heights[room[i]] = i
}
END
cat heights.awk - >upward.awk <<'END'
height($1) > 0 && height($2) > height($1)
END
awk -v rooms="$rooms" -f upward.awk includes >said
same 'no room of the engine includes what is above it' /dev/null said
holds 'there are includes' test "$(grep -c '^engine/control/.* engine/span/' includes)" -gt 5
(cd "$TOP/libcilkprof" && ls -d */ engine/*/) | sort >got
printf '%s\n' abi/ cc/ common/ engine/ include/ launcher/ runtime/ sampler/ $(printf 'engine/%s/ ' $rooms) | sort >wanted
same 'the folders' wanted got

# only FOLDER OTHERS: what it includes of the library is its own, or matches OTHERS.
only() {
  awk -v folder="$1" -v others="^($1/|$2)" 'index($1, folder "/") == 1 && $2 !~ others' includes >said
  same "$1 includes nothing but ${2:-itself}" /dev/null said
  holds "$1 includes something" grep -q "^$1/" includes
}
awk "\$1 ~ /^abi\\//" includes >said
same "abi includes nothing" /dev/null said
only common
only engine 'common/|abi/|include/'
only runtime 'abi/parallel.h|sampler/sampler.h|common/ending.h|common/locks.h'
only sampler 'common/'
only launcher 'common/protocol.h'
awk '$1 ~ /^cc\// && $2 !~ /^(cc\/|abi\/)/' includes >said
same 'neither does the plugin, but for what is compiled into programs' /dev/null said
(cd "$TOP/libcilkprof/cc" && ls -d */) >got
printf '%s\n' back/ driver/ front/ gcc/ parallel/ >wanted
same 'its rooms' wanted got
grep '^cc/.* cc/[a-z-]*/' includes | awk '{ split($1, from, "/"); split($2, to, "/") } from[2] != to[2]' >between
grep -v -e '^cc/parallel/[^ ]* cc/front/\(front\|trips\)\.h$' -e '^[^ ]* cc/gcc/' between >said
same 'no folder includes headers of another, but parallel/ those of front/, and all those of gcc/' /dev/null said
(cd "$TOP/libcilkprof/cc" && grep -rlE --include='*.cc' --include='*.h' 'BUILDING_GCC_VERSION|GCC_BEFORE|__GNUC__|plugin-version\.h|cp-tree\.h' . | grep -v '^./gcc/') >said
same 'what depends on the version of GCC is in gcc/' /dev/null said
holds 'there are such includes' grep -q '^cc/parallel/.* cc/front/front\.h' between

# Who calls what, of the object files on standard input: "calling called", without their suffix.  The engine's state and
# the table of what is asked of the run are no calls.
cat >calls.awk <<'END'
$NF == "__cilkprof_self" || $NF == "__cilkprof_engine" || $NF == "__cilkprof_nobody" || $NF == "__cilkprof_host" { next }
$(NF - 1) == "U" { used[++uses] = $1 " " $NF }
$(NF - 1) ~ /^[TDBR]$/ { where[$NF] = $1 }
END {
  for (i = 1; i <= uses; i++) {
    split(used[i], use, " ")
    if (use[2] in where && where[use[2]] != use[1])
      print use[1], where[use[2]]
  }
}
END
calls() {
  (cd "$BUILD_DIR/libcilkprof" && nm -A "$@") | sed 's/\.o:/ /' | awk -f calls.awk | sort -u
}
cat >circles.awk <<'END'
{ reaches[$1, $2] = 1; files[$1] = files[$2] = 1 }
END {
  for (middle in files)
    for (from in files)
      if ((from, middle) in reaches)
        for (to in files)
          if ((middle, to) in reaches)
            reaches[from, to] = 1
  for (file in files) {
    size = 0
    for (other in files)
      size += ((file, other) in reaches) && ((other, file) in reaches)
    if (size > 3)
      print file, size
  }
}
END
calls $(cd "$BUILD_DIR/libcilkprof" && ls engine/*.o engine/*/*.o) >calls
awk -v rooms="$rooms" -f upward.awk calls >said
same 'no room of the engine calls what is above it' /dev/null said
holds 'there are calls' test "$(grep -c '^engine/control/.* engine/span/' calls)" -gt 5
awk -f circles.awk calls >said
same 'engine: no more than three files call each other in a circle' /dev/null said
for folder in runtime sampler launcher; do
  calls $(cd "$BUILD_DIR/libcilkprof" && find "$folder" -name '*.o') >calls
  awk -f circles.awk calls >said
  same "$folder: no more than three files call each other in a circle" /dev/null said
  holds "$folder: there are calls" test "$(grep -c . calls)" -gt 20
done

finish
