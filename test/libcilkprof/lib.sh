# What the tests of the engine and of the compiler share: compiling, running, and looking at a profile.
# SPDX-License-Identifier: MIT

. "$TOP/test/tap.sh"
PATH=$BUILD_DIR/lib/cilkprof/bin:$BUILD_DIR/bin:$PATH
programs=$TOP/test/programs
# RUN: what runs a program, when this machine does not (make check-other).

# compile OPTION...: with cc, as a user would; -fcilkplus is given, and -fcilkplus=serial overrides it.
compile() {
  cc -fcilkplus "$@" >compiler-said 2>&1 || give_up "cc -fcilkplus $*" compiler-said
}

# profile PROGRAM [ARGUMENT...]: runs ./PROGRAM, which writes PROGRAM.prof, and makes sites.csv of it.  Reading a profile
# checks the two identities: local work adds up to the work, local span on the span to the span; the program says where
# they do not hold.
profile() {
  program=$1
  shift
  CILKPROF_OUT=$program.prof $RUN "./$program" "$@" >"$program.stdout" 2>"$program.stderr" </dev/null
  status=$?
  cilkprof-report --csv "$program" "$program.prof" 2>report-said | tr -d '\r"' >sites.csv
  cilkprof-report --summary -b "$program" "$program.prof" >summary.txt 2>>report-said
  grep 'seems to call instrumented functions' "$program.stderr" >>report-said
  if [ -s report-said ]; then
    give_up "$program: its profile can be read, and is whole" report-said
  fi
}

# both NAME PROGRAM ARGUMENT...: with counted calls the program says the same as where all are followed, and has the same
# numbers of calls.  The test defines counts, which prints these from sites.csv.
both() {
  name=$1
  shift
  CILKPROF_FOLLOW=1
  export CILKPROF_FOLLOW
  profile "$@"
  unset CILKPROF_FOLLOW
  { cat "$1.stdout"; echo "status $status"; } >followed-said
  counts >followed-counts
  cp summary.txt followed-summary
  profile "$@"
  { cat "$1.stdout"; echo "status $status"; } >counted-said
  counts >counted-counts
  same "$name: what the program says" followed-said counted-said
  same "$name: how often each call was made" followed-counts counted-counts
  for figure in Spawns Syncs; do
    equal "$name: $figure" "$(sed -n "s/^ *$figure: *//p" followed-summary)" "$(sed -n "s/^ *$figure: *//p" summary.txt)"
  done
}

# field CALLEE COLUMN: from the first row of sites.csv with that callee; field 'CALLER>CALLEE' COLUMN from that one.
field() {
  awk -F, -v who="$1" -v column="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["callee"] == who || $at["caller"] ">" $at["callee"] == who { print $at[column]; exit }' sites.csv
}

# total COLUMN: the sum over all sites.
total() {
  awk -F, -v column="$1" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { sum += $at[column] } END { printf "%d\n", sum }' sites.csv
}

# whole NAME: a figure of the whole program, as `Work' or `Spawns', without commas.
whole() {
  sed -n "s/^ *$1: *//p" summary.txt | sed 's/ .*//; s/,//g'
}

# calculate EXPRESSION: with awk; succeeds when it is true.
calculate() {
  awk "BEGIN { exit !($1) }"
}

# true_that NAME EXPRESSION
true_that() {
  echo "$2" >expression
  if calculate "$2"; then pass "$1"; else fail "$1" expression; fi
}

# equal NAME WANTED GOT: two words.
equal() {
  echo "wanted $2, got $3" >words
  if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" words; fi
}
