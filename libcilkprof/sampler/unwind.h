/* Unwinding: from a frame to its caller.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SAMPLER_UNWIND_H
#define CILKPROF_SAMPLER_UNWIND_H

#include <ucontext.h>

#include "libcilkprof/sampler/state.h"

/* Registers by their DWARF numbers.  */
#if defined __x86_64__
enum { REGISTER_FP = 6, REGISTER_SP = 7, REGISTER_RETURN = 16, REGISTERS = 17 };
#elif defined __aarch64__
enum { REGISTER_FP = 29, REGISTER_RETURN = 30, REGISTER_SP = 31, REGISTERS = 32 };
#else
#error "which registers has this processor?"
#endif

struct unwinder {
  uintptr_t pc;
  uintptr_t registers[REGISTERS];
  bool exact;                 /* PC is the interrupted instruction; otherwise it is a return address */
  uintptr_t stack, stack_end; /* the readable part of the stack */
};

SAMPLER_HIDDEN void __cilkprof_s_unwind_from(struct unwinder *unwinder, const ucontext_t *context);
SAMPLER_HIDDEN void __cilkprof_s_unwind_limit(struct unwinder *unwinder);
static inline __attribute__((always_inline)) void unwind_here(struct unwinder *unwinder);
SAMPLER_HIDDEN bool __cilkprof_s_unwind(struct unwinder *unwinder);

/* eh_frame.c.  How to find the registers of the caller from those at some PC, by the unwind tables.  */
struct rule {
  enum {
    RULE_SAME,
    RULE_UNDEFINED,   /* for the return address: there is no caller */
    RULE_AT,          /* saved in memory at CFA + OFFSET */
    RULE_IS,          /* is CFA + OFFSET */
    RULE_REGISTER,    /* saved in the register of number OFFSET */
    RULE_AT_COMPUTED, /* saved in memory at the address that the expression yields */
    RULE_IS_COMPUTED  /* is the result of the expression */
  } kind;
  union {
    int64_t offset;
    const uint8_t *expression;
  };
};

struct rules {
  uintptr_t begin, end; /* bounds of the function */
  bool is_signal;       /* a signal trampoline */
  bool is_signed;       /* the return address is signed (pointer authentication) */
  bool is_initial;      /* no instruction of the function has changed the rules yet */
  unsigned return_register;
  struct rule frame; /* how to find the CFA: RULE_REGISTER with FRAME_OFFSET, or RULE_IS_COMPUTED */
  int64_t frame_offset;
  struct rule registers[REGISTERS];
};
SAMPLER_HIDDEN bool __cilkprof_s_rules_at(uintptr_t pc, struct rules *rules);

/* expression.c */
SAMPLER_HIDDEN bool __cilkprof_s_compute(const struct unwinder *unwinder, const uint8_t *expression,
                                         const uintptr_t *initial, uintptr_t *result);
SAMPLER_HIDDEN bool __cilkprof_s_read(const struct unwinder *unwinder, uintptr_t address, uintptr_t *value);

/* Starts UNWINDER at the function that calls this, by saving its registers.  Only callee-saved ones are needed to
   unwind the callers.  */
static inline __attribute__((always_inline)) void unwind_here(struct unwinder *unwinder) {
#if defined __aarch64__
  __asm__ volatile("stp x19, x20, [%1, #152]\n\tstp x21, x22, [%1, #168]\n\tstp x23, x24, [%1, #184]\n\t"
                   "stp x25, x26, [%1, #200]\n\tstp x27, x28, [%1, #216]\n\tstp x29, x30, [%1, #232]\n\t"
                   "mov %0, sp\n\tstr %0, [%1, #248]\n\tadr %0, ."
                   : "=&r"(unwinder->pc)
                   : "r"(unwinder->registers)
                   : "memory");
#else
  __asm__ volatile("movq %%rbx, 24(%1)\n\tmovq %%rbp, 48(%1)\n\tmovq %%rsp, 56(%1)\n\tmovq %%r12, 96(%1)\n\t"
                   "movq %%r13, 104(%1)\n\tmovq %%r14, 112(%1)\n\tmovq %%r15, 120(%1)\n\tleaq 0(%%rip), %0"
                   : "=&r"(unwinder->pc)
                   : "r"(unwinder->registers)
                   : "memory");
#endif
  unwinder->exact = true;
  __cilkprof_s_unwind_limit(unwinder);
}

/* Returns the unsigned LEB128 number of the unwind tables at *AT, and advances *AT past it.  */
static inline uint64_t read_unwind_uleb(const uint8_t **at) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = *(*at)++;
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  return value;
}

/* Returns the signed LEB128 number of the unwind tables at *AT, and advances *AT past it.  */
static inline int64_t read_unwind_sleb(const uint8_t **at) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = *(*at)++;
    if (shift < 64)
      value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  if (shift < 64 && byte & 0x40)
    value |= -(UINT64_C(1) << shift);
  return (int64_t)value;
}

#endif
