/* Static data of the profile: a record for every function and call site, and a description of each site.
   SPDX-License-Identifier: GPL-3.0-or-later

   The optimisers copy functions (symbols.cc) and also calls, when they unroll loops and thread jumps.  The programmer
   sees one function and one call site, so all copies share one record.  Otherwise recursion through several copies of a
   function would go unnoticed.  */

#define INCLUDE_STRING
#include "symbols.h"

/* This function of libiberty is part of every compiler, but demangle.h is not among GCC's headers for plugins.  */
extern "C" char *cplus_demangle(const char *symbol, int options);

static tree static_variable(const char *prefix, tree type, tree value, unsigned alignment, bool constant) {
  static unsigned count;
  char name[64];
  ASM_GENERATE_INTERNAL_LABEL(name, prefix, count++);
  tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name + (name[0] == '*')), type);
  TREE_STATIC(variable) = DECL_ARTIFICIAL(variable) = DECL_IGNORED_P(variable) = 1;
  TREE_USED(variable) = TREE_ADDRESSABLE(variable) = DECL_PRESERVE_P(variable) = 1;
  TREE_READONLY(variable) = constant;
  SET_DECL_ALIGN(variable, alignment);
  DECL_USER_ALIGN(variable) = 1;
  if (!constant)
    set_decl_section_name(variable, "cilkprof_records"); /* see libcilkprof/engine/profile/records.c */
  DECL_INITIAL(variable) = value;
  TREE_CONSTANT(value) = TREE_STATIC(value) = 1;
  /* Addressing a record through a section anchor would take one more instruction and a register.  */
  int anchors = flag_section_anchors;
  flag_section_anchors = 0;
  make_decl_rtl(variable);
  flag_section_anchors = anchors;
  return variable;
}

static tree external_variable(const char *name, tree type) {
  tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  DECL_EXTERNAL(variable) = TREE_PUBLIC(variable) = DECL_ARTIFICIAL(variable) = 1;
  return variable;
}

static tree address_of(tree variable, tree type) {
  return fold_convert(type, build_fold_addr_expr(variable));
}

static void set_field(vec<constructor_elt, va_gc> **values, tree record, const char *name, tree value) {
  tree field = field_of(record, name);
  CONSTRUCTOR_APPEND_ELT(*values, field, fold_convert(TREE_TYPE(field), value));
}

/* The front plugin marks functions that the programmer declared static, because GCC later makes most others local.  */
static bool local_p(tree function) {
  return lookup_attribute(STATIC_ATTRIBUTE, DECL_ATTRIBUTES(known_as(function))) != NULL_TREE;
}

/* The source file that FUNCTION was compiled from; with link-time optimisation a unit has several.  */
static std::string unit_of(tree function) {
  const_tree unit = get_ultimate_context(function);
  if (unit && TREE_CODE(unit) == TRANSLATION_UNIT_DECL && DECL_NAME(unit))
    return IDENTIFIER_POINTER(DECL_NAME(unit));
  return main_input_filename ? main_input_filename : "";
}

struct site_facts {
  cilkprof_site_kind kind;
  unsigned flags;
  expanded_location where;
  std::string caller, callee; /* symbols, or empty */
  std::string unit;
};

enum { PARAMETERS = 1 << 0, QUALIFIERS = 1 << 1, ANY_STYLE = 1 << 8 };

static std::string demangled(const std::string &symbol, int options) {
  std::string name = symbol.substr(0, symbol.find(".lto_priv."));
  if (char *text = cplus_demangle(name.c_str(), ANY_STYLE | QUALIFIERS | options)) {
    name = text;
    free(text);
  }
  return name;
}

/* The demangled C++ name, which users give to select roots and what-if candidates.  It is empty where the engine does
   not need it: where it equals the symbol, and for the long names of the C++ library, unless what-ifs are wanted.  */
static std::string printed_name(const std::string &symbol) {
  std::string name = demangled(symbol, PARAMETERS), bare = demangled(symbol, 0);
  bool library = bare.compare(0, 5, "std::") == 0 || bare.compare(0, 11, "__gnu_cxx::") == 0;
  return name != symbol && (whatif || !library) ? name : std::string();
}

