# The programs of this folder, and how they are compiled.
# SPDX-License-Identifier: MIT

# Each with what runs it in parallel, and under which of the schedules that are emulated; and a small size, for tests.
programs='
lu openmp static 60
molecules openmp static 60
fourier cilk cilk 8192
sort cilk cilk 20000
mandelbrot openmp dynamic,1 64
gaussian openmp dynamic,1 4
gradient openmp static 40
fourier3 openmp static 16
'

# foretell_build PROGRAM KIND: as it is, annotated, and in parallel, under its name and .serial, .annotated and .parallel.
foretell_build() {
  source=$TOP/test/foretell/$1.c include=$BUILD_DIR/lib/cilkprof/include/annotate
  # shellcheck disable=SC2046
  ${CC:-cc} -O2 -I "$include" "$source" -o "$1.serial" -lm &&
    ${CC:-cc} -O2 "$source" $(PKG_CONFIG_PATH=$BUILD_DIR/lib/pkgconfig pkg-config --cflags --libs cilkprof-annotate) \
      -o "$1.annotated" -lm || return 1
  if [ "$2" = cilk ]; then
    "$BUILD_DIR/lib/cilkprof/bin/cc" -O2 -fcilkplus -I "$include" "$source" -o "$1.parallel" -lm
  else
    ${CC:-cc} -O2 -fopenmp -I "$include" "$source" -o "$1.parallel" -lm
  fi
}
