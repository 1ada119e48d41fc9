# What the scripts of the benchmark share.  Needs $build, the folder of the build, and $runs.
# SPDX-License-Identifier: MIT

bench=$(cd "$(dirname "$0")" && pwd)
status=0

tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$tmp/profiles"

fail() {
  echo "bench: $*" >&2
  status=1
}

# compile VARIANT OPTION...: baseline is the serial elision with its calls, plain is -fcilkplus=serial, the others are
# modes.
compile() {
  variant=$1
  shift
  case $variant in
  baseline) gcc -O3 -I "$bench/baseline" '-DCILK_FUNCTION=__attribute__((noinline))' "$@" -lm ;;
  plain) "$build/lib/cilkprof/bin/cc" -O3 -fcilkplus=serial "$@" -lm ;;
  *) "$build/lib/cilkprof/bin/cc" -O3 -fcilkplus "-fcilkprof=$variant" "$@" -lm ;;
  esac || {
    fail "no $variant variant: $*"
    return 1
  }
}
