/* What the linker says of an instrumented unit when there is no engine: one line, and not one for every event.
   SPDX-License-Identifier: GPL-3.0-or-later

   References to the engine are weak, so that the linker is silent about them.  A single one is strong: its name is the
   message, and the one object that defines it brings in the engine.  It stands among the functions that run at the
   start, which no linker leaves out as unused, and in a group of which a program has one however many units do: what
   has lost it cannot be linked, or loaded.

   Units for link-time optimisation are instrumented at the link.  What they have for the assembler is an error there
   unless this plugin took part.  */

#include "back.h"
#include "toplev.h"
#include "symtab.h"

static const char engine_prefix[] = "__cilkprof_";

const char *name_of_mode() {
  static const char *const names[] = {"count", "hybrid", "clock"};
  return whatif ? "whatif" : names[mode];
}

/* A symbol of the engine that was written to the assembler's file, and is not of this unit.  */
static bool refers_to_engine_p(tree symbol) {
  const char *name = IDENTIFIER_POINTER(symbol);
  if (!TREE_SYMBOL_REFERENCED(symbol) || !startswith(name, engine_prefix) || startswith(name, MARKER_PREFIX))
    return false;
  symtab_node *node = symtab_node::get_for_asmname(symbol);
  return !node || !node->definition;
}

static int weaken(cpp_reader *, ht_identifier *identifier, const void *any) {
  tree symbol = HT_IDENT_TO_GCC_IDENT(identifier);
  if (refers_to_engine_p(symbol)) {
    fprintf(asm_out_file, "\t.weak\t%s\n", IDENTIFIER_POINTER(symbol));
    *(bool *)const_cast<void *>(any) = true;
  }
  return 1;
}

/* A local symbol of the assembler, which this plugin defines.  */
#define TOOK_PART ".LCILKPROF"

void tell_assembler(void *, void *) {
  if (asm_out_file)
    fputs("\t.set\t" TOOK_PART ", 1\n", asm_out_file);
}

void ask_assembler(void *, void *) {
  static const char text[] = "\t.ifndef\t" TOOK_PART "\n"
                             "\t.error\t\"objects compiled with -fcilkprof must be linked with -fcilkprof\"\n"
                             "\t.set\t" TOOK_PART ", 1\n"
                             "\t.endif";
  if (flag_lto && !in_lto_p)
    symtab->finalize_toplevel_asm(build_string(sizeof text - 1, text));
}

void refer_to_engine(void *, void *) {
  bool any = false;
  if (!asm_out_file || seen_error())
    return;
  ht_forall(ident_hash, weaken, &any);
  if (any)
    fprintf(asm_out_file,
            "\t.section\t.init_array,\"awG\",%%init_array,%slinked_%s,comdat\n"
            "\t.balign\t8\n"
            "\t.dc.a\t%sis_missing_link_with_fcilkprof_%s\n",
            engine_prefix, name_of_mode(), engine_prefix, name_of_mode());
}
