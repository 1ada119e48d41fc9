# What all tests share: TAP, in a folder of their own.
# SPDX-License-Identifier: MIT

# With LONG=1, as in make check-long, tests try all variants: levels of optimisation, standards, modes.  Without it they
# try those that differ most, where a list has the others as ${LONG:+-O1 -O3}, or with each program another (in_turn).
unset COLUMNS # the report would fit it
unset MAKEFLAGS MFLAGS MAKELEVEL # gcc looks for the jobs of a make around it, and says that there are none
: "${BUILD_DIR:?}" "${TOP:?}"
export LC_ALL=C

count=0
tap_folder=$(mktemp -d) || exit 1
trap 'rm -rf "$tap_folder"' EXIT
cd "$tap_folder" || exit 1

# pass NAME, fail NAME FILE: one test.  The file is printed as a comment.
pass() {
  count=$((count + 1))
  echo "ok $count - $1"
}
fail() {
  count=$((count + 1))
  echo "not ok $count - $1"
  sed 's/^/# /' "$2"
}

# same NAME WANTED GOT: two files are equal.
same() {
  if diff -u "$2" "$3" >difference 2>&1; then pass "$1"; else fail "$1" difference; fi
}

# holds NAME COMMAND...: the command succeeds.
holds() {
  name=$1
  shift
  if "$@" >said 2>&1; then pass "$name"; else fail "$name" said; fi
}

# in_turn COUNT: in a loop over so many variants, true of one of them, of the next one when the loop runs again; with LONG
# of all.  So each program is tried with one, and each variant with some programs.
in_turn() {
  eval "visit=\$((visit_$1)) && visit_$1=\$((visit + 1))"
  [ -n "$LONG" ] || [ $((visit % $1)) = $((visit / $1 % $1)) ]
}

finish() {
  echo "1..$count"
}

# give_up NAME [FILE]: what was to be tested is not there.  This script fails and ends; TAP's own word for that would end all
# other scripts too.
give_up() {
  fail "$1" "${2:-/dev/null}"
  finish
  exit 1
}
