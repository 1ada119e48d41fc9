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
# below FOLDER PATTERN: the object files below it, by their paths from there.
below() {
  (cd "$1" && find $2 -name '*.o' ! -name 'lib*')
}
lib=$BUILD_DIR/libcilkprof major=$(gcc -dumpversion | cut -d. -f1)
few_circles engine "$lib" $(below "$lib" engine)
few_circles runtime "$lib" $(below "$lib" runtime)
few_circles sampler "$lib" $(below "$lib" sampler)
few_circles launcher "$lib" $(below "$lib" launcher)
few_circles plugins "$BUILD_DIR/gcc-$major/libcilkprof" $(below "$BUILD_DIR/gcc-$major/libcilkprof" cc)
few_circles format "$BUILD_DIR" $(below "$BUILD_DIR" fmt)
few_circles report "$BUILD_DIR" $(below "$BUILD_DIR" cilkprof-report)

upward engine "$engine_folders" <engine.calls >said
same 'no folder of the engine calls one above it' /dev/null said
upward cilkprof-report "$report_folders" <report.calls >said
same 'no folder of the report calls one above it' /dev/null said
finish
