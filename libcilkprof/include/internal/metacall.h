/* What Cilk Plus's runtime and its tools say to each other; here nobody listens.
   SPDX-License-Identifier: MIT  */

#ifndef CILK_INTERNAL_METACALL_H
#define CILK_INTERNAL_METACALL_H

#pragma GCC system_header

enum {
  HYPER_DISABLE_INSTRUMENTATION,
  HYPER_ENABLE_INSTRUMENTATION,
  HYPER_ZERO_IF_SEQUENTIAL_PTOOL,
  HYPER_ZERO_IF_FORCE_REDUCE,
  HYPER_ESTABLISH_C_STACK,
  HYPER_ESTABLISH_WORKER,
  HYPER_IGNORE_MEMORY_BLOCK
};

#define METACALL_TOOL_SYSTEM 0

typedef struct {
  unsigned tool, code;
  void *data;
} metacall_data_t;

#endif
