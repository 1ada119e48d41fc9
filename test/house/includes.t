#!/bin/sh
# What each folder may include.
# SPDX-License-Identifier: MIT
. "$TOP/test/house/lib.sh"

holds 'there are includes' test "$(grep -c . includes)" -gt 500

# only FOLDER OTHERS: of the project's files it includes only its own and those that OTHERS, a regular expression, matches.
only() {
  awk -v folder="$1/" -v others="^($2)" '
    index($1, folder) == 1 && $2 ~ /^(cilkprof-report|libcilkprof|fmt)\// && index($2, folder) != 1 && $2 !~ others' includes >said
  same "$1 includes itself, and ${2:-nothing else}" /dev/null said
  holds "$1 is there" grep -q "^$1/" includes
}
lib=libcilkprof
only fmt '-'
only cilkprof-report fmt/
only $lib/abi '-'
only $lib/common fmt/
only $lib/cc "fmt/description.h|$lib/abi/"
only $lib/engine "fmt/|$lib/(abi|common|include)/|$lib/sampler/sampler.h"
only $lib/runtime "$lib/(abi/parallel|sampler/sampler|common/ending|common/locks|common/system|common/ticks).h"
only $lib/paths "fmt/|$lib/common/"
only $lib/sampler "fmt/|$lib/common/|$lib/paths/paths.h|$lib/include/cilkprof.h"
only $lib/launcher "fmt/|$lib/common/protocol.h"
only $lib/command "$lib/launcher/launcher.h"

upward $lib/engine "$engine_folders" <includes >said
same 'no folder of the engine includes one above it' /dev/null said
upward cilkprof-report "$report_folders" <includes >said
same 'no folder of the report includes one above it' /dev/null said

# The plugins: parallel/ is above front/, both are one plugin; gcc/ is what all know.
awk '{ split($1, from, "/"); split($2, to, "/") } $1 ~ /^libcilkprof\/cc\/[a-z]*\// && $2 ~ /^libcilkprof\/cc\/[a-z]*\// && from[3] != to[3]' includes |
  grep -v ' libcilkprof/cc/gcc/' >between
grep -v '^libcilkprof/cc/parallel/[^ ]* libcilkprof/cc/front/\(front\|trips\)\.h$' between >said
holds 'there are such includes' test -s between
same 'a folder of the plugins includes no other, but parallel/ two headers of front/, and all gcc/' /dev/null said
(cd "$TOP/libcilkprof/cc" && grep -rlE --include='*.cc' --include='*.h' \
  'BUILDING_GCC_VERSION|GCC_BEFORE|__GNUC__|plugin-version\.h|cp-tree\.h' . | grep -v '^./gcc/') >said
same 'what depends on the version of GCC is in gcc/' /dev/null said

# folders FOLDER NAMES...: these are its folders, and no others.
folders() {
  folder=$1
  shift
  (cd "$TOP/$folder" && ls -d */ | tr -d /) >got
  printf '%s\n' "$@" | sort >wanted
  same "the folders of $folder" wanted got
}
folders libcilkprof abi cc cmake command common engine include launcher paths runtime sampler
folders libcilkprof/engine $engine_folders
folders libcilkprof/cc back driver front gcc parallel
folders cilkprof-report $(echo "$report_folders" | tr -d '()')

# The engine and the format are in other people's programs.
(cd "$TOP" && find fmt libcilkprof -path libcilkprof/launcher -prune -o -path libcilkprof/cc -prune -o -name '*.[ch]' -print |
  xargs grep -l '#include <\(bfd\|libelf\|gelf\|elfutils/.*\|argp\)\.h>') >said
same 'neither BFD nor libelf nor argp in what a program links' /dev/null said
nm -u "$BUILD_DIR"/fmt/*.o | grep -E ' (v?f?printf|puts|fputs|fwrite|exit|_exit|perror)(@|$)' >said
same 'the format neither prints nor exits' /dev/null said
finish
