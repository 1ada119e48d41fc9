/* The process that reads debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_DEBUG_INFO_H
#define CILKPROF_REPORT_DEBUG_INFO_H

#include "cilkprof-report/objects/objects.h"

/* A message to it.  */
struct line_question {
  uint64_t address;
  uint64_t depth; /* 0: of a function that starts there; N: of the Nth function that the instruction is of */
};

/* Its answer, as far as it is known: strings without a zero at their ends, the file, where the function is defined, and
   the function's name.  */
struct line_answer {
  uint32_t line;    /* in the file */
  uint32_t defined; /* of the function: where it is defined */
  uint16_t inlined; /* it is inlined in another one */
  uint16_t is_static;
  uint32_t file_length, defined_length;
  char text[1 << 13];
};

/* Answers until the other end is closed.  */
__attribute__((noreturn)) void debug_info_serve(const struct object *object, int socket);

#endif
