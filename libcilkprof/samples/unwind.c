/* From a frame to its caller's.  Whatever the tables say, only memory is read that is there.
   SPDX-License-Identifier: MIT  */

#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>

#include "libcilkprof/samples/unwind.h"

/* What is not on the thread's own stack the kernel reads, which finds out whether it can be.  */
bool __cilkprof_s_read(const struct registers *registers, uintptr_t address, uintptr_t *word) {
  uintptr_t sp = registers->value[REGISTER_SP], end = registers->stack_end;
  if (sp < end && address >= sp && address <= end - sizeof *word && address % sizeof *word == 0) {
    *word = *(const uintptr_t *)address;
    return true;
  }
  struct iovec to = {word, sizeof *word}, from = {(void *)address, sizeof *word};
  return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)sizeof *word;
}

struct registers __cilkprof_s_interrupted(const void *closure, uintptr_t stack_end) {
  const ucontext_t *context = closure;
  struct registers at = {.exact = true, .known = UINT32_MAX, .stack_end = stack_end};
#if defined __x86_64__
  static const int names[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    at.value[i] = (uintptr_t)context->uc_mcontext.gregs[names[i]];
  at.pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  at.known = UINT16_MAX;
#elif defined __aarch64__
  for (int i = 0; i < 31; i++)
    at.value[i] = (uintptr_t)context->uc_mcontext.regs[i];
  at.value[REGISTER_SP] = (uintptr_t)context->uc_mcontext.sp;
  at.pc = (uintptr_t)context->uc_mcontext.pc;
#endif
  return at;
}

static bool is_known(const struct registers *registers, uint64_t number) {
  return number < REGISTERS && registers->known >> number & 1;
}

/* A machine with a stack; TOP is on it at the start if IS_FRAME.  False: it does what is not known here.  */
static bool evaluate(const struct registers *registers, const uint8_t *at, bool is_frame, uintptr_t top,
                     uintptr_t *result) {
  enum { MOST = 16 };
  uintptr_t stack[MOST + 1];
  unsigned depth = 0;
  uint64_t length = read_uleb(&at);
  if (is_frame)
    stack[depth++] = top;
  for (const uint8_t *end = at + length; at < end;) {
    uint8_t code = *at++;
    if (depth == MOST)
      return false;
    if (code >= 0x70 && code <= 0x8f) { /* breg */
      if (!is_known(registers, code - 0x70U))
        return false;
      stack[depth++] = registers->value[code - 0x70] + (uintptr_t)read_sleb(&at);
    } else if (code >= 0x30 && code <= 0x4f) /* lit */
      stack[depth++] = code - 0x30U;
    else if (code == 0x08 || code == 0x0a || code == 0x0c || code == 0x0e) /* const1u to const8u */
      stack[depth++] = read_bytes(&at, 1U << (code - 0x08) / 2);
    else if (code == 0x23 && depth) /* plus_uconst */
      stack[depth - 1] += read_uleb(&at);
    else if (code == 0x06 && depth) { /* deref */
      if (!__cilkprof_s_read(registers, stack[depth - 1], &stack[depth - 1]))
        return false;
    } else if (depth >= 2 && (code == 0x1a || code == 0x1c || code == 0x22 || code == 0x24 || code == 0x2a)) {
      uintptr_t right = stack[--depth], left = stack[depth - 1];
      stack[depth - 1] = code == 0x1a   ? left & right
                         : code == 0x1c ? left - right
                         : code == 0x22 ? left + right
                         : code == 0x24 ? (right < 64 ? left << right : 0)
                                        : (uintptr_t)((intptr_t)left >= (intptr_t)right);
    } else
      return false;
  }
  *result = depth ? stack[depth - 1] : 0;
  return depth > 0;
}

static bool find_frame(const struct registers *registers, const struct rules *rules, uintptr_t *frame) {
  if (rules->frame.kind == RULE_EXPRESSION)
    return evaluate(registers, rules->frame.expression, false, 0, frame);
  if (!is_known(registers, rules->base))
    return false;
  *frame = registers->value[rules->base] + (uintptr_t)rules->frame.offset;
  return true;
}

/* The caller's register of this number; false: it is not known.  */
static bool find_register(const struct registers *registers, const struct rules *rules, uintptr_t frame,
                          unsigned number, uintptr_t *value) {
  const struct rule *rule = &rules->of[number];
  uintptr_t address;
  switch (rule->kind) {
  case RULE_SAME:
    *value = registers->value[number];
    return is_known(registers, number);
  case RULE_AT:
    return __cilkprof_s_read(registers, frame + (uintptr_t)rule->offset, value);
  case RULE_IS:
    *value = frame + (uintptr_t)rule->offset;
    return true;
  case RULE_REGISTER:
    *value = registers->value[(uint64_t)rule->offset % REGISTERS];
    return is_known(registers, (uint64_t)rule->offset);
  case RULE_EXPRESSION:
    return evaluate(registers, rule->expression, true, frame, &address) && __cilkprof_s_read(registers, address, value);
  case RULE_VALUE:
    return evaluate(registers, rule->expression, true, frame, value);
  default:
    return false;
  }
}

/* What a signal handler returns to has no table on aarch64: it is known by its two instructions.  */
static bool is_signal_return(const struct registers *registers, uintptr_t pc) {
#ifdef __aarch64__
  static const uint32_t code[] = {0xd2801168, 0xd4000001}; /* mov x8, rt_sigreturn; svc 0 */
  uintptr_t found;
  return __cilkprof_s_read(registers, pc, &found) && memcmp(&found, code, sizeof code) == 0;
#else
  (void)registers, (void)pc;
  return false;
#endif
}

static enum unwound unwind_signal(struct registers *registers) {
#ifdef __aarch64__
  const ucontext_t *context = (const ucontext_t *)(registers->value[REGISTER_SP] + sizeof(siginfo_t));
  struct registers caller = {.stack_end = registers->stack_end, .exact = true, .known = UINT32_MAX};
  if (!is_signal_return(registers, registers->pc))
    return UNWOUND_NOT;
  for (int i = 0; i < 31; i++)
    if (!__cilkprof_s_read(registers, (uintptr_t)&context->uc_mcontext.regs[i], &caller.value[i]))
      return UNWOUND_NOT;
  if (!__cilkprof_s_read(registers, (uintptr_t)&context->uc_mcontext.sp, &caller.value[REGISTER_SP]) ||
      !__cilkprof_s_read(registers, (uintptr_t)&context->uc_mcontext.pc, &caller.pc))
    return UNWOUND_NOT;
  *registers = caller;
  return UNWOUND;
#else
  (void)registers;
  return UNWOUND_NOT;
#endif
}

static enum unwound unwind_by(const struct rules *rules, const struct registers *registers, struct registers *caller) {
  uintptr_t frame;
  *caller = (struct registers){.stack_end = registers->stack_end};
  if (rules->return_register >= REGISTERS || !find_frame(registers, rules, &frame))
    return UNWOUND_NOT;
  if (rules->of[rules->return_register].kind == RULE_UNDEFINED)
    return UNWOUND_LAST;
  for (unsigned i = 0; i < REGISTERS; i++)
    if (find_register(registers, rules, frame, i, &caller->value[i]))
      caller->known |= UINT32_C(1) << i;
  if (!is_known(caller, rules->return_register))
    return UNWOUND_NOT;
  if (rules->of[REGISTER_SP].kind == RULE_SAME) {
    caller->value[REGISTER_SP] = frame;
    caller->known |= UINT32_C(1) << REGISTER_SP;
  }
  caller->pc = caller->value[rules->return_register];
  caller->pc = rules->return_signed ? without_signature(caller->pc) : caller->pc;
  caller->exact = rules->is_signal;
  if (caller->value[REGISTER_SP] < registers->value[REGISTER_SP] && !rules->is_signal)
    return UNWOUND_NOT;
  if (!caller->exact)
    caller->known &= ~(UINT32_C(1) << rules->return_register); /* that was the callee's */
  return caller->pc ? UNWOUND : UNWOUND_LAST;
}

/* A function without a frame: linkage code, which has no tables, and what an assembler made.  */
static bool unwind_leaf(const struct registers *registers, struct registers *caller) {
  *caller = *registers;
  caller->exact = false;
#ifdef __aarch64__
  caller->pc = without_signature(registers->value[REGISTER_RETURN]);
  caller->known &= ~(UINT32_C(1) << REGISTER_RETURN);
  return is_known(registers, REGISTER_RETURN);
#else
  caller->value[REGISTER_SP] += sizeof caller->pc;
  return __cilkprof_s_read(registers, registers->value[REGISTER_SP], &caller->pc);
#endif
}

static bool is_code(const struct registers *caller) {
  struct rules rules;
  return caller->exact || __cilkprof_s_rules(caller->pc - 1, &rules) || is_signal_return(caller, caller->pc);
}

/* What was interrupted may be between any two instructions; what calls is not.  */
static enum unwound unwind_interrupted(struct registers *registers, const struct rules *rules) {
  struct registers caller;
  enum unwound unwound = UNWOUND_NOT;
  if (rules)
    unwound = __cilkprof_s_unwind_edge(registers, rules, &caller) ? UNWOUND : unwind_by(rules, registers, &caller);
  if (unwound == UNWOUND_LAST)
    return unwound;
  if ((unwound != UNWOUND || !is_code(&caller)) && !(unwind_leaf(registers, &caller) && is_code(&caller)))
    return UNWOUND_NOT;
  *registers = caller;
  return UNWOUND;
}

enum unwound __cilkprof_s_unwind(struct registers *registers) {
  struct rules rules;
  struct registers caller;
  bool known = __cilkprof_s_rules(registers->pc - !registers->exact, &rules);
  if (registers->exact)
    return unwind_interrupted(registers, known ? &rules : NULL);
  if (!known)
    return unwind_signal(registers);
  enum unwound unwound = unwind_by(&rules, registers, &caller);
  if (unwound == UNWOUND)
    *registers = caller;
  return unwound;
}
