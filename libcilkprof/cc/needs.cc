/* Makes the linker print one line when a library is missing, instead of one for every reference.
   SPDX-License-Identifier: GPL-3.0-or-later

   References to the library are weak, so that the linker is silent about them.  A single one is strong: its name is the
   message, and the one object that defines it brings in the library.  It stands among the functions that run at the
   start, which no linker leaves out as unused, and in a group of which a program has one however many units do: what
   has lost it cannot be linked, or loaded.

   Units for link-time optimisation get their references at the link.  What they have for the assembler is an error
   there unless a plugin took part.  */

#include <string>

#include "libcilkprof/cc/gcc/middle-end.h"
#include "libcilkprof/cc/needs.h"
#include "toplev.h"
#include "symtab.h"

struct references {
  const needed_library *library;
  bool any, special;
};

/* A symbol of the library that was written to the assembler's file, and is not of this unit.  */
static bool refers_to_p(const needed_library *library, tree symbol) {
  if (!TREE_SYMBOL_REFERENCED(symbol) || !library->has(IDENTIFIER_POINTER(symbol)))
    return false;
  symtab_node *node = symtab_node::get_for_asmname(symbol);
  return !node || !node->definition;
}

static int weaken(cpp_reader *, ht_identifier *identifier, const void *data) {
  references *found = (references *)const_cast<void *>(data);
  tree symbol = HT_IDENT_TO_GCC_IDENT(identifier);
  if (refers_to_p(found->library, symbol)) {
    fprintf(asm_out_file, "\t.weak\t%s\n", IDENTIFIER_POINTER(symbol));
    found->any = true;
    found->special |= found->library->special && id_equal(symbol, found->library->special);
  }
  return 1;
}

/* A local symbol of the assembler, which a plugin that takes part defines: .LCILKPROF of -fcilkprof.  */
static std::string took_part(const needed_library *library) {
  std::string name = ".L";
  for (const char *letter = library->option + strlen("-f"); *letter; letter++)
    name += TOUPPER(*letter);
  return name;
}

static void tell_assembler(void *, void *library) {
  if (asm_out_file)
    fprintf(asm_out_file, "\t.set\t%s, 1\n", took_part((const needed_library *)library).c_str());
}

static void ask_assembler(void *, void *data) {
  const needed_library *library = (const needed_library *)data;
  if (!flag_lto || in_lto_p)
    return;
  std::string symbol = took_part(library), option = library->option;
  std::string text = "\t.ifndef\t" + symbol + "\n\t.error\t\"objects compiled with " + option +
                     " must be linked with " + option + "\"\n\t.set\t" + symbol + ", 1\n\t.endif";
  symtab->finalize_toplevel_asm(build_string(text.size(), text.c_str()));
}

static void refer_to_library(void *, void *data) {
  references found = {(const needed_library *)data, false, false};
  if (!asm_out_file || seen_error())
    return;
  ht_forall(ident_hash, weaken, &found);
  if (!found.any)
    return;
  const char *message = found.special ? found.library->special_message : found.library->message;
  fprintf(asm_out_file,
          "\t.section\t.init_array,\"awG\",%%init_array,%s_group,comdat\n"
          "\t.balign\t8\n"
          "\t.dc.a\t%s\n",
          message, message);
}

void register_need(const char *plugin, needed_library *library, bool asking) {
  register_callback(plugin, PLUGIN_START_UNIT, tell_assembler, library);
  if (asking)
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, ask_assembler, library);
  register_callback(plugin, PLUGIN_FINISH_UNIT, refer_to_library, library);
}
