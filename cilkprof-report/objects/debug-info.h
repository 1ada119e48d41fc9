/* The process that reads debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_DEBUG_INFO_H
#define CILKPROF_REPORT_DEBUG_INFO_H

#include "cilkprof-report/objects/objects.h"

/* A message to it is an address, 64 bits; its answer has a file without a zero at its end: an empty one, nothing is
   known of the address.  */
struct line_answer {
  uint32_t line;
  char file[1 << 13];
};

/* Answers until the other end is closed.  */
__attribute__((noreturn)) void debug_info_serve(const struct object *object, int socket);

#endif
