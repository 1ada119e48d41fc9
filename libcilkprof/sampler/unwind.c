/* Unwinding: from a frame to its caller.
   SPDX-License-Identifier: MIT

   This uses the same tables as exceptions, like libgcc.  But an interrupted thread may be at any instruction, also
   where the tables are wrong, and libgcc would then read from arbitrary addresses.  Here nothing is trusted: memory
   is read only if it is readable, and a caller must be code that has a table.  */

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include "libcilkprof/sampler/unwind.h"

#ifdef __aarch64__

/* Returns how many bytes the instruction CODE pushes on the stack.  In prologues and epilogues, clang's tables do not
   tell how much of the frame exists; the instructions do.  */
static uintptr_t unwind_pushed_bytes(uint32_t code) {
  if ((code & 0xffc003ff) == 0xd10003ff) /* sub sp, sp, #n */
    return code >> 10 & 0xfff;
  if ((code & 0xffc003e0) == 0xa98003e0 || (code & 0xffc003e0) == 0x6d8003e0) /* stp a, b, [sp, #-n]! */
    return (uintptr_t)(-((int32_t)(code << 10) >> 25) * 8);
  if ((code & 0xffe00fe0) == 0xf8000fe0) /* str a, [sp, #-n]! */
    return (uintptr_t) - ((int32_t)(code << 11) >> 23);
  return 0;
}

/* Returns the size of the frame that the prologue of the function at BEGIN has allocated before PC, in bytes.  *LINKED
   is set if the frame pointer is already the function's own and points to that of its caller.  */
static uintptr_t unwind_prologue_size(uintptr_t begin, uintptr_t pc, bool *linked) {
  enum { MAX_BYTES = 64 };
  uintptr_t size = 0;
  *linked = false;
  for (uintptr_t at = begin; at < pc && at < begin + MAX_BYTES; at += 4) {
    uint32_t code = *(const uint32_t *)at;
    size += unwind_pushed_bytes(code);
    *linked |= (code & 0xffc003ff) == 0x910003fd; /* add x29, sp, #n */
  }
  return size;
}

/* Returns whether the instruction CODE restores a register other than the link register from the stack.  *POPPED is set
   to the number of bytes that it pops.  */
