#!/bin/sh
# Who calls whom: no folder one above it, and no more than three files each other in a circle.
# SPDX-License-Identifier: MIT
. "$TOP/test/house/lib.sh"

# few_circles NAME FOLDER OBJECTS...
few_circles() {
  part=$1
  shift
  calls "$@" >"$part.calls"
  holds "$part: there are calls" test "$(grep -c . "$part.calls")" -gt 3
  circles <"$part.calls" >said
  same "$part: no more than three files call each other in a circle" /dev/null said
}
# below FOLDER: the object files of the sources there, which are all built; a build folder may hold older ones too.
below() {
  (cd "$TOP" && find "$1" -name '*.c' -o -name '*.cc') | sed 's/\.cc*$/.o/'
}
# The tool for OpenMP programs is only built where the header that it needs is.
built() {
  for object in $(below "$2"); do
    [ ! -f "$1/$object" ] || echo "$object"
  done
}
plugins=$BUILD_DIR/gcc-$(gcc -dumpversion | cut -d. -f1)
few_circles engine "$BUILD_DIR" $(built "$BUILD_DIR" libcilkprof/engine)
few_circles runtime "$BUILD_DIR" $(built "$BUILD_DIR" libcilkprof/runtime)
few_circles sampler "$BUILD_DIR" $(built "$BUILD_DIR" libcilkprof/sampler)
few_circles launcher "$BUILD_DIR" $(built "$BUILD_DIR" libcilkprof/launcher)
few_circles command "$BUILD_DIR" $(built "$BUILD_DIR" libcilkprof/command)
few_circles plugins "$plugins" $(built "$plugins" libcilkprof/cc)
few_circles format "$BUILD_DIR" $(built "$BUILD_DIR" fmt)
few_circles report "$BUILD_DIR" $(built "$BUILD_DIR" cilkprof-report)

upward libcilkprof/engine "$engine_folders" <engine.calls >said
same 'no folder of the engine calls one above it' /dev/null said
upward cilkprof-report "$report_folders" <report.calls >said
same 'no folder of the report calls one above it' /dev/null said
finish
