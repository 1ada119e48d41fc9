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

static uintptr_t without_signature(uintptr_t address) {
#ifdef __aarch64__
  return address & (UINTPTR_MAX >> 16);
#else
  return address;
#endif
}

#ifdef __aarch64__
/* What a signal handler returns to has no table there: it is known by its two instructions.  */
static enum unwound unwind_signal(struct registers *registers) {
  static const uint32_t code[] = {0xd2801168, 0xd4000001}; /* mov x8, rt_sigreturn; svc 0 */
  const ucontext_t *context = (const ucontext_t *)(registers->value[REGISTER_SP] + sizeof(siginfo_t));
  uintptr_t found;
  if (!__cilkprof_s_read(registers, registers->pc, &found) || memcmp(&found, code, sizeof code) != 0)
    return UNWOUND_NOT;
  struct registers caller = {.stack_end = registers->stack_end, .exact = true, .known = UINT32_MAX};
  for (int i = 0; i < 31; i++)
    if (!__cilkprof_s_read(registers, (uintptr_t)&context->uc_mcontext.regs[i], &caller.value[i]))
      return UNWOUND_NOT;
  if (!__cilkprof_s_read(registers, (uintptr_t)&context->uc_mcontext.sp, &caller.value[REGISTER_SP]) ||
      !__cilkprof_s_read(registers, (uintptr_t)&context->uc_mcontext.pc, &caller.pc))
    return UNWOUND_NOT;
  *registers = caller;
  return UNWOUND;
}
#else
static enum unwound unwind_signal(struct registers *registers) {
  (void)registers;
  return UNWOUND_NOT;
}
#endif

enum unwound __cilkprof_s_unwind(struct registers *registers) {
  struct rules rules;
  struct registers caller = {.stack_end = registers->stack_end};
  uintptr_t frame;
  if (!__cilkprof_s_rules(registers->pc - !registers->exact, &rules))
    return unwind_signal(registers);
  if (rules.return_register >= REGISTERS || !find_frame(registers, &rules, &frame))
    return UNWOUND_NOT;
  if (rules.of[rules.return_register].kind == RULE_UNDEFINED)
    return UNWOUND_LAST;
  for (unsigned i = 0; i < REGISTERS; i++)
    if (find_register(registers, &rules, frame, i, &caller.value[i]))
      caller.known |= UINT32_C(1) << i;
  if (!is_known(&caller, rules.return_register))
    return UNWOUND_NOT;
  if (rules.of[REGISTER_SP].kind == RULE_SAME) {
    caller.value[REGISTER_SP] = frame;
    caller.known |= UINT32_C(1) << REGISTER_SP;
  }
  caller.pc = caller.value[rules.return_register];
  caller.pc = rules.return_signed ? without_signature(caller.pc) : caller.pc;
  caller.exact = rules.is_signal;
  if (caller.value[REGISTER_SP] < registers->value[REGISTER_SP] && !rules.is_signal)
    return UNWOUND_NOT;
  if (!caller.exact)
    caller.known &= ~(UINT32_C(1) << rules.return_register); /* that was the callee's */
  *registers = caller;
  return caller.pc ? UNWOUND : UNWOUND_LAST;
}
