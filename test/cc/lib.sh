# What the tests of the compiler share.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/libcilkprof/lib.sh"

# rejects NAME WHERE PATTERN FILE [OPTION...]: the file does not compile; an error at FILE:WHERE matches the pattern.
rejects() {
  name=$1 where=$2 pattern=$3 file=$4
  shift 4
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  if $compiler "$@" -c "$file" -o rejected.o >said 2>&1; then
    echo 'it compiles' >said
    fail "$name" said
  elif grep -q "^$file:$where: error: .*$pattern" said; then
    pass "$name"
  else
    fail "$name" said
  fi
}
