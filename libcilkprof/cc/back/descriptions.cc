/* Descriptions of sites, which the report reads: statements of the assembler for their section (fmt/description.h).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "slots.h"

/* This function of libiberty is part of every compiler, but demangle.h is not among GCC's headers for plugins.  */
extern "C" char *cplus_demangle(const char *symbol, int options);
/* This one obeys -fdebug-prefix-map; file-prefix-map.h is not among the headers for plugins of all versions.  */
extern const char *remap_debug_filename(const char *name);

enum { PARAMETERS = 1 << 0, QUALIFIERS = 1 << 1, ANY_STYLE = 1 << 8 };

/* Returns the C++ name of SYMBOL, or SYMBOL itself if it has none.  OPTIONS is PARAMETERS if the name is to have them,
   or 0.  */
static std::string demangled_site_symbol(const std::string &symbol, int options) {
  std::string name = symbol.substr(0, symbol.find(".lto_priv."));
  if (char *text = cplus_demangle(name.c_str(), ANY_STYLE | QUALIFIERS | options)) {
    name = text;
    free(text);
  }
  return name;
}

/* Returns the demangled C++ name of SYMBOL, which users give to select roots and what-if candidates.  It is empty where
   the engine does not need it: where it equals the symbol, and for the long names of the C++ library, unless what-ifs
   are wanted.  */
static std::string printed_site_callee_name(const std::string &symbol) {
  std::string name = demangled_site_symbol(symbol, PARAMETERS), bare = demangled_site_symbol(symbol, 0);
  bool library = bare.compare(0, 5, "std::") == 0 || bare.compare(0, 11, "__gnu_cxx::") == 0;
  return name != symbol && (whatif || !library) ? name : std::string();
}

/* Returns a statement of the assembler for a string: TEXT, in which characters that are special there are octal, and a
   zero byte.  */
static std::string site_string_statement(const std::string &text) {
  std::string statement = "\t.string\t\"";
  for (unsigned char c : text)
    if (c == '"' || c == '\\' || c < ' ' || c >= 127) {
      char octal[8];
      snprintf(octal, sizeof octal, "\\%03o", c);
      statement += octal;
    } else
      statement += (char)c;
  return statement + "\"\n";
}

/* Returns the description of a site with FACTS, in the layout of fmt/description.h, without the address of its slot,
   which comes first.  Only static functions need the name of the unit: what units share must be the same in all.  */
std::string description_of_site(const site_facts &facts) {
  std::string strings, name = printed_site_callee_name(facts.callee);
  size_t size = sizeof(cilkprof_description);
  auto add = [&](const std::string &text) {
    strings += site_string_statement(text);
    size += text.size() + 1;
  };
  bool local = facts.flags & (CILKPROF_SITE_CALLER_LOCAL | CILKPROF_SITE_CALLEE_LOCAL);
  for (const std::string &text : {std::string(facts.where.file ? facts.where.file : ""), facts.caller, facts.callee,
                                  local ? facts.unit : std::string()})
    add(text);
  const std::string more[] = {name, facts.library, facts.loop, facts.clock};
  size_t count = 4;
  while (count > 0 && more[count - 1].empty())
    count--;
  for (size_t i = 0; i < count; i++)
    add(more[i]);
  size_t whole = (size + 7) & ~(size_t)7;
  std::string head;
  for (unsigned value : {CILKPROF_DESCRIPTION_MAGIC | facts.kind << 16 | facts.flags << 24, (unsigned)whole,
                         (unsigned)facts.where.line, (unsigned)facts.where.column})
    head += "\t.4byte\t" + std::to_string(value) + "\n";
  gcc_assert(!BYTES_BIG_ENDIAN);
  return head + strings + "\t.balign\t8\n";
}

static std::string of_unit;
static hash_set<nofree_string_hash> described_in_unit;

/* Describes what FACTS say, which is no site, once however often it is told.  */
void describe_in_unit(const site_facts &facts) {
  std::string description = "\t.8byte\t0\n" + description_of_site(facts);
  if (described_in_unit.contains(description.c_str()))
    return;
  described_in_unit.add(xstrdup(description.c_str()));
  of_unit += description;
}

/* Returns the descriptions of all in the unit that is no site, each with an address of 0; empty if there are none.  */
const std::string &descriptions_of_unit() {
  return of_unit;
}

/* Describes the folder in which the compiler runs, once, if the source file of FACTS, a site, is relative to it: there
   the report looks for sources.  When units are compiled for linking, their folders are no longer known.  */
void describe_compiler_folder_of_site(const site_facts &facts) {
  static bool described;
  if (described || in_lto_p || !facts.where.file || IS_ABSOLUTE_PATH(facts.where.file))
    return;
  site_facts folder = {};
  folder.kind = CILKPROF_COMPILER_FOLDER;
  folder.where.file = remap_debug_filename(get_src_pwd());
  described = true;
  describe_in_unit(folder);
}
