/* Finds the functions to which an instruction belongs, with libdw.
   SPDX-License-Identifier: GPL-3.0-or-later

   dwarf_getscopes would read a whole unit for every address.  A profile has thousands of addresses near one another.
   So the functions of a unit are listed once, and only the one that contains the address is read.  */

#include <dwarf.h>
#include <stdlib.h>
#include <unistd.h>
#include "cilkprof-report/objects/inlined.h"
#include "cilkprof-report/support/sort.h"

enum { MAX_DEPTH = 64 }; /* limit for damaged files */

/* A range of addresses of a function.  */
struct inlined_function {
  Dwarf_Addr start, end;
  Dwarf_Die die;
};

/* Adds all ranges of addresses of DIE, a function, to INLINED.  Ends the process if there is no memory.  */
static void add_dwarf_function_ranges(struct inlined *inlined, Dwarf_Die *die) {
  Dwarf_Addr base, start, end;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;) {
    if (start >= end)
      continue;
    if (inlined->count == inlined->room) {
      inlined->room = 2 * inlined->room + 64;
      inlined->functions = reallocarray(inlined->functions, inlined->room, sizeof *inlined->functions);
    }
    if (inlined->functions == NULL)
      _exit(1); /* as debug-info.c does everywhere without memory */
    inlined->functions[inlined->count++] = (struct inlined_function){start, end, *die};
  }
}

/* Adds all functions with code below PARENT to INLINED.  They are in their unit, in namespaces, and in other functions,
   as the bodies of loops are.  DEPTH is that of the recursion.  */
static void list_dwarf_functions(struct inlined *inlined, Dwarf_Die *parent, unsigned depth) {
  Dwarf_Die die;
  if (depth > MAX_DEPTH || dwarf_child(parent, &die) != 0)
    return;
  do
    switch (dwarf_tag(&die)) {
    case DW_TAG_subprogram:
      add_dwarf_function_ranges(inlined, &die);
      list_dwarf_functions(inlined, &die, depth + 1);
      break;
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_lexical_block:
      list_dwarf_functions(inlined, &die, depth + 1);
      break;
    default:
      break;
    }
  while (dwarf_siblingof(&die, &die) == 0);
}

/* Callback of qsort: compares two functions by the address at which they start.  */
static int compare_dwarf_functions(const void *left, const void *right) {
  const struct inlined_function *a = left, *b = right;
  return a->start < b->start ? -1 : a->start > b->start;
}

/* Callback of sorted_lower_bound: returns whether a function starts at ADDRESS or before it.  */
static bool is_dwarf_function_before(const void *item, const void *address) {
  return ((const struct inlined_function *)item)->start <= *(const uint64_t *)address;
}

/* Returns the entry that has the functions of UNIT.  With -gsplit-dwarf it is in another file.  */
static Dwarf_Die whole_dwarf_unit(Dwarf_Die *unit) {
  Dwarf_Die split;
  uint8_t type;
  if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &split, NULL, NULL, NULL) == 0 && type == DW_UT_skeleton &&
      split.addr != NULL)
    return split;
  return *unit;
}

/* Returns the function of UNIT that contains ADDRESS, or NULL.  INLINED keeps the functions of one unit: if UNIT is
   another than in the last call, its functions are listed first.  */
static const struct inlined_function *find_dwarf_function(struct inlined *inlined, Dwarf_Die *unit, uint64_t address) {
  if (inlined->unit != unit->addr) {
    Dwarf_Die whole = whole_dwarf_unit(unit);
    inlined->unit = unit->addr;
    inlined->count = 0;
    list_dwarf_functions(inlined, &whole, 0);
    if (inlined->count > 0)
      qsort(inlined->functions, inlined->count, sizeof *inlined->functions, compare_dwarf_functions);
  }
  size_t after = sorted_lower_bound(inlined->functions, inlined->count, sizeof *inlined->functions,
                                    is_dwarf_function_before, &address);
  const struct inlined_function *function = after > 0 ? &inlined->functions[after - 1] : NULL;
  return function != NULL && address < function->end ? function : NULL;
}

/* Finds the child of PARENT, a function or block, that contains ADDRESS, and stores it in *DIE: a block or an inlined
   function.  Returns false if there is none.  */
static bool find_dwarf_block_inside(Dwarf_Die *parent, uint64_t address, Dwarf_Die *die) {
  if (dwarf_child(parent, die) != 0)
    return false;
  do {
    int tag = dwarf_tag(die);
    if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
         tag == DW_TAG_catch_block) &&
        dwarf_haspc(die, address) == 1)
      return true;
  } while (dwarf_siblingof(die, die) == 0);
  return false;
}

/* Stores FUNCTION and the functions inlined in it that contain ADDRESS in FRAMES, the outermost first, and returns
   their number.  */
