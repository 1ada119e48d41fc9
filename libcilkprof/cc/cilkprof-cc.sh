#!/bin/sh
# gcc and g++ with -fcilkplus and -fcilkprof.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Called as cilkprof-cc or cilkprof-c++ it compiles Cilk and instruments it.  Called as cc, gcc, c++ or g++, from the folder
# that --print-path names, it is that compiler and knows two more options.

fail()
{
  echo "cilkprof-cc: $1" >&2
  exit 1
}

self=$(command -v -- "$0") && self=$(readlink -f -- "$self") || fail "$0: cannot tell where it is installed"
here=${self%/*}
case $here in
*/lib/cilkprof/bin) lib=${here%/bin} ;;
*) lib=${here%/*}/lib/cilkprof ;;
esac
[ -f "$lib/cilkprof.specs" ] || fail "$lib/cilkprof.specs: not found; install cilkprof again"

name=${0##*/}
case $name in
cilkprof-cc | cilkprof-c++)
  case ${1-} in
  --print-path)
    echo "$lib/bin"
    exit 0
    ;;
  --print-specs)
    echo "$lib/cilkprof.specs"
    exit 0
    ;;
  esac
  case $name in
  cilkprof-cc) compiler=${CILKPROF_CC:-gcc} ;;
  *) compiler=${CILKPROF_CXX:-g++} ;;
  esac
  add="-fcilkprof-language -fcilkprof"
  ;;
*)
  compiler=$name
  add=
  ;;
esac

# gcc's driver swallows -fcilkplus as an option of old, before any specs file sees it.
for option; do
  case $option in
  -fcilkplus) add="-fcilkprof-language $add" ;;
  -fcilkprof | -fcilkprof=*) add=${add%-fcilkprof} ;;
  esac
done
set -- $add "$@"

# The compiler is the next of that name.  Masquerade folders are passed over wherever they stand in PATH: this one, and
# those of other installations, which would look for the compiler here.
case $compiler in
*/*) ;;
*)
  rest=$PATH: found=
  while [ -n "$rest" ] && [ -z "$found" ]; do
    folder=${rest%%:*} rest=${rest#*:}
    [ -x "${folder:-.}/$compiler" ] && [ ! -d "${folder:-.}/$compiler" ] || continue
    case $(readlink -f -- "${folder:-.}/$compiler") in
    */lib/cilkprof/bin/*) ;;
    *) found=${folder:-.}/$compiler ;;
    esac
  done
  [ -n "$found" ] || fail "$compiler: not found in PATH"
  compiler=$found
  ;;
esac
exec "$compiler" -specs="$lib/cilkprof.specs" "$@"
