/* Makes the linker print one line when a library is missing, instead of one for every reference.
   SPDX-License-Identifier: GPL-3.0-or-later

   References to the library are weak, so that the linker is silent about them.  A single one is strong: its name is the
   message, and the one object that defines it brings in the library.  It stands among the functions that run at the
   start, which no linker leaves out as unused, and in a group of which a program has one however many units do: what
   has lost it cannot be linked, or loaded.

   Units for link-time optimisation get their references at the link.  What they have for the assembler is an error
   there unless a plugin took part.  */

#include "libcilkprof/cc/gcc/middle-end.h"
#include "libcilkprof/cc/needs.h"
#include "toplev.h"
#include "symtab.h"

struct references {
  const needed_library *library;
  bool any, special;
};

/* Returns true if SYMBOL is one of LIBRARY that was written to the assembler's file, and is not defined in this
   unit.  */
static bool refers_to_needed_library_p(const needed_library *library, tree symbol) {
  if (!TREE_SYMBOL_REFERENCED(symbol) || !library->has(IDENTIFIER_POINTER(symbol)))
    return false;
  symtab_node *node = symtab_node::get_for_asmname(symbol);
  return !node || !node->definition;
}

/* Makes the symbol of IDENTIFIER weak in the assembler's file if it is one of the library that DATA, a struct
   references, looks for, and notes there that it was found.  It is a callback of ht_forall; returns 1, so that this
   goes on.  */
static int weaken_library_symbol(cpp_reader *, ht_identifier *identifier, const void *data) {
  references *found = (references *)const_cast<void *>(data);
  tree symbol = HT_IDENT_TO_GCC_IDENT(identifier);
  if (refers_to_needed_library_p(found->library, symbol)) {
    fprintf(asm_out_file, "\t.weak\t%s\n", IDENTIFIER_POINTER(symbol));
    found->any = true;
    found->special |= found->library->special && id_equal(symbol, found->library->special);
  }
  return 1;
}

/* Returns a local symbol of the assembler that is defined if the plugin of LIBRARY takes part in compiling the file:
   .LCILKPROF for -fcilkprof.  */
static std::string plugin_took_part_symbol(const needed_library *library) {
  std::string name = ".L";
  for (const char *letter = library->option + strlen("-f"); *letter; letter++)
    name += TOUPPER(*letter);
  return name;
}

/* Tells the assembler that the plugin of LIBRARY takes part in compiling this file, by defining a symbol.  It is called
   at the start of a unit.  */
static void tell_assembler_of_plugin(void *, void *library) {
  if (asm_out_file)
    fprintf(asm_out_file, "\t.set\t%s, 1\n", plugin_took_part_symbol((const needed_library *)library).c_str());
}

/* Makes a unit for link-time optimisation contain a test by the assembler: at the link, it is an error if the plugin of
   the library DATA took no part.  */
static void ask_assembler_for_plugin(void *, void *data) {
  const needed_library *library = (const needed_library *)data;
  if (!flag_lto || in_lto_p)
    return;
  std::string symbol = plugin_took_part_symbol(library), option = library->option;
  std::string text = "\t.ifndef\t" + symbol + "\n\t.error\t\"objects compiled with " + option +
                     " must be linked with " + option + "\"\n\t.set\t" + symbol + ", 1\n\t.endif";
  symtab->finalize_toplevel_asm(build_string(text.size(), text.c_str()));
}

/* Ends the assembler's file with one strong reference to the library DATA, whose name is the message of the linker if
   the library is missing, and makes all others weak.  A unit that uses nothing of the library has none.  */
static void refer_to_needed_library(void *, void *data) {
  references found = {(const needed_library *)data, false, false};
  if (!asm_out_file || seen_error())
    return;
  ht_forall(ident_hash, weaken_library_symbol, &found);
  if (!found.any)
    return;
  const char *message = found.special ? found.library->special_message : found.library->message;
  fprintf(asm_out_file,
          "\t.section\t.init_array,\"awG\",%%init_array,%s_group,comdat\n"
          "\t.balign\t8\n"
          "\t.dc.a\t%s\n",
          message, message);
}

/* Makes the linker print one line if a unit that PLUGIN compiles is linked without LIBRARY.  ASKING: this unit may need
   it; the link-time compiler sees what other units need.  */
void register_needed_library(const char *plugin, needed_library *library, bool asking) {
  register_callback(plugin, PLUGIN_START_UNIT, tell_assembler_of_plugin, library);
  if (asking)
    register_callback(plugin, PLUGIN_ALL_IPA_PASSES_START, ask_assembler_for_plugin, library);
  register_callback(plugin, PLUGIN_FINISH_UNIT, refer_to_needed_library, library);
}
