/* Files from the servers of debuginfod.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_DEBUGINFOD_H
#define CILKPROF_REPORT_DEBUGINFOD_H

#include <stdint.h>

enum server_file { SERVER_EXECUTABLE, SERVER_DEBUG_INFO };

/* The path, in the cache of libdebuginfod, of the file with that build-id; NULL where no server is named in
   DEBUGINFOD_URLS, none has it, or there is no libdebuginfod.  Allocated.  */
char *debuginfod_find(enum server_file kind, const uint8_t *build_id, uint32_t size);

#endif
