#!/bin/sh
# Loops with a static schedule are divided among as many threads as the bounds of the speedup are for.  An iteration is so
# many units of work as a list says, and this script divides the list as OpenMP does.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# What the compiler counts of work(n) without its call is linear in n, so that shares are exact.
cat >loop.c <<'EOC'
int main(int argc, char **argv) {
  static int cost[10000];
  int n = 0;
  for (int i = 1; i < argc; i++) cost[n++] = atoi(argv[i]);
  int *end = cost + n;
#pragma omp parallel
  {
#pragma omp for SCHEDULE
    LOOP { work(*at); }
  }
  return end == cost;
}
EOC

# shares NAME CHUNK COST...: the longest share of a thread in teams of 2 to 128, in units.  CHUNK 0: none is given.
shares() {
  printf '%s\n' "$@" | awk '
    NR == 1 { chunk = $1; next }
    { cost[n++] = $1 }
    END {
      for (threads = 2; threads <= 128; threads *= 2) {
        longest = i = 0
        for (t = 0; t < threads; t++) sum[t] = 0
        if (chunk)
          for (; i < n; i++) sum[int(i / chunk) % threads] += cost[i]
        else
          for (t = 0; t < threads; t++)
            for (k = int(n / threads) + (t < n % threads); k > 0; k--) sum[t] += cost[i++]
        for (t = 0; t < threads; t++) if (sum[t] > longest) longest = sum[t]
        printf "%s%d", (threads > 2 ? " " : ""), longest
      }
      print ""
    }'
}

# measured COLUMN: that list of the only loop, in units.  Each iteration costs some instructions beside its units.
measured() {
  cilkprof-report --format=json loop loop.prof >loop.json
  jq -r ".loops[] | select(.executions > 0) | [.$1[] / $unit_cost | floor] | map(tostring) | join(\" \")" loop.json
}

# divided NAME CHUNK SCHEDULE LOOP COST...
divided() {
  name=$1 chunk=$2 schedule=$3 loop=$4
  shift 4
  compile -O2 -fopenmp -fcilkprof=count -include unit.h "-DSCHEDULE=$schedule" "-DLOOP=$loop" loop.c -o loop
  profile loop "$@"
  equal "$name: the longest shares" "$(shares "$chunk" "$@")" "$(measured longest)"
}
known='for (int *at = cost; at < cost + n; at++)'
rising=$(seq 1 40)
divided 'a triangle' 0 '' "$known" $rising
divided 'falling' 0 'schedule(static)' "$known" $(seq 40 -1 1)
divided 'as many iterations as are no multiple of anything' 0 '' "$known" $(seq 1 3 141)
divided 'more than all threads' 0 '' "$known" $(seq 1 300 | awk '{ print $1 % 7 + ($1 > 250) * 5 }')
divided 'fewer than two threads' 0 '' "$known" 5
divided 'fewer than four' 0 '' "$known" 5 1 1
divided 'auto' 0 'schedule(auto)' "$known" $rising
divided 'single iterations in turn' 1 'schedule(static, 1)' "$known" $rising
divided 'chunks of three' 3 'schedule(static, 3)' "$known" $(seq 1 3 141)
divided 'more chunks than threads' 2 'schedule(static, 2)' "$known" $(seq 1 300 | awk '{ print $1 % 7 }')
OMP_SCHEDULE=static,4 export OMP_SCHEDULE
divided 'at run time' 4 'schedule(runtime)' "$known" $rising
unset OMP_SCHEDULE
CILKPROF_LOOP_WORKERS=3 export CILKPROF_LOOP_WORKERS
divided 'whatever grains are for' 0 '' "$known" $(seq 1 3 141)
unset CILKPROF_LOOP_WORKERS

