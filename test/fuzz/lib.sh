# What fuzzing and its replay share: a program, its profile, and the sanitizers' options.
# SPDX-License-Identifier: GPL-3.0-or-later

fuzz=$BUILD_DIR/test/fuzz
make_profile=$BUILD_DIR/test/report/make-profile
corpus=$TOP/test/fuzz/corpus
ASAN_OPTIONS=abort_on_error=1:detect_leaks=0 # the report keeps its data until it exits
export ASAN_OPTIONS

# sampled NAME [OPTION...]: a small program and its samples, here.
sampled() {
  folder=$TOP/test/report name=$1
  shift
  ${CC:-cc} -g -O1 -Wl,--build-id -nostdlib -nostartfiles -Wl,-e,main "$@" "$folder/$name.c" -o "$name" &&
    "$BUILD_DIR/test/report/make-samples" "$folder/$name.txt" "$name" >"$name.out"
}

# seed NAME [OPTION...]: a small program and its profile, here.
seed() {
  text=$TOP/test/report/$1.txt
  name=$1
  shift
  $make_profile program "$text" >"$name.c" &&
    ${CC:-cc} -g -Wl,--build-id -nostdlib -nostartfiles -Wl,-e,main "$@" "$name.c" -o "$name" &&
    $make_profile profile "$text" "$name" >"$name.out"
}
