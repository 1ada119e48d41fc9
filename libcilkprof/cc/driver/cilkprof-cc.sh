#!/bin/sh
# gcc, g++ and gfortran with -fcilkplus and -fcilkprof.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Called as cilkprof-cc or cilkprof-c++ it compiles Cilk and instruments it, as cilkprof-fortran it instruments Fortran.
# Called as cc, gcc, c++, g++ or gfortran, from the folder that --print-path names, it is that compiler and knows two more
# options.  Built of @STAMP@.

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

name=${0##*/} version=
case $name in
cilkprof-cc | cilkprof-c++ | cilkprof-fortran)
  case ${1-} in
  --print-path)
    echo "$lib/bin"
    exit 0
    ;;
  --print-specs)
    echo "$lib/cilkprof.specs"
    exit 0
    ;;
  --print-cmake)
    echo "${lib%/*}/cmake/cilkprof"
    exit 0
    ;;
  --print-clangd)
    include=$(printf '%s\n' "$lib/include" | sed "s/'/''/g")
    printf '%s\n' 'CompileFlags:' "  Add: [-isystem, '$include']" "  Remove: [-fcilk*, -fopencilk, -Wcilk-serial, -specs=*]"
    exit 0
    ;;
  --version)
    version=@VERSION@
    ;;
  esac
  case $name in
  cilkprof-cc) compiler=${CILKPROF_CC:-gcc} ;;
  cilkprof-fortran) compiler=${CILKPROF_FC:-gfortran} ;;
  *) compiler=${CILKPROF_CXX:-g++} ;;
  esac
  add="-fcilkprof-language -fcilkprof"
  ;;
*)
  compiler=$name
  add=
  ;;
esac

# A build may call this as it calls ccache: before a compiler, which is then the one that compiles.
launched=${1-} launched=${launched##*/}
launched=${launched%-[0-9]*}
case ${launched##*-} in
cc | gcc | c++ | g++ | gfortran | clang | clang++)
  if command -v -- "$1" >/dev/null; then
    compiler=$1
    shift
  fi
  ;;
esac

# gcc's driver swallows -fcilkplus as an option of old, before any specs file sees it.  Response files may hold options,
# and further response files; where they name each other in a circle, gcc says so.
files=0
look_for_options()
{
  for option; do
    case $option in
    -fcilkplus) add="-fcilkprof-language $add" ;;
    -fcilkprof | -fcilkprof=*) add=${add%-fcilkprof} ;;
    @*)
      files=$((files + 1))
      [ -f "${option#@}" ] && [ $files -le 100 ] && look_for_options $(tr -d "\"'" <"${option#@}")
      ;;
    esac
  done
}
set -f
look_for_options "$@"
case " $* " in
*" -specs=$lib/cilkprof.specs "*) specs= ;; # a wrapper was run with it, and calls this again
*) specs=-specs=$lib/cilkprof.specs ;;
esac
set -- ${specs:+"$specs"} $add "$@"

# A wrapper script of the compiler's name may call this, by its path or because it is the next in PATH: what was run from
# here, and came back, is not run again.
called()
(
  IFS=:
  for before in ${CILKPROF_CC_CALLED-}; do
    [ "$1" -ef "$before" ] && exit 0
  done
  exit 1
)

# The compiler is the next of that name in PATH.  Masquerade folders are passed over wherever they stand: this one, and
# those of other installations, which would look for the compiler here.
rest=$PATH: path= found= here_passed= caller= back=
while [ -n "$rest" ]; do
  folder=${rest%%:*} rest=${rest#*:}
  file=${folder:-.}/$compiler
  if [ -z "$here_passed" ] && [ "$here" = "$lib/bin" ] && [ "${folder:-.}" -ef "$here" ]; then
    here_passed=yes caller=$found found= # what stands before this folder may have called it
  elif [ ! -x "$file" ] || [ -d "$file" ]; then
    path=$path:$folder
  else
    case $(readlink -f -- "$file") in
    */lib/cilkprof/bin/*) continue ;;
    esac
    path=$path:$folder
    if [ -n "${CILKPROF_CC_CALLED-}" ] && called "$file"; then
      back=$file
    else
      found=${found:-$file}
    fi
  fi
done
case $compiler in
*/*)
  ! called "$compiler" || fail "$compiler: it calls $0, which would call it again"
  ;;
*)
  found=${found:-$caller}
  [ -n "$found" ] || [ -z "$back" ] || fail "$compiler: not found in PATH after $back, which calls $0"
  if [ -z "$found" ]; then # Ubuntu and Debian may have gfortran-13 alone
    set +f
    for folder in "$lib"/gcc-*; do
      file=$(command -v -- "$compiler-${folder##*-}") && found=$file
    done
  fi
  [ -n "$found" ] || fail "$compiler: not found in PATH"
  compiler=$found
  ;;
esac
case ${compiler##*/} in
*clang*) fail "$compiler: clang does not load the plugins of gcc; name a gcc by CILKPROF_CC" ;;
esac
export CILKPROF_CC_CALLED="${CILKPROF_CC_CALLED-}:$compiler"

# A program, as ccache, may look for a compiler in its turn and does not see the masquerade folders.  A script sees what
# its author saw.
case $(head -c 2 -- "$compiler" 2>/dev/null) in
'#!') ;;
*) PATH=${path#:} ;;
esac

# What the compiler says of its version comes first: builds know a compiler by that.
[ -n "$version" ] || exec "$compiler" "$@"
"$compiler" "$@" && echo "cilkprof $version"
