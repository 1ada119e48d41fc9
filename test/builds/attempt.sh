# What the tests of build systems share.
# SPDX-License-Identifier: GPL-3.0-or-later

. "$TOP/test/libcilkprof/lib.sh"

# attempt NAME COMMAND...: one test; the end of what the command says, which is in the file `log', is shown if it fails.
attempt() {
  name=$1
  shift
  if "$@" >log 2>&1; then pass "$name"; else
    tail -40 log >end
    fail "$name" end
  fi
}
