/* The tables by which exceptions are unwound (.eh_frame): the rules of one place in the code.
   SPDX-License-Identifier: MIT  */

#include <dlfcn.h>
#include <string.h>

#include "libcilkprof/samples/unwind.h"

/* What linkers make: offsets of 32 bits, of the place itself or of the section, or addresses.  */
enum { ENCODED_ABSOLUTE = 0x00, ENCODED_PLACE_32 = 0x1b, ENCODED_COUNT_32 = 0x03, ENCODED_SECTION_32 = 0x3b };

struct entry {
  const uint8_t *start, *end; /* of the instructions of this place */
  const uint8_t *common, *common_end;
  uintptr_t from, to; /* its code */
  uint64_t code_unit;
  int64_t data_unit;
  bool is_signal;
  unsigned return_register;
};

static int32_t word_at(const uint8_t *at) {
  int32_t word;
  memcpy(&word, at, sizeof word);
  return word;
}

/* The last entry of the sorted table whose code begins at or before PC.  */
static const uint8_t *find_entry(const uint8_t *header, uintptr_t pc) {
  if (header[0] != 1 || header[1] != ENCODED_PLACE_32 || header[2] != ENCODED_COUNT_32 ||
      header[3] != ENCODED_SECTION_32)
    return NULL;
  uint32_t low = 0, high = (uint32_t)word_at(header + 8);
  const uint8_t *table = header + 12;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if ((uintptr_t)header + (uintptr_t)(intptr_t)word_at(table + 8 * (size_t)middle) <= pc)
      low = middle;
    else
      high = middle;
  }
  return high > low ? header + word_at(table + 8 * (size_t)low + 4) : NULL;
}

static bool read_address(const uint8_t **at, uint8_t encoding, uintptr_t *address) {
  uintptr_t place = (uintptr_t)*at;
  if (encoding == ENCODED_PLACE_32)
    *address = place + (uintptr_t)(intptr_t)(int32_t)read_bytes(at, 4);
  else if (encoding == ENCODED_ABSOLUTE)
    *address = (uintptr_t)read_bytes(at, 8);
  else
    return false;
  return true;
}

static bool skip_encoded(const uint8_t **at, uint8_t encoding) {
  switch (encoding & 0x0f) {
  case 0x00:
  case 0x04:
  case 0x0c:
    *at += 8;
    return true;
  case 0x03:
  case 0x0b:
    *at += 4;
    return true;
  default:
    return encoding == 0xff;
  }
}

/* What all entries of a kind begin with.  */
static bool read_common(const uint8_t *at, struct entry *entry, uint8_t *encoding, bool *has_extra) {
  uint32_t length = (uint32_t)read_bytes(&at, 4);
  entry->common_end = at + length;
  if (length == UINT32_MAX || read_bytes(&at, 4) != 0)
    return false;
  uint8_t version = *at++;
  const char *letters = (const char *)at;
  at += strlen(letters) + 1;
  entry->code_unit = read_uleb(&at);
  entry->data_unit = read_sleb(&at);
  entry->return_register = version == 1 ? *at++ : (unsigned)read_uleb(&at);
  *encoding = ENCODED_ABSOLUTE;
  *has_extra = *letters == 'z';
  if (!*has_extra) {
    entry->common = at;
    return !*letters;
  }
  uint64_t extra = read_uleb(&at);
  entry->common = at + extra;
  for (letters++; *letters; letters++)
    if (*letters == 'R')
      *encoding = *at++;
    else if (*letters == 'L')
      at++;
    else if (*letters == 'P') {
      uint8_t personality = *at++;
      if (!skip_encoded(&at, personality))
        return false;
    } else if (*letters == 'S')
      entry->is_signal = true;
    else if (*letters != 'B')
      return false;
  return true;
}

static bool read_entry(const uint8_t *at, uintptr_t pc, struct entry *entry) {
  uint32_t length = (uint32_t)read_bytes(&at, 4);
  uint8_t encoding;
  bool has_extra;
  entry->end = at + length;
  const uint8_t *here = at;
  uint32_t back = (uint32_t)read_bytes(&at, 4);
  if (length == UINT32_MAX || length == 0 || back == 0 || !read_common(here - back, entry, &encoding, &has_extra) ||
      !read_address(&at, encoding, &entry->from))
    return false;
  uint64_t size = read_bytes(&at, encoding == ENCODED_ABSOLUTE ? 8 : 4);
  if (has_extra) {
    uint64_t extra = read_uleb(&at);
    at += extra;
  }
  entry->start = at;
  entry->to = entry->from + size;
  return pc >= entry->from && pc < entry->to;
}

/* The instructions of the tables, up to PC.  */
struct machine {
  const struct entry *entry;
  struct rules *rules, first; /* first: those of the common part, which are restored */
  struct rules saved[4];
  unsigned depth;
  uintptr_t at, pc;
  bool changed; /* something was said of the frame */
};

static void set(struct machine *machine, uint64_t number, struct rule rule) {
  if (number < REGISTERS)
    machine->rules->of[number] = rule;
}

static const uint8_t *skip_expression(const uint8_t *at) {
  uint64_t length = read_uleb(&at);
  return at + length;
}

static int64_t scaled(const struct machine *machine, int64_t value) {
  return value * machine->entry->data_unit;
}

static void restore(struct machine *machine, uint64_t number) {
  if (number < REGISTERS)
    machine->rules->of[number] = machine->first.of[number];
}

