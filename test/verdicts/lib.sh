# What the suite of planted faults is made of: its cases, how one is built and run, and how its verdict is judged.
# SPDX-License-Identifier: MIT

: "${BUILD_DIR:?}" "${TOP:?}"
export LC_ALL=C
unset COLUMNS # the report would fit it
unset MAKEFLAGS MFLAGS MAKELEVEL # gcc looks for the jobs of a make around it, and says that there are none
programs=$TOP/test/verdicts/programs
PATH=$BUILD_DIR/lib/cilkprof/bin:$BUILD_DIR/bin:$PATH
export PATH

# list_cases: prints a line for every case: name | source | build | cause | label | functions | bounds | colleague.  The
# comments at the top of the programs say it: README.md has the form.
list_cases() {
  awk '
    function print_case() { if (fields != "") print fields " | " said; fields = said = ""; }
    FNR == 1 { print_case() }
    / verdict: / {
      print_case()
      split($0, part, / *\| */)
      name = part[1]; sub(/^.* verdict: */, "", name)
      source = FILENAME; sub(/^.*\//, "", source)
      bounds = part[6]; sub(/ *\*\/ *$/, "", bounds)
      fields = name " | " source " | " part[2] " | " part[3] " | " part[4] " | " part[5] " | " bounds
      next
    }
    / colleague: / { said = $0; sub(/^.* colleague: */, "", said) }
    fields != "" && !/ colleague: / && said != "" && said !~ /\*\/ *$/ { more = $0; sub(/^ */, "", more); said = said " " more }
    said ~ /\*\/ *$/ { sub(/ *\*\/ *$/, "", said); print_case() }
    END { print_case() }' "$programs"/*.c "$programs"/*.cc
}

# field NUMBER CASE: a part of the line of a case.
field() {
  printf '%s\n' "$2" | awk -F ' *[|] *' -v number="$1" '{ print $number }'
}

# compiler_of SOURCE: the command for its language.
compiler_of() {
  case $1 in *.cc) echo c++ ;; *) echo cc ;; esac
}

# build_case FOLDER CASE OPTION...: compiles the program of a case there, with its library if it has one.  The words of
# its build are cilk or openmp, static=SOURCE or shared=SOURCE for the library, and options of the compiler.
build_case() {
  folder=$1 source=$(field 2 "$2") words=$(field 3 "$2")
  shift 2
  rm -rf "$folder"
  mkdir -p "$folder" || return 1
  libraries= options="$*"
  for word in $words; do
    case $word in
    cilk) options="$options -fcilkplus -fcilkprof" ;;
    openmp) options="$options -fopenmp -g${COMPILED:+ -fcilkprof}" ;;
    static=* | shared=*) ;;
    *) options="$options $word" ;;
    esac
  done
  for word in $words; do
    library=${word#*=}
    case $word in
    static=*)
      $(compiler_of "$library") $options -c "$programs/$library" -o "$folder/part.o" && ar rc "$folder/libpart.a" "$folder/part.o" || return 1
      libraries="$libraries $folder/libpart.a"
      ;;
    shared=*)
      $(compiler_of "$library") $options -fPIC -shared "$programs/$library" -o "$folder/libpart.so" || return 1
      libraries="$libraries -L$folder -lpart -Wl,-rpath,$folder"
      ;;
    esac
  done
  $(compiler_of "$source") $options "$programs/$source" -o "$folder/program" $libraries -lm -pthread
}

# run_case FOLDER CASE: runs the program, and leaves what the report says of it on 2 and 8 processors there, as JSON.  An
# OpenMP program runs with as many threads.
run_case() {
  (cd "$1" && for processors in 2 8; do
    profile=cilkprof-$processors.out
    case ${COMPILED:-$(field 3 "$2")} in
    openmp*) cilkprof run -j$processors -o $profile ./program >output </dev/null || exit 1 ;;
    *) [ $processors = 8 ] && mv cilkprof-2.out $profile || CILKPROF_OUT=$profile ./program >output </dev/null || exit 1 ;;
    esac
    report_case $processors || exit 1
  done)
}

# report_case PROCESSORS: in the folder of a case.
report_case() {
  cilkprof-report --format=json --processors=$1 program cilkprof-$1.out >verdict-$1.json
}

# sources_of CASE: the files that it is compiled from.
sources_of() {
  echo "$programs/$(field 2 "$1")"
  for word in $(field 3 "$1"); do
    case $word in static=* | shared=*) echo "$programs/${word#*=}" ;; esac
  done
}

# judge_case FOLDER CASE: prints the grade (right, generic or wrong), a tab, and what the verdict said.
judge_case() {
  perl "$TOP/test/verdicts/judge" "$(field 4 "$2")" "$(field 5 "$2")" "$(field 6 "$2")" "$(field 7 "$2")" \
    "$1/verdict-2.json,$1/verdict-8.json" $(sources_of "$2")
}
