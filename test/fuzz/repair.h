/* Right checksums for a mutated profile: without them no mutation would get past the first check.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_TEST_FUZZ_REPAIR_H
#define CILKPROF_TEST_FUZZ_REPAIR_H

#include <stddef.h>
#include <stdint.h>

/* In place: the checksums of the header and of the records, their padding, and the number of records in the last.  */
void fuzz_repair(uint8_t *bytes, size_t size);

#endif