static void set_frame(struct machine *machine, uint64_t base, int64_t offset) {
  machine->rules->frame = (struct rule){RULE_REGISTER, offset, NULL};
  machine->rules->base = base;
}

static bool remember(struct machine *machine) {
  if (machine->depth == sizeof machine->saved / sizeof *machine->saved)
    return false;
  machine->saved[machine->depth++] = *machine->rules;
  return true;
}

static bool recall(struct machine *machine) {
  if (machine->depth == 0)
    return false;
  *machine->rules = machine->saved[--machine->depth];
  return true;
}

/* Those without a number in their first byte.  */
static bool step_long(struct machine *machine, uint8_t code, const uint8_t **at) {
  struct rules *rules = machine->rules;
  uint64_t number;
  switch (code) {
  case 0x00: /* nop */
    return true;
  case 0x02: /* advance_loc1 */
    machine->at += read_bytes(at, 1) * machine->entry->code_unit;
    return true;
  case 0x03:
    machine->at += read_bytes(at, 2) * machine->entry->code_unit;
    return true;
  case 0x04:
    machine->at += read_bytes(at, 4) * machine->entry->code_unit;
    return true;
  case 0x05: /* offset_extended */
    number = read_uleb(at);
    set(machine, number, (struct rule){RULE_AT, scaled(machine, (int64_t)read_uleb(at)), NULL});
    return true;
  case 0x06: /* restore_extended */
    restore(machine, read_uleb(at));
    return true;
  case 0x07: /* undefined */
    set(machine, read_uleb(at), (struct rule){RULE_UNDEFINED, 0, NULL});
    return true;
  case 0x08: /* same_value */
    set(machine, read_uleb(at), (struct rule){RULE_SAME, 0, NULL});
    return true;
  case 0x09: /* register */
    number = read_uleb(at);
    set(machine, number, (struct rule){RULE_REGISTER, (int64_t)read_uleb(at), NULL});
    return true;
  case 0x0a:
    return remember(machine);
  case 0x0b:
    return recall(machine);
  case 0x0c: /* def_cfa */
    number = read_uleb(at);
    set_frame(machine, number, (int64_t)read_uleb(at));
    return true;
  case 0x0d: /* def_cfa_register */
    rules->base = read_uleb(at);
    return true;
  case 0x0e: /* def_cfa_offset */
    rules->frame.offset = (int64_t)read_uleb(at);
    return true;
  case 0x0f: /* def_cfa_expression */
    rules->frame = (struct rule){RULE_EXPRESSION, 0, *at};
    *at = skip_expression(*at);
    return true;
  case 0x10: /* expression */
  case 0x16: /* val_expression */
    number = read_uleb(at);
    set(machine, number, (struct rule){code == 0x10 ? RULE_EXPRESSION : RULE_VALUE, 0, *at});
    *at = skip_expression(*at);
    return true;
  case 0x11: /* offset_extended_sf */
    number = read_uleb(at);
    set(machine, number, (struct rule){RULE_AT, scaled(machine, read_sleb(at)), NULL});
    return true;
  case 0x12: /* def_cfa_sf */
    number = read_uleb(at);
    set_frame(machine, number, scaled(machine, read_sleb(at)));
    return true;
  case 0x13: /* def_cfa_offset_sf */
    rules->frame.offset = scaled(machine, read_sleb(at));
    return true;
  case 0x14: /* val_offset */
    number = read_uleb(at);
    set(machine, number, (struct rule){RULE_IS, scaled(machine, (int64_t)read_uleb(at)), NULL});
    return true;
  case 0x2d: /* on aarch64, negate_ra_state */
    rules->return_signed = !rules->return_signed;
    return true;
  case 0x2e: /* GNU_args_size */
    read_uleb(at);
    return true;
  default:
    return false;
  }
}

static bool run(struct machine *machine, const uint8_t *at, const uint8_t *end) {
  while (at < end && machine->at <= machine->pc) {
    uint8_t code = *at++, number = code & 0x3f;
    machine->changed |= code > 0x04 && (code & 0xc0) != 0x40; /* all but those that advance */
    switch (code & 0xc0) {
    case 0x40: /* advance_loc */
      machine->at += number * machine->entry->code_unit;
      break;
    case 0x80: /* offset */
      set(machine, number, (struct rule){RULE_AT, scaled(machine, (int64_t)read_uleb(&at)), NULL});
      break;
    case 0xc0:
      restore(machine, number);
      break;
    default:
      if (!step_long(machine, code, &at))
        return false;
    }
  }
  return true;
}

bool __cilkprof_s_rules(uintptr_t pc, struct rules *rules) {
  struct dl_find_object object;
  struct entry entry = {0};
  if (_dl_find_object((void *)pc, &object) != 0 || !object.dlfo_eh_frame)
    return false;
  const uint8_t *found = find_entry(object.dlfo_eh_frame, pc);
  if (!found || !read_entry(found, pc, &entry))
    return false;
  struct machine machine = {.entry = &entry, .rules = rules, .pc = pc};
  memset(rules, 0, sizeof *rules);
  rules->is_signal = entry.is_signal;
  rules->return_register = entry.return_register;
  if (!run(&machine, entry.common, entry.common_end))
    return false;
  machine.first = *rules;
  machine.at = entry.from;
  machine.changed = false;
  if (!run(&machine, entry.start, entry.end))
    return false;
  rules->from = entry.from;
  rules->to = entry.to;
  rules->first = !machine.changed;
  return true;
}
