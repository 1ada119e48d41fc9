/* What libFuzzer, or replay.c, calls.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TEST_FUZZ_FUZZ_H
#define CILKPROF_TEST_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

#endif
