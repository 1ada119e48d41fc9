#!/bin/sh
# A test script that cannot go on fails alone: the others run all the same.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

printf '. "$TOP/test/tap.sh"\npass one\ngive_up "the program is there"\npass two\nfinish\n' >broken.t
printf '. "$TOP/test/tap.sh"\npass one\nfinish\n' >whole.t
prove -e sh broken.t whole.t >printed 2>&1
holds 'the broken one fails' grep -q '^broken.t.*Failed: 1' printed
holds 'the other one runs' grep -q '^whole.t .* ok' printed
holds 'both are counted' grep -q 'Files=2, Tests=3' printed
word='Bail' # which ends all of them
holds 'no script says the word that ends all' sh -c "! grep -rn '$word out' '$TOP/test' --include='*.t' --include='*.sh'"
finish
