/* DWARF expressions, as far as unwind tables contain them: for PLT entries, and for realigned stacks.
   SPDX-License-Identifier: MIT  */

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libcilkprof/sampler/unwind.h"

/* Reads the word of memory at ADDRESS into *VALUE, for the unwinder.  Returns false if it is not readable.  The bounds
   of the thread's own stack are known; for other addresses the kernel is asked, as they may be unmapped.  */
bool __cilkprof_s_read(const struct unwinder *unwinder, uintptr_t address, uintptr_t *value) {
  if (address % sizeof *value)
    return false;
  if (address >= unwinder->stack && address < unwinder->stack_end) {
    *value = *(const uintptr_t *)address;
    return true;
  }
  struct iovec here = {value, sizeof *value}, there = {(void *)address, sizeof *value};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)sizeof *value;
}

enum { MAX_VALUES = 16 };

struct values {
  uintptr_t value[MAX_VALUES];
  unsigned count;
};

/* Pushes VALUE on the stack of a DWARF expression.  Returns false if the stack is full.  */
static bool push_unwind_value(struct values *values, uintptr_t value) {
  if (values->count == MAX_VALUES)
    return false;
  values->value[values->count++] = value;
  return true;
}

/* Pushes register NUMBER of the frame that is unwound, plus OFFSET, on the stack of a DWARF expression.  Returns false
   if there is no such register or the stack is full.  */
static bool push_unwind_register(const struct unwinder *unwinder, struct values *values, uint64_t number,
                                 int64_t offset) {
  if (number >= REGISTERS)
    return false;
  uintptr_t value = number == REGISTER_RETURN && REGISTER_RETURN == 16 ? unwinder->pc : unwinder->registers[number];
  return push_unwind_value(values, value + (uintptr_t)offset);
}

/* Runs the binary operation CODE of a DWARF expression; the right operand is on top of the stack, and the result
   replaces both.  Returns false if it is unknown or there are not two operands.  */
static bool combine_unwind_values(struct values *values, uint8_t code) {
  if (values->count < 2)
    return false;
  uintptr_t right = values->value[--values->count], *left = &values->value[values->count - 1];
  switch (code) {
  case 0x1a:
    *left &= right;
    return true;
  case 0x1c:
    *left -= right;
    return true;
  case 0x21:
    *left |= right;
    return true;
  case 0x22:
    *left += right;
    return true;
  case 0x24:
    *left = right < 64 ? *left << right : 0;
    return true;
  case 0x25:
    *left = right < 64 ? *left >> right : 0;
    return true;
  case 0x29:
    *left = *left == right;
    return true;
  case 0x2a:
    *left = (intptr_t)*left >= (intptr_t)right;
    return true;
  case 0x2b:
    *left = (intptr_t)*left > (intptr_t)right;
    return true;
  default:
    return false;
  }
}

/* Runs the operation CODE of a DWARF expression, whose operands are at *AT, on its stack VALUES.  Returns false if it
   is unknown or fails.  */
static bool run_unwind_expression_operation(const struct unwinder *unwinder, struct values *values, uint8_t code,
                                            const uint8_t **at) {
  uint64_t number;
  if (code >= 0x30 && code <= 0x4f)
    return push_unwind_value(values, code - 0x30U);
  if (code >= 0x70 && code <= 0x8f)
    return push_unwind_register(unwinder, values, code - 0x70U, read_unwind_sleb(at));
  switch (code) {
  case 0x06:
    return values->count &&
           __cilkprof_s_read(unwinder, values->value[values->count - 1], &values->value[values->count - 1]);
  case 0x08:
    return push_unwind_value(values, *(*at)++);
  case 0x09:
    return push_unwind_value(values, (uintptr_t)(int8_t) * (*at)++);
  case 0x10:
    return push_unwind_value(values, read_unwind_uleb(at));
  case 0x11:
    return push_unwind_value(values, (uintptr_t)read_unwind_sleb(at));
  case 0x12:
    return values->count && push_unwind_value(values, values->value[values->count - 1]);
  case 0x23:
    return values->count && (values->value[values->count - 1] += read_unwind_uleb(at), true);
  case 0x92:
    number = read_unwind_uleb(at);
    return push_unwind_register(unwinder, values, number, read_unwind_sleb(at));
  default:
    return combine_unwind_values(values, code);
  }
}

/* Evaluates the DWARF expression EXPRESSION for UNWINDER, with INITIAL on its stack if that is not NULL, and stores the
   result in *VALUE.  Returns false on failure.  */
bool __cilkprof_s_compute(const struct unwinder *unwinder, const uint8_t *expression, const uintptr_t *initial,
                          uintptr_t *result) {
  struct values values = {.count = 0};
  uint64_t size = read_unwind_uleb(&expression);
  const uint8_t *at = expression, *end = expression + size;
  if (initial)
    push_unwind_value(&values, *initial);
  while (at < end) {
    uint8_t code = *at++;
    if (!run_unwind_expression_operation(unwinder, &values, code, &at))
      return false;
  }
  if (!values.count)
    return false;
  *result = values.value[values.count - 1];
  return true;
}
