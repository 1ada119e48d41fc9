/* Unwind tables: .eh_frame, as GCC and clang write it.
   SPDX-License-Identifier: MIT

   The tables are loaded with the code, and are correct, because exceptions depend on them.  A table with an unknown
   feature is treated as missing.  */

#include <string.h>

#include "libcilkprof/sampler/unwind.h"

/* Encodings of pointers in the tables (DW_EH_PE_*).  */
enum { POINTER_ABSOLUTE = 0, POINTER_UDATA2 = 2, POINTER_UDATA4 = 3, POINTER_UDATA8 = 4, POINTER_SDATA2 = 10 };
enum { POINTER_SDATA4 = 11, POINTER_SDATA8 = 12, POINTER_RELATIVE = 0x10 };

/* Reads a pointer with the given ENCODING (DW_EH_PE_*) at *AT into *VALUE, and advances *AT past it.  Returns false if
   the encoding is unknown.  */
static bool read_eh_frame_pointer(const uint8_t **at, uint8_t encoding, uintptr_t *value) {
  uintptr_t base = encoding & POINTER_RELATIVE ? (uintptr_t)*at : 0;
  union {
    uint16_t u2;
    int16_t s2;
    uint32_t u4;
    int32_t s4;
    uint64_t u8;
  } bytes;
  static const uint8_t sizes[16] = {8, 0, 2, 4, 8, 0, 0, 0, 0, 0, 2, 4, 8};
  uint8_t format = encoding & 15, size = sizes[format];
  if (!size || encoding & 0xe0)
    return false;
  memcpy(&bytes, *at, size);
  *at += size;
  *value = base + (format == POINTER_UDATA2   ? bytes.u2
                   : format == POINTER_SDATA2 ? (uintptr_t)bytes.s2
                   : format == POINTER_UDATA4 ? bytes.u4
                   : format == POINTER_SDATA4 ? (uintptr_t)bytes.s4
                                              : bytes.u8);
  return true;
}

struct table_entry {
  int32_t code, table; /* relative to the start of .eh_frame_hdr */
};

/* Finds the FDE, the unwind table of a function, for the function at PC by binary search in .eh_frame_hdr; NULL if
   there is none.  */