static bool is_unwind_restore(uint32_t code, uintptr_t *popped) {
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

/* Returns whether the code from PC to END is the rest of an epilogue, after the return address was loaded into the link
   register.  Sets *SIZE to the number of bytes that it still pops from the stack.  */
static bool is_unwind_in_epilogue(uintptr_t pc, uintptr_t end, uintptr_t *size) {
  enum { MAX_BYTES = 48 };
  *size = 0;
  for (uintptr_t at = pc; at < end && at < pc + MAX_BYTES; at += 4) {
    uint32_t code = *(const uint32_t *)at;
    uintptr_t popped = 0;
    if ((code & 0xfffff3ff) == 0xd65f03c0 || (code & 0xfffffbff) == 0xd65f0bff) /* ret */
      return true;
    if ((code & 0xffc003ff) == 0x910003ff) /* add sp, sp, #n */
      popped = code >> 10 & 0xfff;
    else if (code != 0xd50323bf && !is_unwind_restore(code, &popped)) /* autiasp */
      return false;
    *size += popped;
  }
  return false;
}

/* Returns how many bytes are pushed where UNWINDER was interrupted in code without a table: in the first entry of a
   procedure linkage table, by which functions are looked up that were not called before, the return address.  */
static uintptr_t unwind_linkage_size(const struct unwinder *unwinder) {
  enum { PUSH = 0xa9bf7bf0, BYTES = 16 }; /* stp x16, x30, [sp, #-16]!, and what follows it in that entry */
  for (uintptr_t at = unwinder->pc - BYTES; at < unwinder->pc; at += 4) {
    uintptr_t codes;
    if (__cilkprof_s_read(unwinder, at & ~(uintptr_t)7, &codes) && (uint32_t)(codes >> at % 8 * 8) == PUSH)
      return BYTES;
  }
  return 0;
}

/* Returns whether RULES are those of the function of the dynamic linker that looks up others: the return address, which
   the linkage table pushed, is outside of its frame, where its table takes the frame of the caller to begin.  */
static bool is_unwind_in_lookup(const struct rules *rules) {
  const struct rule *back = &rules->registers[rules->return_register];
  return back->kind == RULE_AT && back->offset >= 0;
}

/* Returns the return ADDRESS without its signature for pointer authentication.  */
static uintptr_t unwind_without_signature(uintptr_t address) {
  register uintptr_t x30 __asm__("x30") = address;
  __asm__("hint 7" : "+r"(x30)); /* xpaclri, a no-op on processors without it */
  return x30;
}

#else

/* Returns 0: on this processor linkage tables have unwind tables.  */
static uintptr_t unwind_linkage_size(const struct unwinder *unwinder) {
  (void)unwinder;
  return 0;
}

#endif

/* Returns the context of the code that a signal interrupted, if the PC of UNWINDER is the signal trampoline; else NULL.
   The kernel pushed PC as the return address of the handler, so no call precedes it.  */
static const ucontext_t *unwind_signal_context(const struct unwinder *unwinder) {
  struct loaded object;
  if (!__cilkprof_s_loaded_at(unwinder->pc, &object))
    return NULL;
#if defined __aarch64__
  const uint32_t *code = (const uint32_t *)unwinder->pc;
  bool found = code[0] == 0xd2801168 && code[1] == 0xd4000001;
  return found ? (const ucontext_t *)(unwinder->registers[REGISTER_SP] + sizeof(siginfo_t)) : NULL;
#else
  static const unsigned char returns[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
  bool found = memcmp((const void *)unwinder->pc, returns, sizeof returns) == 0;
  return found ? (const ucontext_t *)unwinder->registers[REGISTER_SP] : NULL;
#endif
}

/* Sets the registers of UNWINDER to those of the interrupted code in CONTEXT.  */
static void set_unwinder_context(struct unwinder *unwinder, const ucontext_t *context) {
#if defined __aarch64__
  const mcontext_t *machine = &context->uc_mcontext;
  for (int i = 0; i < 31; i++)
    unwinder->registers[i] = machine->regs[i];
  unwinder->registers[REGISTER_SP] = machine->sp;
  unwinder->pc = machine->pc;
#else
  static const uint8_t places[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
                                   REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  for (int i = 0; i < 16; i++)
    unwinder->registers[i] = (uintptr_t)context->uc_mcontext.gregs[places[i]];
  unwinder->pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#endif
  unwinder->exact = true;
}

/* Sets the bounds of the stack that UNWINDER may read without asking the kernel.  Memory below the stack pointer is not
   in use, except for the red zone of 128 bytes on x86-64.  */
void __cilkprof_s_unwind_limit(struct unwinder *unwinder) {
  uintptr_t sp = unwinder->registers[REGISTER_SP];
  unwinder->stack = sp - 128;
  unwinder->stack_end = SELF && sp < SELF->stack_end && sp >= SELF->stack_begin ? SELF->stack_end : unwinder->stack;
}

/* Starts UNWINDER at the code that a signal interrupted, by the CONTEXT that the signal handler got.  */
void __cilkprof_s_unwind_from(struct unwinder *unwinder, const ucontext_t *context) {
  set_unwinder_context(unwinder, context);
  __cilkprof_s_unwind_limit(unwinder);
}

/* Sets *FRAME to the address of the frame (CFA) that is unwound, by RULES.  Returns false if they do not tell it.  */
static bool find_unwind_cfa(const struct unwinder *unwinder, const struct rules *rules, uintptr_t *frame) {
  if (rules->frame.kind == RULE_IS_COMPUTED)
    return __cilkprof_s_compute(unwinder, rules->frame.expression, NULL, frame);
  if (rules->frame.kind != RULE_REGISTER || (uint64_t)rules->frame.offset >= REGISTERS)
    return false;
  *frame = unwinder->registers[rules->frame.offset] + (uintptr_t)rules->frame_offset;
  return true;
}

/* Sets *VALUE to the caller's value of a register, by its RULE and the address FRAME of the callee's frame (CFA).
   Leaves *VALUE, the callee's own, as it is if the register is not changed.  Returns false if memory cannot be
   read.  */
static bool find_unwind_register(const struct unwinder *unwinder, const struct rule *rule, uintptr_t frame,
                                 uintptr_t *value) {
  switch (rule->kind) {
  case RULE_AT:
    return __cilkprof_s_read(unwinder, frame + (uintptr_t)rule->offset, value);
  case RULE_IS:
    *value = frame + (uintptr_t)rule->offset;
    return true;
  case RULE_REGISTER:
    *value = (uint64_t)rule->offset < REGISTERS ? unwinder->registers[rule->offset] : 0;
    return true;
  case RULE_AT_COMPUTED:
    return __cilkprof_s_compute(unwinder, rule->expression, &frame, value) &&
           __cilkprof_s_read(unwinder, *value, value);
  case RULE_IS_COMPUTED:
    return __cilkprof_s_compute(unwinder, rule->expression, &frame, value);
  default:
    return true; /* RULE_SAME */
  }
}

/* Sets CALLER to the caller of the frame of UNWINDER, by RULES.  The result is not checked.  Returns false if the rules
   cannot be applied.  */
static bool apply_unwind_rules(const struct unwinder *unwinder, const struct rules *rules, struct unwinder *caller) {
  uintptr_t frame, back;
  *caller = *unwinder;
  if (!find_unwind_cfa(unwinder, rules, &frame))
    return false;
#ifdef __aarch64__
  bool linked = false;
  if (unwinder->exact && rules->is_initial)
    frame += unwind_prologue_size(rules->begin, unwinder->pc, &linked);
  if (linked && !__cilkprof_s_read(unwinder, unwinder->registers[REGISTER_FP], &caller->registers[REGISTER_FP]))
    return false;
#endif
  for (unsigned i = 0; i < REGISTERS; i++)
    if (rules->registers[i].kind != RULE_UNDEFINED &&
        !find_unwind_register(unwinder, &rules->registers[i], frame, &caller->registers[i]))
      return false;
  back = caller->registers[rules->return_register];
#ifdef __aarch64__
  if (rules->is_signed)
    back = unwind_without_signature(back);
#endif
  if (rules->registers[REGISTER_SP].kind == RULE_SAME)
    caller->registers[REGISTER_SP] = frame;
#ifdef __aarch64__
  if (is_unwind_in_lookup(rules))
    caller->registers[REGISTER_SP] = frame + (uintptr_t)rules->registers[rules->return_register].offset + sizeof back;
#endif
  caller->pc = rules->registers[rules->return_register].kind == RULE_UNDEFINED ? 0 : back;
  caller->exact = false;
  return true;
}

/* Sets CALLER to the caller of a function whose frame is not yet allocated or already freed, except for SIZE bytes.
   Returns false if the return address cannot be read.  */
static bool unwind_without_frame(const struct unwinder *unwinder, uintptr_t size, struct unwinder *caller) {
  *caller = *unwinder;
  caller->exact = false;
#ifdef __aarch64__
  caller->pc = unwinder->registers[REGISTER_RETURN];
  caller->registers[REGISTER_SP] += size;
  return true;
#else
  caller->registers[REGISTER_SP] += size + sizeof(uintptr_t);
  return __cilkprof_s_read(unwinder, unwinder->registers[REGISTER_SP] + size, &caller->pc);
#endif
}

/* Returns true if PC is in the vDSO, the library that the kernel maps into every process.  */
static bool is_unwind_in_vdso(uintptr_t pc) {
  struct loaded object;
  return __cilkprof_s_loaded_at(pc, &object) && object.low == getauxval(AT_SYSINFO_EHDR);
}

/* Returns whether CALLER is plausible as the caller of the frame of UNWINDER: it is the end of the stack, or known code
   in a frame further out.  */
static bool is_likely_unwind_caller(const struct unwinder *unwinder, const struct unwinder *caller) {
  struct rules rules;
  uintptr_t inner = unwinder->registers[REGISTER_SP], outer = caller->registers[REGISTER_SP];
  if (!caller->pc)
    return true;
  if (outer < inner || (outer == inner && !unwinder->exact) ||
      (outer >= unwinder->stack_end && inner < unwinder->stack_end))
    return false;
  return __cilkprof_s_rules_at(caller->pc - 1, &rules) || is_unwind_in_vdso(caller->pc);
}

/* Sets CALLER to the caller of the frame of UNWINDER, by the unwind tables.  The result is not checked.  Returns false
   if there is no table.  */
static bool unwind_by_tables(const struct unwinder *unwinder, struct unwinder *caller) {
  struct rules rules;
  bool known = __cilkprof_s_rules_at(unwinder->exact ? unwinder->pc : unwinder->pc - 1, &rules);
#ifdef __aarch64__
  struct rules next;
  if (known && unwinder->exact && unwinder->pc == rules.begin && __cilkprof_s_rules_at(unwinder->pc + 4, &next) &&
      is_unwind_in_lookup(&next))
    rules = next; /* its table begins one instruction late */
  uintptr_t size;
  if (known && unwinder->exact && is_unwind_in_epilogue(unwinder->pc, rules.end, &size))
    return unwind_without_frame(unwinder, size, caller);
#endif
  return known && apply_unwind_rules(unwinder, &rules, caller);
}

/* Moves UNWINDER to the caller of its frame.  Returns false at the end of the stack, where PC is 0, or if the caller
   cannot be found.  */
bool __cilkprof_s_unwind(struct unwinder *unwinder) {
  struct unwinder caller;
  const ucontext_t *context = unwinder->exact ? NULL : unwind_signal_context(unwinder);
  if (context) {
    __cilkprof_s_unwind_from(unwinder, context);
    return true;
  }
  if (!(unwind_by_tables(unwinder, &caller) && is_likely_unwind_caller(unwinder, &caller)) &&
      !(unwinder->exact && unwind_without_frame(unwinder, unwind_linkage_size(unwinder), &caller) && caller.pc &&
        is_likely_unwind_caller(unwinder, &caller)))
    return false;
  *unwinder = caller;
  return caller.pc != 0;
}
