# What the tests of the manual pages share.
# SPDX-License-Identifier: MIT

. "$TOP/test/libcilkprof/lib.sh"

# listing PAGE NAME: what stands between .\" begin NAME and .\" end, as a reader sees it.
listing() {
  awk -v begin=".\\\\\" begin $2" '$0 == begin { on = 1; next } /^\.\\" end/ { on = 0 } on && !/^\.(EX|EE)$/' "$TOP/man/$1" |
    sed 's/\\-/-/g; s/\\(aq/'\''/g; s/\\(dq/"/g; s/\\(ha/^/g; s/\\&//g; s/\\e/\\/g'
}

# Text without numbers, which another compiler or processor may change, and without the ends of lines, which follow them.
words() {
  sed 's/[0-9][0-9.,]*/N/g' | tr -s ' \n' '\n'
}
