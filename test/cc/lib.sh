# What the tests of the compiler share.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/libcilkprof/lib.sh"

# rejects NAME WHERE PATTERN FILE [OPTION...]: the file does not compile; an error at FILE:WHERE matches the pattern.  What
# was compiled last is not compiled again.
rejected=
rejects() {
  name=$1 where=$2 pattern=$3 file=$4
  shift 4
  case $file in *.c) compiler=cc ;; *) compiler=c++ ;; esac
  set -- $compiler "$@" -c "$file" -o rejected.o
  if [ "$rejected" != "$* $(cksum <"$file")" ]; then
    rejected="$* $(cksum <"$file")"
    if "$@" >rejected-said 2>&1; then echo 'it compiles' >rejected-said; fi
  fi
  cp rejected-said said
  if grep -q "^$file:$where: error: .*$pattern" said; then
    pass "$name"
  else
    fail "$name" said
  fi
}
