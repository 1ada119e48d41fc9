#!/bin/sh
# Exceptions of children, and reducers: both as in the serial order.
# SPDX-License-Identifier: MIT
. "$TOP/test/parallel/lib.sh"

by_hand exceptions exceptions.cc
everywhere 'the serially first exception arrives' ./exceptions first 20
everywhere 'one of a child wins over one of the function itself' ./exceptions continuation 20
everywhere 'through many joins' ./exceptions far 20
everywhere 'out of loops' ./exceptions loops 20
everywhere 'reducers' ./exceptions reducers 20
everywhere 'many reducers of one strand' ./exceptions tables 20

finish
