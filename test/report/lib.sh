# What the tests of the report share, with the report built for AddressSanitizer.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/tap.sh"
report=$BUILD_DIR/asan/bin/cilkprof-report
make_profile=$BUILD_DIR/test/report/make-profile
ASAN_OPTIONS=detect_leaks=0 # the report keeps its data until it exits
export ASAN_OPTIONS

# prints NAME ARGUMENT...: the report prints what standard input holds, nothing on standard error, and has status 0.
prints() {
  name=$1
  shift
  cat >wanted
  "$report" "$@" >got 2>errors
  status=$?
  if [ $status != 0 ] || [ -s errors ]; then
    { echo "status $status"; cat errors; } >said
    fail "$name" said
  else
    same "$name" wanted got
  fi
}

# refuses NAME PATTERN ARGUMENT...: the report prints nothing but one line on standard error, which has its name and
# matches the pattern, and has status 1.
refuses() {
  name=$1 pattern=$2
  shift 2
  "$report" "$@" >got 2>errors
  status=$?
  if [ $status = 1 ] && [ ! -s got ] && [ "$(wc -l <errors)" = 1 ] && grep -q '^cilkprof-report: ' errors &&
    grep -q -e "$pattern" errors; then
    pass "$name"
  else
    { echo "status $status"; head -n 20 errors; head -n 5 got; } >said
    fail "$name" said
  fi
}

# build NAME [OPTION...]: makes the program NAME and its profile NAME.out from NAME.txt here or among the tests.
build() {
  name=$1
  shift
  [ -f "$name.txt" ] || cp "$TOP/test/report/$name.txt" .
  if $make_profile program "$name.txt" >"$name.c" &&
    ${CC:-cc} -Wl,--build-id "$@" "$name.c" -o "$name" &&
    $make_profile profile "$name.txt" "$name" >"$name.out"; then
    return
  fi
  give_up "$name is built"
}

# sampled NAME [OPTION...]: makes the program NAME from NAME.c among the tests, and its samples NAME.out from NAME.txt.
sampled() {
  name=$1
  shift
  [ -f "$name.c" ] || cp "$TOP/test/report/$name.c" .
  [ -f "$name.txt" ] || cp "$TOP/test/report/$name.txt" .
  if ${CC:-cc} -g -O1 -Wl,--build-id "$@" "$name.c" -o "$name" &&
    "$BUILD_DIR/test/report/make-samples" "$name.txt" "$name" >"$name.out"; then
    return
  fi
  give_up "$name is built"
}