# A loop whose iterations are counted only while it runs: in ranges, exact as long as each is one iteration.
triangle() {
  seq "$1" | awk '{ for (j = 0; j < $1; j++) print $1 }'
}
cat >collapsed.c <<'EOC'
int main(int argc, char **argv) {
  int n = atoi(argv[1]);
#pragma omp parallel for collapse(2)
  for (int i = 1; i <= n; i++)
    for (int j = 0; j < i; j++) work(i);
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h collapsed.c -o loop
profile loop 30
equal 'a number of iterations that is not known: 465' "$(shares 0 $(triangle 30))" "$(measured longest)"
profile loop 50
shares 0 $(triangle 50) | tr ' ' '\n' >wanted
measured longest | tr ' ' '\n' >got
holds 'many iterations, within a percent' awk '
  NR == FNR { wanted[FNR] = $1; next }
  { if ($1 > 1.01 * wanted[FNR] || $1 < 0.99 * wanted[FNR]) exit bad = 1; right++ } END { exit bad || right != 7 }' wanted got

# Iterations that no event tells apart are all the same.
cat >even.c <<'EOC'
int main(void) {
  static unsigned a[1000];
#pragma omp parallel for SCHEDULE
  for (int i = 0; i < 1000; i++) a[i] = 3 * a[i] + i;
  sink = a[999];
  return 0;
}
EOC
for chunk in 0 30; do
  compile -O2 -fopenmp -fcilkprof=count -include unit.h -DSCHEDULE="$([ $chunk = 0 ] || echo "schedule(static, $chunk)")" even.c -o loop
  profile loop
  cilkprof-report --format=json loop loop.prof >loop.json
  jq -r '.loops[0] as $loop | $loop.longest[] | . * 1000 / $loop.work | floor' loop.json | tr '\n' ' ' | sed 's/ $//' >got
  echo >>got
  shares $chunk $(yes 1 | head -n 1000) >wanted
  same "even iterations, chunks of $chunk" wanted got
done

# Several executions add up, and only those on the span make it longer.
cat >several.c <<'EOC'
static void rows(int n) {
#pragma omp parallel for
  for (int i = 1; i <= n; i++) work(i);
}
int main(void) {
  work(3);
  rows(16);
  rows(32);
#pragma omp parallel sections
  {
#pragma omp section
    work(300);
#pragma omp section
    rows(16);
  }
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h several.c -o loop
profile loop
equal 'three executions' 3 "$(cilkprof-report --format=json loop loop.prof | jq '.loops[0].executions')"
equal 'their longest shares' '592 344 184 95 64 64 64' "$(measured longest)"
# Of two threads 100 and 392, of which 16 and 32 are in the span; the third execution is not on it.
equal 'what they add to the span' '444 238 105 31 0 0 0' "$(measured more)"
cilkprof-report --sum -o loop.sum loop loop.prof loop.prof
cp loop.sum loop.prof
equal 'twice as much in a sum' '1184 688 368 190 128 128 128' "$(measured longest)"

# The estimates, the verdict and the JSON have the same bounds.
cat >loop.c <<'EOC'
int main(void) {
#pragma omp parallel for SCHEDULE
  for (int i = 0; i < 1024; i++) work(i);
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h -DSCHEDULE= loop.c -o loop
profile loop
cilkprof-report --verdict --processors=2 loop loop.prof | tr '\n' ' ' | tr -s ' ' >verdict
estimate() {
  sed -n "s/^ *$1 processors: *[0-9.]* - *\([0-9.]*\) .*/\1/p" summary.txt
}
equal 'a triangle on 2 to 128 processors' '1.33 2.28 4.26 8.25 16.25 32.24 64.22' \
  "$(echo $(for p in 2 4 8 16 32 64 128; do estimate $p; done))"
holds 'the verdict has the same' grep -q 'Speedup: between 1.3[23] and 1.33 on 2 processors' verdict
holds 'the cause, its place, and what mends it' grep -q "Load imbalance: the longest of the 2 static chunks of the omp parallel \
for at loop.c:2 takes 75% of its work; schedule(dynamic) or smaller pieces would raise the speedup on 2 processors from 1.33 to 2.00" verdict
holds 'not the function that is called' sh -c '! grep -q Parallelise verdict'
holds 'and no other causes' sh -c '! grep -q "memory bandwidth" verdict'
equal 'JSON has the same' 1.33 "$(cilkprof-report --format=json loop loop.prof | jq '.bounds[0].upper * 100 | round / 100')"
equal 'interpolated for other numbers' 1.85 \
  "$(cilkprof-report --summary --processors=3 loop loop.prof | sed -n 's/^ *3 processors: *[0-9.]* - *\([0-9.]*\) .*/\1/p')"
compile -O2 -fopenmp -fcilkprof=count -include unit.h '-DSCHEDULE=schedule(dynamic)' loop.c -o loop
profile loop
equal 'a dynamic schedule' '2.00 8.00' "$(estimate 2) $(estimate 8)"
finish
