/* Objects: the executable and the shared libraries of a process, as both the engine and the sampler list them.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_COMMON_OBJECT_H
#define CILKPROF_COMMON_OBJECT_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "libcilkprof/common/system.h"

/* The build ID in the notes of an object with COUNT program headers, or NULL if it has none.  */
CILKPROF_HIDDEN const uint8_t *__cilkprof_build_id(const ElfW(Phdr) * headers, size_t count, uintptr_t load_address,
                                                   uint32_t *size);

/* Puts the path of the executable into PATH, as far as it fits, and returns its length.  */
CILKPROF_HIDDEN size_t __cilkprof_executable_path(char *path, size_t size);

#endif