/* Builds a description with the binary layout of fmt/description.h.  */
static tree description(const site_facts &facts) {
  std::string strings;
  for (std::string text :
       {std::string(facts.where.file ? facts.where.file : ""), facts.caller, facts.callee, facts.unit})
    strings.append(text).push_back('\0');
  std::string name = printed_name(facts.callee);
  if (!name.empty())
    strings.append(name).push_back('\0');
  cilkprof_description head = {};
  head.magic = CILKPROF_DESCRIPTION_MAGIC;
  head.kind = facts.kind;
  head.flags = facts.flags;
  head.size = (sizeof head + strings.size() + 7) & ~7U;
  head.line = facts.where.line;
  head.column = facts.where.column;
  gcc_assert(BYTES_BIG_ENDIAN == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
  std::string bytes((const char *)&head, sizeof head);
  bytes += strings;
  bytes.resize(head.size, '\0');
  tree value = build_string(bytes.size(), bytes.data());
  TREE_TYPE(value) = build_array_type_nelts(char_type_node, bytes.size());
  tree variable = static_variable("LCILKPROFD", TREE_TYPE(value), value, 64, true);
  set_decl_section_name(variable, CILKPROF_DESCRIPTION_SECTION);
  varpool_node::finalize_decl(variable);
  return variable;
}

static tree site_value(tree function_record_address, const site_facts &facts, unsigned flags = 0,
                       tree target = NULL_TREE) {
  tree type = type_of_engine(TYPE_SITE);
  vec<constructor_elt, va_gc> *values = NULL;
  set_field(&values, type, "flags", build_int_cst(long_long_unsigned_type_node, flags));
  set_field(&values, type, "function", function_record_address);
  set_field(&values, type, "description", address_of(description(facts), ptr_type_node));
  if (target)
    set_field(&values, type, "target", address_of(target, ptr_type_node));
  return build_constructor(type, values);
}

/* Maps the symbol of an original to that of an enterable copy.  The code that initialises static objects calls copies,
   and often the original has been removed.  */
static hash_map<nofree_string_hash, const char *> enterable_copies;

/* A body that will be inlined elsewhere has the same symbol, but cannot be entered.  */
static bool enterable_body_p(cgraph_node *node) {
  return node && !node->inlined_to && node->definition && enterable_p(node);
}

void find_enterable_copies() {
  cgraph_node *node;
  FOR_EACH_FUNCTION (node) {
    if (!enterable_body_p(node))
      continue;
    const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(node->decl));
    std::string original = original_symbol(symbol);
    if (original != symbol + (symbol[0] == '*'))
      enterable_copies.put(IDENTIFIER_POINTER(get_identifier(original.c_str())), symbol);
  }
}

static tree enterable_body(const char *symbol) {
  symtab_node *named = symtab_node::get_for_asmname(get_identifier(symbol));
  for (; named; named = named->next_sharing_asm_name) {
    cgraph_node *node = dyn_cast<cgraph_node *>(named);
    if (enterable_body_p(node))
      return node->ultimate_alias_target()->decl;
  }
  return NULL_TREE;
}

/* The original of a copied function if it is enterable, or else an enterable copy.  */
static tree enterable_original(tree function) {
  std::string name = original_symbol(function);
  tree original = enterable_body(name.c_str());
  const char **copy = original ? NULL : enterable_copies.get(name.c_str());
  return copy ? enterable_body(*copy) : original;
}

static tree new_function_record(tree function) {
  tree type = type_of_engine(TYPE_FUNCTION);
  vec<constructor_elt, va_gc> *values = NULL;
  std::string mode_symbol = std::string("__cilkprof_mode_") + name_of_mode();
  tree mode_variable = external_variable(mode_symbol.c_str(), long_long_unsigned_type_node);
  set_field(&values, type, "mode", build_fold_addr_expr(mode_variable));
  if (tree original = enterable_original(function)) {
    unsigned local = local_p(original) ? CILKPROF_SITE_CALLEE_LOCAL : 0,
             bare = checks_for_bare_copy_p(cgraph_node::get(original)) ? CILKPROF_SITE_BARE : 0;
    site_facts facts = {
        CILKPROF_SITE_OUTSIDE,     local | bare,     expand_location(DECL_SOURCE_LOCATION(original)), "",
        original_symbol(original), unit_of(original)};
    tree outside = external_variable("__cilkprof_outside", type);
    set_field(&values, type, "address", address_of(original, ptr_type_node));
    CONSTRUCTOR_APPEND_ELT(values, field_of(type, "outside"),
                           site_value(build_fold_addr_expr(outside), facts,
                                      (leaf_p(original) ? __CILKPROF_SITE_LEAF : 0) |
                                          (any_inlines_events_p(original) ? 0 : __CILKPROF_SITE_SERIAL)));
  }
  tree variable = static_variable("LCILKPROFF", type, build_constructor(type, values), 512, false);
  varpool_node::finalize_decl(variable);
  return variable;
}

tree function_record(tree function) {
  static hash_map<nofree_string_hash, tree> records;
  tree &record = records.get_or_insert(IDENTIFIER_POINTER(get_identifier(original_symbol(function).c_str())));
  if (!record)
    record = new_function_record(function);
  return record;
}

/* The call of a part that was split off a function has no location.  If the rest of the function was inlined, the
   location of that inlined call is used, or else that of the caller's declaration.  */
static location_t place_of_call(gimple *call, tree function) {
  location_t place = LOCATION_LOCUS(gimple_location(call));
  for (tree block = gimple_block(call); !place && block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    place = LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(block));
  return place ? place : DECL_SOURCE_LOCATION(function);
}

