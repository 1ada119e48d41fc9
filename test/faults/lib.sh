# What the tests of faults share.  Together these tests are the table of faults: each names what is injected and what
# must be seen.
# SPDX-License-Identifier: MIT

. "$TOP/test/libcilkprof/lib.sh"
report=$BUILD_DIR/asan/bin/cilkprof-report
make_profile=$BUILD_DIR/test/report/make-profile
ASAN_OPTIONS=detect_leaks=0 # the report keeps its data until it exits
export ASAN_OPTIONS

# tried KIND [NUMBER]: counts faults, inputs and kills; what the whole run has tried is printed at its end.
figures=$BUILD_DIR/test/figures
mkdir -p "$figures"
tried() {
  echo "${2:-1}" >>"$figures/$1.$$"
}

# fault INJECTED SEEN COMMAND...: one row of the table; the command looks at what was seen.
fault() {
  row="$1: $2"
  shift 2
  tried faults
  holds "$row" "$@"
}

# one_line PATTERN: standard error, kept in said, is one line that matches.
one_line() {
  [ "$(wc -l <stderr)" = 1 ] && grep -q -e "$1" stderr
}
