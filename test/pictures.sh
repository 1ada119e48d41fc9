#!/bin/sh
# make pictures: the page and the plot that the README shows, from a run of the quicksort of its example.
# SPDX-License-Identifier: MIT
set -eu
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
  echo 'cilkprof: no Chromium to take pictures with; run: apt-get install -y --no-install-recommends chromium' >&2
  exit 1
}
pictures=${1:-$TOP/man}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$TOP"/test/programs/qsort.c "$TOP"/test/programs/random.h "$folder"
cd "$folder"
PATH=$("$BUILD_DIR"/bin/cilkprof-cc --print-path):$BUILD_DIR/bin:$PATH
cc -O2 -g -fcilkplus -fcilkprof qsort.c -o qsort
tries=0
while [ $tries -lt 5 ]; do # other programs must not be in the picture
  cilkprof-run --contexts ./qsort
  cilkprof-report --verdict qsort cilkprof.out | grep -q 'Busy machine' || break
  tries=$((tries + 1))
done
cilkprof-report --processors=16 --html=page.html --plot=speedup.svg qsort cilkprof.out
sed 's/<html lang="en">/<html lang="en" data-theme="light">/' page.html >light.html
HOME=$folder "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/data" \
  --virtual-time-budget=3000 --window-size=1200,1120 --screenshot="$folder/page.png" "file://$folder/light.html" \
  >messages 2>&1 || { cat messages >&2; exit 1; }
cp page.png speedup.svg "$pictures"
ls -l "$pictures/page.png" "$pictures/speedup.svg"
