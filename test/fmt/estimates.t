#!/bin/sh
# SPDX-License-Identifier: MIT
exec "$BUILD_DIR/test/fmt/estimates"
