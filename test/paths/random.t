#!/bin/sh
# Work, span and samples of random programs of tasks, groups, dependences, regions and loops, against full lists.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

failed=0 tried=0
for seed in $(seq 1 ${LONG:+30}150); do
  tried=$((tried + 1))
  "$BUILD_DIR/test/paths/random" "$seed" >printed 2>&1 || {
    failed=$((failed + 1))
    cat printed >>wrong
  }
done
: >>wrong
same "$tried random programs" /dev/null wrong
holds 'they have spans' grep -q 'span [1-9]' printed
finish