static const uint8_t *find_eh_frame_fde(uintptr_t pc) {
  struct loaded object;
  if (!__cilkprof_s_loaded_at(pc, &object) || !object.eh_frame)
    return NULL;
  const uint8_t *list = object.eh_frame;
  if (list[0] != 1 || list[1] != (POINTER_RELATIVE | POINTER_SDATA4) || list[2] != POINTER_UDATA4 || list[3] != 0x3b)
    return NULL;
  uint32_t count;
  memcpy(&count, list + 8, sizeof count);
  const struct table_entry *entries = (const struct table_entry *)(list + 12);
  intptr_t wanted = (intptr_t)(pc - (uintptr_t)list);
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (entries[middle].code <= wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low ? list + entries[low - 1].table : NULL;
}

/* The contents of a CIE that its functions share, and the initial instructions.  */
struct cie {
  uint64_t code_factor;
  int64_t data_factor;
  uint8_t pointers;
  bool has_data;
  const uint8_t *program, *end;
};

/* Reads the CIE at AT, the part of the unwind tables that several functions share, into CIE and RULES.  Returns false
   if it has a feature that is not known here.  */
static bool read_eh_frame_cie(const uint8_t *at, struct cie *cie, struct rules *rules) {
  uint32_t length;
  memcpy(&length, at, sizeof length);
  const uint8_t *end = at + 4 + length;
  uint8_t version = at[8];
  const char *letters = (const char *)at + 9;
  at += 9 + strlen(letters) + 1;
  if (length == UINT32_MAX || (version != 1 && version != 3))
    return false;
  *cie = (struct cie){.has_data = letters[0] == 'z', .end = end};
  cie->code_factor = read_unwind_uleb(&at);
  cie->data_factor = read_unwind_sleb(&at);
  rules->return_register = version == 1 ? *at++ : (unsigned)read_unwind_uleb(&at);
  uint64_t size = cie->has_data ? read_unwind_uleb(&at) : 0;
  cie->program = at + size;
  for (const char *letter = letters + 1; cie->has_data && *letter; letter++) {
    uintptr_t unused;
    uint8_t encoding = *letter == 'R' || *letter == 'L' || *letter == 'P' ? *at++ : 0;
    if (*letter == 'R')
      cie->pointers = encoding;
    else if (*letter == 'S')
      rules->is_signal = true;
    else if (*letter == 'P' && !read_eh_frame_pointer(&at, encoding & 0x7f, &unused))
      return false;
  }
  return (cie->has_data || !letters[0]) && rules->return_register < REGISTERS;
}

enum { MAX_STATES = 2 }; /* nesting depth of remember_state; the states are on the stack of the interrupted thread */

struct machine {
  const struct cie *cie;
  struct rules *rules;
  struct rules initial, saved[MAX_STATES];
  unsigned saved_count;
  uintptr_t at, pc;
};

/* Sets how the caller's value of register NUMBER is found.  Always returns true.  */
static bool set_unwind_rule(struct machine *machine, uint64_t number, struct rule rule) {
  if (number < REGISTERS)
    machine->rules->registers[number] = rule;
  machine->rules->is_initial = false;
  return true; /* other registers are not needed */
}

/* Sets the CFA, the address of the frame, to register NUMBER plus OFFSET.  */
static void set_unwind_cfa(struct machine *machine, uint64_t number, int64_t offset) {
  machine->rules->frame = (struct rule){.kind = RULE_REGISTER, .offset = (int64_t)number};
  machine->rules->frame_offset = offset;
  machine->rules->is_initial = false;
}

/* Reads a DWARF expression at *AT, advances *AT past it, and returns it as a rule: it computes where a register is
   saved in memory if IS_THERE, or else the value of the register.  */
static struct rule read_unwind_expression(const uint8_t **at, bool is_there) {
  struct rule rule = {.kind = is_there ? RULE_AT_COMPUTED : RULE_IS_COMPUTED, .expression = *at};
  uint64_t size = read_unwind_uleb(at);
  *at += size;
  return rule;
}

/* Returns the unsigned number of SIZE bytes at *AT, and advances *AT past it.  */
static uint64_t read_eh_frame_bytes(const uint8_t **at, size_t size) {
  uint64_t value = 0;
  memcpy(&value, *at, size); /* both architectures are little-endian */
  *at += size;
  return value;
}

/* Runs an instruction of the unwind table with an operand in the low 6 bits of its CODE: advance_loc, offset, restore.
   Further operands are at *AT.  */
static bool run_short_unwind_instruction(struct machine *machine, uint8_t code, const uint8_t **at) {
  uint8_t low = code & 0x3f;
  switch (code & 0xc0) {
  case 0x40:
    machine->at += low * machine->cie->code_factor;
    return true;
  case 0x80:
    return set_unwind_rule(
        machine, low,
        (struct rule){.kind = RULE_AT, .offset = (int64_t)read_unwind_uleb(at) * machine->cie->data_factor});
  default:
    return set_unwind_rule(machine, low, machine->initial.registers[low < REGISTERS ? low : 0]);
  }
}

/* Runs an instruction of the unwind table about the frame as a whole: its address (CFA), saved states, signed return
   addresses.  CODE is the instruction, and its operands are at *AT.  Returns false if it is unknown or cannot be
   run.  */
static bool run_frame_unwind_instruction(struct machine *machine, uint8_t code, const uint8_t **at) {
  struct rules *rules = machine->rules;
  int64_t factor = machine->cie->data_factor;
  uint64_t number;
  switch (code) {
  case 0x0a:
    if (machine->saved_count == MAX_STATES)
      return false;
    machine->saved[machine->saved_count++] = *rules;
    return true;
  case 0x0b:
    if (!machine->saved_count)
      return false;
    *rules = machine->saved[--machine->saved_count];
    return true;
  case 0x0c:
    number = read_unwind_uleb(at);
    set_unwind_cfa(machine, number, (int64_t)read_unwind_uleb(at));
    return true;
  case 0x0d:
    set_unwind_cfa(machine, read_unwind_uleb(at), rules->frame_offset);
    return true;
  case 0x0e:
    set_unwind_cfa(machine, (uint64_t)rules->frame.offset, (int64_t)read_unwind_uleb(at));
    return true;
  case 0x0f:
    rules->frame = read_unwind_expression(at, false);
    rules->is_initial = false;
    return true;
  case 0x12:
    number = read_unwind_uleb(at);
    set_unwind_cfa(machine, number, read_unwind_sleb(at) * factor);
    return true;
  case 0x13:
    set_unwind_cfa(machine, (uint64_t)rules->frame.offset, read_unwind_sleb(at) * factor);
    return true;
  case 0x2d:
    rules->is_signed = !rules->is_signed;
    return true;
  case 0x2e:
    read_unwind_uleb(at);
    return true;
  default:
    return false;
  }
}

/* Runs an instruction of the unwind table that sets the rule for one register.  CODE is the instruction, and its
   operands are at *AT.  Returns false if it is unknown.  */
static bool run_register_unwind_instruction(struct machine *machine, uint8_t code, const uint8_t **at) {
  int64_t factor = machine->cie->data_factor;
  uint64_t number = read_unwind_uleb(at);
  switch (code) {
  case 0x05:
    return set_unwind_rule(machine, number,
                           (struct rule){.kind = RULE_AT, .offset = (int64_t)read_unwind_uleb(at) * factor});
  case 0x06:
    return set_unwind_rule(machine, number, machine->initial.registers[number < REGISTERS ? number : 0]);
  case 0x07:
    return set_unwind_rule(machine, number, (struct rule){.kind = RULE_UNDEFINED, .offset = 0});
  case 0x08:
    return set_unwind_rule(machine, number, (struct rule){.kind = RULE_SAME, .offset = 0});
  case 0x09:
    return set_unwind_rule(machine, number,
                           (struct rule){.kind = RULE_REGISTER, .offset = (int64_t)read_unwind_uleb(at)});
  case 0x10:
    return set_unwind_rule(machine, number, read_unwind_expression(at, true));
  case 0x11:
    return set_unwind_rule(machine, number, (struct rule){.kind = RULE_AT, .offset = read_unwind_sleb(at) * factor});
  case 0x14:
    return set_unwind_rule(machine, number,
                           (struct rule){.kind = RULE_IS, .offset = (int64_t)read_unwind_uleb(at) * factor});
  case 0x15:
    return set_unwind_rule(machine, number, (struct rule){.kind = RULE_IS, .offset = read_unwind_sleb(at) * factor});
  case 0x16:
    return set_unwind_rule(machine, number, read_unwind_expression(at, false));
  default:
    return false;
  }
}

/* Runs the instructions of an unwind table from AT to END, up to the row for the machine's PC.  Returns false if one of
   them is unknown.  */
static bool run_unwind_instructions(struct machine *machine, const uint8_t *at, const uint8_t *end) {
  while (at < end && machine->at <= machine->pc) {
    uint8_t code = *at++;
    bool known = true;
    if (code & 0xc0)
      known = run_short_unwind_instruction(machine, code, &at);
    else if (code == 0x01)
      known = read_eh_frame_pointer(&at, machine->cie->pointers, &machine->at);
    else if (code >= 0x02 && code <= 0x04)
      machine->at += read_eh_frame_bytes(&at, (size_t)1 << (code - 2)) * machine->cie->code_factor;
    else if ((code >= 0x05 && code <= 0x09) || code == 0x10 || code == 0x11 || (code >= 0x14 && code <= 0x16))
      known = run_register_unwind_instruction(machine, code, &at);
    else if (code != 0)
      known = run_frame_unwind_instruction(machine, code, &at);
    if (!known)
      return false;
  }
  return true;
}

/* Finds in the unwind tables how to get from a frame at PC to its caller, and sets RULES.  Returns false if there is no
   table for PC, or one with an unknown feature.  */
bool __cilkprof_s_rules_at(uintptr_t pc, struct rules *rules) {
  const uint8_t *at = find_eh_frame_fde(pc);
  struct cie cie;
  uintptr_t range;
  uint32_t length, back;
  if (!at)
    return false;
  memcpy(&length, at, sizeof length);
  memcpy(&back, at + 4, sizeof back);
  const uint8_t *end = at + 4 + length;
  memset(rules, 0, sizeof *rules);
  if (!length || length == UINT32_MAX || !read_eh_frame_cie(at + 4 - back, &cie, rules))
    return false;
  at += 8;
  if (!read_eh_frame_pointer(&at, cie.pointers, &rules->begin) ||
      !read_eh_frame_pointer(&at, cie.pointers & 15, &range) || pc < rules->begin || pc - rules->begin >= range)
    return false;
  rules->end = rules->begin + range;
  if (cie.has_data) {
    uint64_t size = read_unwind_uleb(&at);
    at += size;
  }
  struct machine machine = {.cie = &cie, .rules = rules, .at = rules->begin, .pc = pc};
  if (!run_unwind_instructions(&machine, cie.program, cie.end))
    return false;
  machine.initial = *rules;
  rules->is_initial = true;
  return run_unwind_instructions(&machine, at, end);
}
