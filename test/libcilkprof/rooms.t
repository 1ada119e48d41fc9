#!/bin/sh
# What may know of what: the rooms of the engine, and those of the compiler's side.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

rooms='abi support time span control marks tree profile run'

# Who includes what: "including included", one a line, without the folder's name.
(cd "$TOP" && grep -ro --include='*.[ch]' --include='*.cc' '#include "libcilkprof/[^"]*"' libcilkprof) |
  sed 's/^libcilkprof\///; s/:#include "libcilkprof\// /; s/"$//' >includes

# A room knows those before it; what is beside the rooms, engine.h and recorder.h, knows what is compiled into programs.
cat >heights.awk <<'END'
function height(path, parts) {
  split(path, parts, "/")
  return path !~ /\// ? heights["abi"] : parts[1] in heights ? heights[parts[1]] : 0
}
BEGIN {
  count = split(rooms, room, " ")
  for (i = 1; i <= count; i++)
    heights[room[i]] = i
}
END
cat heights.awk - >upward.awk <<'END'
height($1) > 0 && (height($2) > height($1) || height($2) == 0 && $2 !~ /^include\//)
END
awk -v rooms="$rooms" -f upward.awk includes >said
same 'no room of the engine includes what is above it' /dev/null said
holds 'there are includes' test "$(grep -c '^control/.* span/' includes)" -gt 5
(cd "$TOP/libcilkprof" && find . -mindepth 1 -maxdepth 1 ! -name rules.mk ! -name '*.in' ! -name README.md) | sed 's/^..//' | sort >got
printf '%s\n' $rooms engine.h recorder.h cc include launcher openmp parallel runtime samples | sort >wanted
same 'beside the rooms there is only what all of them know' wanted got
awk '$1 ~ /^launcher\// && $2 !~ /^(launcher|support\/reference\.h)/' includes >said
same 'the launcher knows of the engine only what both say to each other' /dev/null said
awk '$1 ~ /^parallel\// && $2 !~ /^(parallel\/|abi\/parallel\.h|samples\/samples\.h|support\/ending\.h)/' includes >said
same 'the parallel runtime knows nothing of the engine' /dev/null said
awk '$1 ~ /^samples\// && $2 !~ /^(samples\/|support\/(file|support)\.h)/' includes >said
same 'nor does the recorder of samples, but what both ask of the system' /dev/null said
awk '$1 ~ /^openmp\// && $2 !~ /^(openmp\/|samples\/samples\.h|support\/(ending|reference|support)\.h)/' includes >said
same 'the tool for OpenMP knows the recorder, and what cilkprof-run says' /dev/null said
awk '$2 ~ /^parallel\// && $1 !~ /^parallel\//' includes >said
same 'nor others of it, but through what is compiled into programs' /dev/null said
holds 'it is there' grep -q '^parallel/.* abi/parallel\.h' includes
awk '$1 ~ /^cc\// && $2 !~ /^(cc\/|abi\/)/' includes >said
same 'neither does the plugin, but for what is compiled into programs' /dev/null said
(cd "$TOP/libcilkprof/cc" && ls -d */) >got
printf '%s\n' back/ driver/ front/ gcc/ parallel/ >wanted
same 'its rooms' wanted got
grep '^cc/.* cc/[a-z-]*/' includes | awk '{ split($1, from, "/"); split($2, to, "/") } from[2] != to[2]' >between
grep -v -e '^cc/parallel/[^ ]* cc/front/\(front\|trips\)\.h$' \
  -e '^cc/front/[a-z]*\.cc cc/parallel/parallel\.h$' -e '^[^ ]* cc/gcc/' between >said
same 'of another of them they know nothing, but front/ and parallel/, which are one plugin, and gcc/, which all know' /dev/null said
(cd "$TOP/libcilkprof/cc" && grep -rlE --include='*.cc' --include='*.h' 'BUILDING_GCC_VERSION|GCC_BEFORE|__GNUC__|plugin-version\.h|cp-tree\.h' . | grep -v '^./gcc/') >said
same 'what depends on the version of GCC is in gcc/' /dev/null said
holds 'there are such includes' grep -q '^cc/parallel/.* cc/front/front\.h' between

# Who calls what: "calling called", object files without their suffix.  The state itself and the table of what is asked of
# the run are no calls.
(cd "$BUILD_DIR/libcilkprof" && nm -A $(for room in $rooms; do [ $room = abi ] || ls $room/*.o; done)) |
  sed 's/\.o:/ /' | awk '
  $NF == "__cilkprof_self" || $NF == "__cilkprof_engine" || $NF == "__cilkprof_nobody" || $NF == "__cilkprof_host" { next }
  $(NF - 1) == "U" { used[++uses] = $1 " " $NF }
  $(NF - 1) ~ /^[TDBR]$/ { where[$NF] = $1 }
  END {
    for (i = 1; i <= uses; i++) {
      split(used[i], use, " ")
      if (use[2] in where && where[use[2]] != use[1])
        print use[1], where[use[2]]
    }
  }' | sort -u >calls
awk -v rooms="$rooms" -f upward.awk calls >said
same 'no room of the engine calls what is above it' /dev/null said
holds 'there are calls' test "$(grep -c '^control/.* span/' calls)" -gt 5
cat heights.awk - >circles.awk <<'END'
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
awk -v rooms="$rooms" -f circles.awk calls >said
same 'no more than three files call each other in a circle' /dev/null said

finish
