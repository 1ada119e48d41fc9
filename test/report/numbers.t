#!/bin/sh
# The tables' own formats for numbers are those of printf.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

"$BUILD_DIR/test/report/numbers" >got
echo 'tried 60237' >wanted
same 'numbers are printed as printf does' wanted got
finish
