#!/bin/sh
# The emulators: the paper's figures, brute force, the bounds of theory.
# SPDX-License-Identifier: GPL-3.0-or-later
ASAN_OPTIONS=detect_leaks=0 exec "$BUILD_DIR/test/emulation/emulation" 1 4000
