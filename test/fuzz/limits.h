/* What an input may make the code under test use, and a clean slate after every input.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TEST_FUZZ_LIMITS_H
#define CILKPROF_TEST_FUZZ_LIMITS_H

#include <stddef.h>

/* From here on memory is counted: more than 64 * SIZE + 64 MB at a time ends the process.  */
void fuzz_limits_begin(size_t size);
/* Frees what is left when FREE_REST; otherwise it is a leak that LeakSanitizer reports.  */
void fuzz_limits_end(int free_rest);

#endif
