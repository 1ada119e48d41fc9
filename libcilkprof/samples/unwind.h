/* From a frame to its caller's, in a signal handler.
   SPDX-License-Identifier: MIT

   libgcc has an unwinder, but one that trusts what the tables say.  Code in assembler has wrong ones, libc's own
   _dl_runtime_resolve for example, and then it reads where nothing is.  This one reads nothing that is not there, and
   says where it can go no further.  */

#ifndef CILKPROF_SAMPLES_UNWIND_H
#define CILKPROF_SAMPLES_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNWIND_HIDDEN __attribute__((visibility("hidden")))

/* By their numbers in the tables.  */
#if defined __x86_64__
enum { REGISTERS = 17, REGISTER_FP = 6, REGISTER_SP = 7, REGISTER_RETURN = 16 };
#elif defined __aarch64__
enum { REGISTERS = 32, REGISTER_FP = 29, REGISTER_SP = 31, REGISTER_RETURN = 30 };
#else
#error "which registers are there?"
#endif

struct registers {
  uintptr_t pc;
  uintptr_t value[REGISTERS];
  uint32_t known; /* one bit for each that is */
  bool exact;     /* PC is the instruction itself; else where the callee returns to */
  uintptr_t
      stack_end; /* of the thread's own stack, from the stack pointer on; 0: of nothing is known that it is there */
};

enum unwound {
  UNWOUND,      /* the registers are the caller's */
  UNWOUND_LAST, /* there is no caller: here the program or the thread began */
  UNWOUND_NOT   /* it is not known who the caller is */
};
/* Those of a ucontext_t.  */
UNWIND_HIDDEN struct registers __cilkprof_s_interrupted(const void *context, uintptr_t stack_end);
UNWIND_HIDDEN enum unwound __cilkprof_s_unwind(struct registers *registers);
UNWIND_HIDDEN bool __cilkprof_s_read(const struct registers *registers, uintptr_t address, uintptr_t *word);

/* table.c: the rules of a place in the code.  */
struct rule {
  enum { RULE_SAME, RULE_UNDEFINED, RULE_AT, RULE_IS, RULE_REGISTER, RULE_EXPRESSION, RULE_VALUE } kind;
  int64_t offset;            /* from the frame's address: where it is saved, or what it is; or the register's number */
  const uint8_t *expression; /* with its length before it */
};
struct rules {
  uintptr_t from, to; /* the function's code */
  bool first;         /* nothing is said of its frame before this place */
  struct rule frame;  /* its address: RULE_REGISTER with BASE, or an expression */
  uint64_t base;
  struct rule of[REGISTERS];
  bool is_signal;     /* the caller was interrupted */
  bool return_signed; /* with a code of authentication */
  unsigned return_register;
};
/* False: there are none.  */
UNWIND_HIDDEN bool __cilkprof_s_rules(uintptr_t pc, struct rules *rules);

/* edges.c: the caller of a function that was interrupted where it sets up its frame, or leaves it, of which its tables
   know nothing; false: by the rules.  */
UNWIND_HIDDEN bool __cilkprof_s_unwind_edge(const struct registers *registers, const struct rules *rules,
                                            struct registers *caller);

static inline uintptr_t without_signature(uintptr_t address) {
#ifdef __aarch64__
  return address & (UINTPTR_MAX >> 16);
#else
  return address;
#endif
}

/* Numbers in the tables.  */
static inline uint64_t read_uleb(const uint8_t **at) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint8_t byte = *(*at)++;
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return value;
  }
}

static inline int64_t read_sleb(const uint8_t **at) {
  uint64_t value = 0;
  for (unsigned shift = 0;;) {
    uint8_t byte = *(*at)++;
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
    if (!(byte & 0x80))
      return (int64_t)(shift < 64 && byte & 0x40 ? value | ~UINT64_C(0) << shift : value);
  }
}

static inline uint64_t read_bytes(const uint8_t **at, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; i++) /* in the byte order of both machines */
    value |= (uint64_t)(*(*at)++) << 8 * i;
  return value;
}

#endif
