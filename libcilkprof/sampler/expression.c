/* DWARF expressions, as far as unwind tables contain them: for PLT entries, and for realigned stacks.
   SPDX-License-Identifier: MIT  */

#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "libcilkprof/sampler/unwind.h"

/* Reads a word of memory.  The bounds of the thread's own stack are known; for other addresses the kernel is asked,
   as they may be unmapped.  */
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

enum { MOST_VALUES = 16 };

struct values {
  uintptr_t value[MOST_VALUES];
  unsigned count;
};

static bool push(struct values *values, uintptr_t value) {
  if (values->count == MOST_VALUES)
    return false;
  values->value[values->count++] = value;
  return true;
}

static bool push_register(const struct unwinder *unwinder, struct values *values, uint64_t number, int64_t offset) {
  if (number >= REGISTERS)
    return false;
  uintptr_t value = number == REGISTER_RETURN && REGISTER_RETURN == 16 ? unwinder->pc : unwinder->registers[number];
  return push(values, value + (uintptr_t)offset);
}

/* Runs a binary operation; the right operand is on top of the stack.  */
static bool combine(struct values *values, uint8_t code) {
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

static bool run(const struct unwinder *unwinder, struct values *values, uint8_t code, const uint8_t **at) {
  uint64_t number;
  if (code >= 0x30 && code <= 0x4f)
    return push(values, code - 0x30U);
  if (code >= 0x70 && code <= 0x8f)
    return push_register(unwinder, values, code - 0x70U, read_sleb(at));
  switch (code) {
  case 0x06:
    return values->count &&
           __cilkprof_s_read(unwinder, values->value[values->count - 1], &values->value[values->count - 1]);
  case 0x08:
    return push(values, *(*at)++);
  case 0x09:
    return push(values, (uintptr_t)(int8_t) * (*at)++);
  case 0x10:
    return push(values, read_uleb(at));
  case 0x11:
    return push(values, (uintptr_t)read_sleb(at));
  case 0x12:
    return values->count && push(values, values->value[values->count - 1]);
  case 0x23:
    return values->count && (values->value[values->count - 1] += read_uleb(at), true);
  case 0x92:
    number = read_uleb(at);
    return push_register(unwinder, values, number, read_sleb(at));
  default:
    return combine(values, code);
  }
}

bool __cilkprof_s_compute(const struct unwinder *unwinder, const uint8_t *expression, const uintptr_t *initial,
                          uintptr_t *result) {
  struct values values = {.count = 0};
  uint64_t size = read_uleb(&expression);
  const uint8_t *at = expression, *end = expression + size;
  if (initial)
    push(&values, *initial);
  while (at < end) {
    uint8_t code = *at++;
    if (!run(unwinder, &values, code, &at))
      return false;
  }
  if (!values.count)
    return false;
  *result = values.value[values.count - 1];
  return true;
}