static site_facts facts_of_site(gimple *call, location_t place, tree function, cilkprof_site_kind kind,
                                unsigned flags) {
  site_facts facts = {kind, flags, expand_location(place), original_symbol(function), "", unit_of(function)};
  marker which = marker_of_call(call);
  tree callee = which == NO_MARKER ? gimple_call_fndecl(call) : NULL_TREE;
  if (local_p(function))
    facts.flags |= CILKPROF_SITE_CALLER_LOCAL;
  if (which == MARK_BLOCK || which == MARK_CALLED || which == MARK_LOCK || which == MARK_TASK) {
    const char *name = c_getstr(gimple_call_arg(call, 0));
    facts.callee = original_symbol(name ? name : "(block)");
  } else if (which == MARK_TEAM_LOOP)
    facts.callee = c_getstr(gimple_call_arg(call, 2));
  else if (callee) {
    facts.callee = original_symbol(callee);
    if (local_p(callee)) {
      facts.flags |= CILKPROF_SITE_CALLEE_LOCAL;
      if (!local_p(function))
        facts.unit = unit_of(callee); /* with link-time optimisation it may differ from the caller's */
    }
  } else if (which == NO_MARKER)
    facts.flags |= CILKPROF_SITE_INDIRECT;
  if (which == NO_MARKER && classify_call(call) == CALL_FOREIGN)
    facts.flags |= CILKPROF_SITE_FOREIGN;
  return facts;
}

/* The callee is a function of this unit that calls its events instead of inlining them.  */
static bool calls_outlined_p(gimple *call) {
  return classify_call(call) == CALL_DIRECT &&
         !any_inlines_events_p(cgraph_node::get(gimple_call_fndecl(call))->ultimate_alias_target()->decl);
}

static tree record_with(unsigned flags, gimple *call, tree function, cilkprof_site_kind kind, tree target,
                        unsigned facts_known) {
  static hash_map<nofree_string_hash, tree> records;
  location_t place = place_of_call(call, function);
  site_facts facts = facts_of_site(call, place, function, kind, facts_known);
  std::string rest;
  for (location_t each : {place, (location_t)flags, (location_t)kind, (location_t)facts.flags})
    rest += " " + std::to_string(each);
  std::string key = facts.caller + rest + " " + facts.callee;
  tree &record = records.get_or_insert(IDENTIFIER_POINTER(get_identifier(key.c_str())));
  if (!record) {
    tree value = site_value(build_fold_addr_expr(function_record(function)), facts, flags, target);
    record = static_variable("LCILKPROFS", type_of_engine(TYPE_SITE), value, 512, false);
    varpool_node::finalize_decl(record);
  }
  return record;
}

tree site_record(gimple *call, tree function, cilkprof_site_kind kind, tree target, unsigned facts_known) {
  unsigned flags = (kind == CILKPROF_SITE_SPAWN ? __CILKPROF_SITE_SPAWN : 0) | (target ? __CILKPROF_SITE_FOREIGN : 0);
  if (kind == CILKPROF_SITE_CALL && leaf_p(gimple_call_fndecl(call)) && classify_call(call) == CALL_DIRECT)
    flags |= __CILKPROF_SITE_LEAF;
  if (kind == CILKPROF_SITE_CALL && calls_outlined_p(call))
    flags |= __CILKPROF_SITE_SERIAL;
  return record_with(flags, call, function, kind, target, facts_known);
}

tree lock_record(gimple *mark, tree function) {
  return record_with(__CILKPROF_SITE_LEAF, mark, function, CILKPROF_SITE_CALL, NULL_TREE, 0);
}

tree task_record(gimple *call, tree function, cilkprof_site_kind kind) {
  return site_record(call, function, kind, NULL_TREE, CILKPROF_SITE_TASK);
}

tree timing_point_record() {
  tree type = type_of_engine(TYPE_TIMING_POINT);
  tree record = static_variable("LCILKPROFP", type, build_constructor(type, NULL), 512, false);
  varpool_node::finalize_decl(record);
  return record;
}

bool store_work_in_site(tree site, unsigned HOST_WIDE_INT work) {
  tree flags = field_of(type_of_engine(TYPE_SITE), "flags"), record = DECL_INITIAL(site);
  unsigned i = 0;
  if (!work || work >> __CILKPROF_SITE_WORK)
    return false;
  while (CONSTRUCTOR_ELT(record, i)->index != flags)
    i++;
  tree &value = CONSTRUCTOR_ELT(record, i)->value;
  unsigned HOST_WIDE_INT now = tree_to_uhwi(value);
  if (!(now >> __CILKPROF_SITE_WORK) && !TREE_ASM_WRITTEN(site)) /* without optimisation it is output immediately */
    value = build_int_cst(TREE_TYPE(value), now |= work << __CILKPROF_SITE_WORK);
  return now >> __CILKPROF_SITE_WORK == work;
}