static unsigned list_dwarf_frames(const struct inlined_function *function, uint64_t address, Dwarf_Die *frames) {
  unsigned count = 0;
  Dwarf_Die parent = function->die, die;
  frames[count++] = parent;
  for (unsigned depth = 0; depth < MAX_DEPTH && find_dwarf_block_inside(&parent, address, &die); depth++) {
    if (dwarf_tag(&die) == DW_TAG_inlined_subroutine)
      frames[count++] = die;
    parent = die;
  }
  return count;
}

/* Returns the value of the attribute NAME of DIE, or 0 if it has none.  If INTEGRATE, also looks at the declaration of
   an inlined function.  */
static uint32_t read_dwarf_number(Dwarf_Die *die, unsigned name, bool integrate) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  Dwarf_Attribute *found = integrate ? dwarf_attr_integrate(die, name, &attribute) : dwarf_attr(die, name, &attribute);
  return found != NULL && dwarf_formudata(found, &value) == 0 ? (uint32_t)value : 0;
}

/* Returns the value of the attribute NAME, a flag, of DIE or the declaration that it refers to; false if there is
   none.  */
static bool read_dwarf_flag(Dwarf_Die *die, unsigned name) {
  Dwarf_Attribute attribute;
  bool value = false;
  return dwarf_formflag(dwarf_attr_integrate(die, name, &attribute), &value) == 0 && value;
}

/* Returns the linker symbol of the function DIE, or its name if there is none, or NULL.  */
static const char *read_dwarf_function_name(Dwarf_Die *die) {
  Dwarf_Attribute attribute;
  const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute));
  return name != NULL ? name : dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
}

/* Returns the source file of the call of DIE, an inlined function, or NULL if it is unknown or DIE is not inlined.  */
static const char *read_dwarf_call_file(Dwarf_Die *die) {
  Dwarf_Die unit;
  Dwarf_Files *files;
  size_t count;
  uint32_t number = read_dwarf_number(die, DW_AT_call_file, false);
  if (dwarf_tag(die) != DW_TAG_inlined_subroutine || dwarf_diecu(die, &unit, NULL, NULL) == NULL ||
      dwarf_getsrcfiles(&unit, &files, &count) != 0 || number >= count)
    return NULL;
  return dwarf_filesrc(files, number, NULL, NULL);
}

/* Sets *TYPE to the class of which the function DIE is a member, by the type of its object.  Returns false if there is
   none.  */
static bool find_dwarf_class_of_member(Dwarf_Die *die, Dwarf_Die *type) {
  enum { POINTER_TO_CONSTANT = 3 }; /* how many types there are at most: a pointer that is constant, to a constant */
  Dwarf_Attribute attribute;
  Dwarf_Die *found = dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_object_pointer, &attribute), type);
  for (unsigned depth = 0; found != NULL && depth <= POINTER_TO_CONSTANT; depth++) {
    found = dwarf_formref_die(dwarf_attr_integrate(type, DW_AT_type, &attribute), type);
    if (found != NULL && (dwarf_tag(type) == DW_TAG_structure_type || dwarf_tag(type) == DW_TAG_class_type))
      return true;
  }
  return false;
}

/* Sets the source location in FRAME at which the function DIE is defined, if it is known.  That of a lambda is where
   its class is: the function itself has none.  */
static void locate_dwarf_definition(Dwarf_Die *die, struct inlined_frame *frame) {
  Dwarf_Die type;
  frame->defined_file = dwarf_decl_file(die);
  frame->defined = read_dwarf_number(die, DW_AT_decl_line, true);
  if (frame->defined == 0 && find_dwarf_class_of_member(die, &type)) {
    frame->defined_file = dwarf_decl_file(&type);
    frame->defined = read_dwarf_number(&type, DW_AT_decl_line, false);
  }
}

bool find_inlined_dwarf_frame(struct inlined *inlined, Dwarf_Die *unit, uint64_t address, unsigned depth,
                              struct inlined_frame *frame) {
  Dwarf_Die frames[MAX_DEPTH + 2];
  const struct inlined_function *function = find_dwarf_function(inlined, unit, address);
  unsigned count = function != NULL ? list_dwarf_frames(function, address, frames) : 0;
  if (depth >= count)
    return false;
  Dwarf_Die *die = &frames[count - 1 - depth];
  bool is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
  *frame = (struct inlined_frame){
      .name = read_dwarf_function_name(die),
      .call_file = is_inlined ? read_dwarf_call_file(die) : NULL,
      .call_line = is_inlined ? read_dwarf_number(die, DW_AT_call_line, false) : 0,
      .is_static = !read_dwarf_flag(die, DW_AT_external),
  };
  locate_dwarf_definition(die, frame);
  return true;
}
