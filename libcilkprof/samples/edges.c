/* Functions that are interrupted where they set up their frame, or leave it.
   SPDX-License-Identifier: MIT

   GCC's tables know every instruction.  On aarch64 those of clang, before its version 15, are made for exceptions,
   which calls throw: they say nothing of prologues and epilogues.  What these do is read from their instructions.  */

#include "libcilkprof/samples/unwind.h"

#ifdef __aarch64__

/* A prologue's instruction takes so many bytes of the stack.  */
static uintptr_t pushed_by(uint32_t code) {
  if ((code & 0xffc003ff) == 0xd10003ff) /* sub sp, sp, #n */
    return code >> 10 & 0xfff;
  if ((code & 0xffc003e0) == 0xa98003e0 || (code & 0xffc003e0) == 0x6d8003e0) /* stp a, b, [sp, #-n]! */
    return (uintptr_t)(-((int32_t)(code << 10) >> 25) * 8);
  if ((code & 0xffe00fe0) == 0xf8000fe0) /* str a, [sp, #-n]! */
    return (uintptr_t) - ((int32_t)(code << 11) >> 23);
  return 0;
}

/* What a prologue has done before PC.  LINKED: the frame pointer is the function's own, with the caller's where it
   points to.  */
static uintptr_t size_in_prologue(uintptr_t from, uintptr_t pc, bool *linked) {
  enum { MOST_BYTES = 64 };
  uintptr_t size = 0;
  *linked = false;
  for (uintptr_t at = from; at < pc && at < from + MOST_BYTES; at += 4) {
    uint32_t code = *(const uint32_t *)at;
    size += pushed_by(code);
    *linked |= (code & 0xffc003ff) == 0x910003fd; /* add x29, sp, #n */
  }
  return size;
}

/* Whether an instruction loads from the stack, POPPED bytes of which are gone then, but not the address of return.  */
static bool restores(uint32_t code, uintptr_t *popped) {
  static const struct {
    uint32_t mask, code;
    bool pair, integer, pops;
  } forms[] = {
      {0xffc003e0, 0xa8c003e0, true, true, true},    /* ldp x, y, [sp], #n */
      {0xffc003e0, 0x6cc003e0, true, false, true},   /* ldp d, e, [sp], #n */
      {0xffc003e0, 0xa94003e0, true, true, false},   /* ldp x, y, [sp, #n] */
      {0xffc003e0, 0x6d4003e0, true, false, false},  /* ldp d, e, [sp, #n] */
      {0xffe00fe0, 0xf84007e0, false, true, true},   /* ldr x, [sp], #n */
      {0xffe00fe0, 0xfc4007e0, false, false, true},  /* ldr d, [sp], #n */
      {0xffc003e0, 0xf94003e0, false, true, false},  /* ldr x, [sp, #n] */
      {0xffc003e0, 0xfd4003e0, false, false, false}, /* ldr d, [sp, #n] */
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if ((code & forms[i].mask) == forms[i].code) {
      *popped = !forms[i].pops  ? 0
                : forms[i].pair ? (uintptr_t)(((int32_t)(code << 10) >> 25) * 8)
                                : (uintptr_t)((int32_t)(code << 11) >> 23);
      return !forms[i].integer || ((code & 31) != 30 && (!forms[i].pair || (code >> 10 & 31) != 30));
    }
  return false;
}

/* Whether what is left of the function is the end of its epilogue, when the address of return is in its register.  */
static bool is_leaving(uintptr_t pc, uintptr_t to, uintptr_t *size) {
  enum { MOST_BYTES = 48 };
  *size = 0;
  for (uintptr_t at = pc; at < to && at < pc + MOST_BYTES; at += 4) {
    uint32_t code = *(const uint32_t *)at;
    uintptr_t popped = 0;
    if ((code & 0xfffff3ff) == 0xd65f03c0 || (code & 0xfffffbff) == 0xd65f0bff) /* ret */
      return true;
    if ((code & 0xffc003ff) == 0x910003ff) /* add sp, sp, #n */
      popped = code >> 10 & 0xfff;
    else if (code != 0xd50323bf && !restores(code, &popped)) /* autiasp */
      return false;
    *size += popped;
  }
  return false;
}

bool __cilkprof_s_unwind_edge(const struct registers *registers, const struct rules *rules, struct registers *caller) {
  uintptr_t size;
  bool linked = false;
  if (!is_leaving(registers->pc, rules->to, &size)) {
    size = rules->first ? size_in_prologue(rules->from, registers->pc, &linked) : 0;
    if (!size)
      return false;
  }
  *caller = *registers;
  if (linked && !__cilkprof_s_read(registers, registers->value[REGISTER_FP], &caller->value[REGISTER_FP]))
    return false;
  caller->value[REGISTER_SP] += size;
  caller->pc = without_signature(registers->value[REGISTER_RETURN]);
  caller->exact = false;
  caller->known &= ~(UINT32_C(1) << REGISTER_RETURN); /* that was the callee's */
  return true;
}

#else

bool __cilkprof_s_unwind_edge(const struct registers *registers, const struct rules *rules, struct registers *caller) {
  (void)registers, (void)rules, (void)caller;
  return false;
}

#endif
