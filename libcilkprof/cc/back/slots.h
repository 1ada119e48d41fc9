/* Slots: what a unit holds for the engine's records.  A file that includes this defines INCLUDE_STRING first.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_SLOTS_H
#define CILKPROF_CC_SLOTS_H

#include "symbols.h"
#include "libcilkprof/abi/slots.h"

/* What the description of a site says.  */
struct site_facts {
  cilkprof_site_kind kind;
  unsigned flags;
  expanded_location where;
  std::string caller, callee; /* symbols, or empty */
  std::string unit;
  std::string library = ""; /* the symbol of the inlined function of a library that is called here and has the site */
  std::string loop = "";    /* the line of the innermost serial loop around the call; empty: there is none */
  std::string clock = "";   /* the clock by which the program times the call; empty: it does not */
};

/* A record of the engine's: what its slot says of it.  */
struct record_facts {
  int kind; /* __CILKPROF_SLOT_FUNCTION, _SITE or _POINT */
  unsigned flags = 0;
  unsigned HOST_WIDE_INT work = 0; /* of a site */
  tree function = NULL_TREE;       /* of a site: the record of the function that calls there */
  tree address = NULL_TREE;        /* of a function its own, or what the site always calls; NULL_TREE: none */
  std::string description = "";    /* statements of the assembler, after the address of the slot; empty: none */
};

/* records.cc */
bool record_declared_static_p(tree function);              /* by the programmer */
std::string record_source_file_of_function(tree function); /* the unit that it was compiled in */

/* slots.cc: makes a record for which the current function has a slot, and returns a variable that stands for it.  */
tree make_record(engine_type type, const record_facts &facts);
record_facts *facts_of_record(tree record, bool *fixed); /* FIXED: they cannot be changed any more */

/* descriptions.cc: the description of a site, without the address of its slot.  */
std::string description_of_site(const site_facts &facts);
/* Describes the folder in which the compiler runs, once, if the source file of FACTS is relative to it.  */
void describe_compiler_folder_of_site(const site_facts &facts);
/* Describes what is no site, once however often it is told.  */
void describe_in_unit(const site_facts &facts);
const std::string &descriptions_of_unit(); /* of all that is no site, each with an address of 0 */

#endif
