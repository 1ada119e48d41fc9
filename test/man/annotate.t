#!/bin/sh
# cilkprof-annotate(3): its example runs, and its names are those of the header.
# SPDX-License-Identifier: MIT
. "$TOP/test/man/lib.sh"
PKG_CONFIG_PATH=$BUILD_DIR/lib/pkgconfig
export PKG_CONFIG_PATH

listing cilkprof-annotate.3 loop.c >loop.c
listing cilkprof-annotate.3 'example 1' >shown
sed -n 's/^\$ //p' shown >commands
sh -e ./commands >got 2>errors || echo "status $?" >>errors
same 'the example runs' /dev/null errors
grep -v '^\$' shown >wanted
head -n 1 got >printed
same 'the program prints what is shown' wanted printed
holds 'and the report has the table' grep -q '^  dynamic,1 ' got
holds 'and what is foretold' grep -q '^  Prediction: [0-9.]*x on [0-9]* processors with ' got
sed -n 's/^#define \(\(PAR\|LOCK\)_[A-Z_]*\)(.*/\1/p' "$TOP/libcilkprof/include/cilkprof-annotate.h" | sort >wanted
sed -n '/^\.SH SYNOPSIS/,/^\.SH DESC/s/.*\(\(PAR\|LOCK\)_[A-Z_]*\)(.*/\1/p' "$TOP/man/cilkprof-annotate.3" | sort >got
same 'all six are in the synopsis' wanted got
finish
