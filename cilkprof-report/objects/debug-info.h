/* The process that reads debugging information.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_DEBUG_INFO_H
#define CILKPROF_REPORT_DEBUG_INFO_H

#include "cilkprof-report/objects/objects.h"

/* A message to the process.  */
struct line_question {
  uint64_t address;
  /* 0: the line of a function that starts at ADDRESS; N: the Nth function, from the innermost one, to which the
     instruction belongs.  */
  uint64_t depth;
};

/* The answer, as far as it is known.  TEXT has three strings without terminating zeros: the file, the file in which the
   function is defined, and the name of the function.  */
struct line_answer {
  uint32_t line;    /* line in the file */
  uint32_t defined; /* line of the definition of the function */
  uint16_t inlined; /* the function is inlined in another one */
  uint16_t is_static;
  uint32_t file_length, defined_length;
  char text[1 << 13];
};

/* Answers questions about OBJECT until the other end of SOCKET is closed.  */
__attribute__((noreturn)) void debug_info_serve(const struct object *object, int socket);

#endif
