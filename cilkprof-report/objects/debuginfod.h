/* Downloads files from debuginfod servers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_DEBUGINFOD_H
#define CILKPROF_REPORT_DEBUGINFOD_H

#include <stdint.h>

enum server_file { SERVER_EXECUTABLE, SERVER_DEBUG_INFO };

/* Returns the path, in the cache of libdebuginfod, of the file with this build-id.  Returns NULL if DEBUGINFOD_URLS
   names no server, no server has the file, or libdebuginfod is not installed.  Allocated.  */
char *debuginfod_find(enum server_file kind, const uint8_t *build_id, uint32_t size);

#endif
