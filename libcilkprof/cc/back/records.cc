/* Static data of the profile: a record for every function and call site, and a description of each site.
   SPDX-License-Identifier: GPL-3.0-or-later

   The optimisers copy functions (symbols.cc) and also calls, when they unroll loops and thread jumps.  The programmer
   sees one function and one call site, so all copies share one record.  Otherwise recursion through several copies of a
   function would go unnoticed.  */

#define INCLUDE_STRING
#include "symbols.h"

/* This function of libiberty is part of every compiler, but demangle.h is not among GCC's headers for plugins.  */
extern "C" char *cplus_demangle(const char *symbol, int options);
/* This one obeys -fdebug-prefix-map; file-prefix-map.h is not among the headers for plugins of all versions.  */
extern const char *remap_debug_filename(const char *name);

/* Makes a static variable of TYPE with the initial VALUE, for a record or, if CONSTANT, for a description of a site.
   Its symbol is PREFIX and a number, ALIGNMENT is in bits.  The caller finalizes it.  */
static tree make_record_variable(const char *prefix, tree type, tree value, unsigned alignment, bool constant) {
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

/* Returns a declaration of the variable NAME of the engine, of TYPE.  */
static tree declare_engine_variable(const char *name, tree type) {
  tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
  DECL_EXTERNAL(variable) = TREE_PUBLIC(variable) = DECL_ARTIFICIAL(variable) = 1;
  return variable;
}

/* Returns the address of VARIABLE, a variable or function, converted to TYPE.  */
static tree address_as_type(tree variable, tree type) {
  return fold_convert(type, build_fold_addr_expr(variable));
}

/* Adds VALUE for the field NAME of RECORD, a structure type, to VALUES, the parts of an initialiser.  */
static void set_record_field(vec<constructor_elt, va_gc> **values, tree record, const char *name, tree value) {
  tree field = engine_record_field(record, name);
  CONSTRUCTOR_APPEND_ELT(*values, field, fold_convert(TREE_TYPE(field), value));
}

/* Returns true if the programmer declared FUNCTION static.  The front plugin marks such functions, because GCC later
   makes most others local.  */
static bool declared_static_p(tree function) {
  return lookup_attribute(STATIC_ATTRIBUTE, DECL_ATTRIBUTES(decl_with_public_symbol(function))) != NULL_TREE;
}

/* Returns the source file that FUNCTION was compiled from; with link-time optimisation a unit has several.  */
static std::string source_file_of_function(tree function) {
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
  std::string library = ""; /* the symbol of the inlined function of a library that is called here and has the site */
};

enum { PARAMETERS = 1 << 0, QUALIFIERS = 1 << 1, ANY_STYLE = 1 << 8 };

/* Returns the C++ name of SYMBOL, or SYMBOL itself if it has none.  OPTIONS is PARAMETERS if the name is to have them,
   or 0.  */
static std::string demangled_symbol(const std::string &symbol, int options) {
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
static std::string printed_callee_name(const std::string &symbol) {
  std::string name = demangled_symbol(symbol, PARAMETERS), bare = demangled_symbol(symbol, 0);
  bool library = bare.compare(0, 5, "std::") == 0 || bare.compare(0, 11, "__gnu_cxx::") == 0;
  return name != symbol && (whatif || !library) ? name : std::string();
}

/* Makes a static variable with the description of a site, in the binary layout of fmt/description.h, and returns
   it.  */
static tree make_site_description(const site_facts &facts) {
  std::string strings;
  for (std::string text :
       {std::string(facts.where.file ? facts.where.file : ""), facts.caller, facts.callee, facts.unit})
    strings.append(text).push_back('\0');
  std::string name = printed_callee_name(facts.callee);
  if (!name.empty() || !facts.library.empty())
    strings.append(name).push_back('\0');
  if (!facts.library.empty())
    strings.append(facts.library).push_back('\0');
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
  tree variable = make_record_variable("LCILKPROFD", TREE_TYPE(value), value, 64, true);
  set_decl_section_name(variable, CILKPROF_DESCRIPTION_SECTION);
  varpool_node::finalize_decl(variable);
  return variable;
}

/* Makes a description of the folder in which the compiler runs, once, if the source file of FACTS, a site, is relative
   to it: there the report looks for sources.  When units are compiled for linking, their folders are no longer
   known.  */
static void describe_compiler_folder(const site_facts &facts) {
  static bool described;
  if (described || in_lto_p || !facts.where.file || IS_ABSOLUTE_PATH(facts.where.file))
    return;
  described = true;
  site_facts folder = {};
  folder.kind = CILKPROF_COMPILER_FOLDER;
  folder.where.file = remap_debug_filename(get_src_pwd());
  folder.unit = facts.unit;
  make_site_description(folder);
}

/* Returns the initial value of the record of a site: the address of the record of the function that calls there, a
   description with FACTS, FLAGS, and the address of TARGET, the callee, if it is given.  */
static tree build_site_initializer(tree function_record_address, const site_facts &facts, unsigned flags = 0,
                                   tree target = NULL_TREE) {
  tree type = engine_type_tree(TYPE_SITE);
  vec<constructor_elt, va_gc> *values = NULL;
  describe_compiler_folder(facts);
  set_record_field(&values, type, "flags", build_int_cst(long_long_unsigned_type_node, flags));
  set_record_field(&values, type, "function", function_record_address);
  set_record_field(&values, type, "description", address_as_type(make_site_description(facts), ptr_type_node));
  if (target)
    set_record_field(&values, type, "target", address_as_type(target, ptr_type_node));
  return build_constructor(type, values);
}

/* Maps the symbol of an original to that of an enterable copy.  The code that initialises static objects calls copies,
   and often the original has been removed.  */
static hash_map<nofree_string_hash, const char *> enterable_copies;

/* Returns true if NODE is a function that other code may enter.  A body that will be inlined elsewhere has the same
   symbol, but cannot be entered.  */
static bool enterable_body_p(cgraph_node *node) {
  return node && !node->inlined_to && node->definition && enterable_from_outside_p(node);
}

/* Finds the copies of functions that other code may enter, by the symbols of their originals, which they represent.  */
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

/* Returns the declaration of the function with this SYMBOL that other code may enter, or NULL_TREE.  */
static tree enterable_body_of_symbol(const char *symbol) {
  symtab_node *named = symtab_node::get_for_asmname(get_identifier(symbol));
  for (; named; named = named->next_sharing_asm_name) {
    cgraph_node *node = dyn_cast<cgraph_node *>(named);
    if (enterable_body_p(node))
      return node->ultimate_alias_target()->decl;
  }
  return NULL_TREE;
}

/* Returns the original of FUNCTION, which may be a copy, if other code may enter the original; or else a copy of it
   that can be entered, or NULL_TREE.  */
static tree enterable_original(tree function) {
  std::string name = original_symbol(function);
  tree original = enterable_body_of_symbol(name.c_str());
  const char **copy = original ? NULL : enterable_copies.get(name.c_str());
  return copy ? enterable_body_of_symbol(*copy) : original;
}

/* Makes the record of FUNCTION, a static variable, and returns it.  If other code may enter the function, the record
   has its address and a site for these invocations.  */
static tree make_function_record(tree function) {
  tree type = engine_type_tree(TYPE_FUNCTION);
  vec<constructor_elt, va_gc> *values = NULL;
  std::string mode_symbol = std::string("__cilkprof_mode_") + measuring_mode_name();
  tree mode_variable = declare_engine_variable(mode_symbol.c_str(), long_long_unsigned_type_node);
  set_record_field(&values, type, "mode", build_fold_addr_expr(mode_variable));
  if (tree original = enterable_original(function)) {
    unsigned local = declared_static_p(original) ? CILKPROF_SITE_CALLEE_LOCAL : 0,
             bare = checks_for_bare_copy_p(cgraph_node::get(original)) ? CILKPROF_SITE_BARE : 0;
    site_facts facts = {CILKPROF_SITE_OUTSIDE,
                        local | bare,
                        expand_location(DECL_SOURCE_LOCATION(original)),
                        "",
                        original_symbol(original),
                        source_file_of_function(original)};
    tree outside = declare_engine_variable("__cilkprof_outside", type);
    set_record_field(&values, type, "address", address_as_type(original, ptr_type_node));
    CONSTRUCTOR_APPEND_ELT(
        values, engine_record_field(type, "outside"),
        build_site_initializer(build_fold_addr_expr(outside), facts,
                               (leaf_callee_p(original) ? __CILKPROF_SITE_LEAF : 0) |
                                   (bare && serial_function_p(original) ? 1u << __CILKPROF_SITE_COUNTABLE : 0) |
                                   (any_copy_inlines_events_p(original) ? 0 : __CILKPROF_SITE_SERIAL)));
  }
  tree variable = make_record_variable("LCILKPROFF", type, build_constructor(type, values), 512, false);
  varpool_node::finalize_decl(variable);
  return variable;
}

/* Returns the record of FUNCTION, which all copies of a function share, and makes it if there is none.  */
tree function_record(tree function) {
  static hash_map<nofree_string_hash, tree> records;
  tree &record = records.get_or_insert(IDENTIFIER_POINTER(get_identifier(original_symbol(function).c_str())));
  if (!record)
    record = make_function_record(function);
  return record;
}

/* Returns the source location of CALL in FUNCTION.  The call of a part that was split off a function has none.  If the
   rest of the function was inlined, the location of that inlined call is used, or else that of the caller's
   declaration.  */
static location_t location_of_call_site(gimple *call, tree function) {
  location_t place = user_place_of_statement(call).place;
  for (tree block = gimple_block(call); !place && block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    place = LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(block));
  return place ? place : DECL_SOURCE_LOCATION(function);
}

/* Returns what the description of a site of this KIND says.  CALL, at PLACE in FUNCTION, is a call or a marker.  FLAGS
   are known already; others are added.  */
static site_facts collect_site_facts(gimple *call, location_t place, tree function, cilkprof_site_kind kind,
                                     unsigned flags) {
  site_facts facts = {
      kind, flags, expand_location(place), original_symbol(function), "", source_file_of_function(function)};
  marker which = marker_of_call(call);
  tree callee = which == NO_MARKER ? gimple_call_fndecl(call) : NULL_TREE;
  if (declared_static_p(function))
    facts.flags |= CILKPROF_SITE_CALLER_LOCAL;
  user_place at = user_place_of_statement(call);
  facts.flags |= at.at_call ? CILKPROF_SITE_AT_CALL : 0;
  if (which == MARK_SERIAL_LOOP_END)
    facts.callee = at.function ? original_symbol(at.function) : "";
  else if (at.at_call)
    facts.library = original_symbol(at.function);
  if (which == MARK_BLOCK || which == MARK_CALLED || which == MARK_LOCK || which == MARK_TASK) {
    const char *name = c_getstr(gimple_call_arg(call, 0));
    facts.callee = original_symbol(name ? name : "(block)");
  } else if (which == MARK_TEAM_LOOP)
    facts.callee = c_getstr(gimple_call_arg(call, 2));
  else if (callee) {
    facts.callee = original_symbol(callee);
    if (declared_static_p(callee)) {
      facts.flags |= CILKPROF_SITE_CALLEE_LOCAL;
      if (!declared_static_p(function))
        facts.unit = source_file_of_function(callee); /* with link-time optimisation it may differ from the caller's */
    }
  } else if (which == NO_MARKER)
    facts.flags |= CILKPROF_SITE_INDIRECT;
  if (which == NO_MARKER && classify_call_for_events(call) == CALL_FOREIGN)
    facts.flags |= CILKPROF_SITE_FOREIGN;
  return facts;
}

/* Returns true if the callee of CALL is a function of this unit that calls its events instead of inlining them.  */
static bool callee_outlines_events_p(gimple *call) {
  return classify_call_for_events(call) == CALL_DIRECT &&
         !any_copy_inlines_events_p(cgraph_node::get(gimple_call_fndecl(call))->ultimate_alias_target()->decl);
}

/* Returns the record of the site of CALL, a call or a marker in FUNCTION, with FLAGS in the record itself.  Copies of a
   call, which agree in all facts, share one record; it is made if there is none.  */
static tree site_record_with_flags(unsigned flags, gimple *call, tree function, cilkprof_site_kind kind, tree target,
                                   unsigned facts_known) {
  static hash_map<nofree_string_hash, tree> records;
  location_t place = location_of_call_site(call, function);
  site_facts facts = collect_site_facts(call, place, function, kind, facts_known);
  std::string rest;
  for (location_t each : {place, (location_t)flags, (location_t)kind, (location_t)facts.flags})
    rest += " " + std::to_string(each);
  std::string key = facts.caller + rest + " " + facts.callee;
  tree &record = records.get_or_insert(IDENTIFIER_POINTER(get_identifier(key.c_str())));
  if (!record) {
    tree value = build_site_initializer(build_fold_addr_expr(function_record(function)), facts, flags, target);
    record = make_record_variable("LCILKPROFS", engine_type_tree(TYPE_SITE), value, 512, false);
    varpool_node::finalize_decl(record);
  }
  return record;
}

/* Returns the record of the site of CALL, a call or a marker in FUNCTION.  TARGET is the callee if it may have no
   instrumentation and the record is to say so.  FACTS_KNOWN are flags of the site's description.  */
tree site_record(gimple *call, tree function, cilkprof_site_kind kind, tree target, unsigned facts_known) {
  unsigned flags = (kind == CILKPROF_SITE_SPAWN ? __CILKPROF_SITE_SPAWN : 0) | (target ? __CILKPROF_SITE_FOREIGN : 0);
  if (kind == CILKPROF_SITE_CALL && leaf_callee_p(gimple_call_fndecl(call)) &&
      classify_call_for_events(call) == CALL_DIRECT)
    flags |= __CILKPROF_SITE_LEAF;
  if (kind == CILKPROF_SITE_CALL && callee_outlines_events_p(call))
    flags |= __CILKPROF_SITE_SERIAL;
  return site_record_with_flags(flags, call, function, kind, target, facts_known);
}

/* Returns the record of the site of an OpenMP lock that begins with MARK in FUNCTION and is measured like a call of a
   leaf.  */
tree lock_site_record(gimple *mark, tree function) {
  return site_record_with_flags(__CILKPROF_SITE_LEAF, mark, function, CILKPROF_SITE_CALL, NULL_TREE, 0);
}

/* Returns the record of the site of the serial loop in FUNCTION that ends with MARK.  */
tree serial_loop_record(gimple *mark, tree function) {
  return site_record_with_flags(__CILKPROF_SITE_LEAF, mark, function, CILKPROF_SITE_SERIAL_LOOP, NULL_TREE, 0);
}

/* Returns the record of the site of CALL in FUNCTION, which is an OpenMP task; KIND says if the record is for tasks
   that are spawned or called.  */
tree task_site_record(gimple *call, tree function, cilkprof_site_kind kind) {
  return site_record(call, function, kind, NULL_TREE, CILKPROF_SITE_TASK);
}

/* Makes a record for a place where strands begin to be timed in hybrid mode, and returns it.  */
tree make_timing_point_record() {
  tree type = engine_type_tree(TYPE_TIMING_POINT);
  tree record = make_record_variable("LCILKPROFP", type, build_constructor(type, NULL), 512, false);
  varpool_node::finalize_decl(record);
  return record;
}

/* Returns the counter of calls of SITE in code without events, and makes it if there is none.  The counters of an
   object are an array, in a section of their own.  */
tree call_counter(tree site) {
  static hash_map<tree, tree> counters;
  tree &counter = counters.get_or_insert(site);
  if (!counter) {
    tree type = engine_type_tree(TYPE_COUNTER);
    vec<constructor_elt, va_gc> *values = NULL;
    set_record_field(&values, type, "site", build_fold_addr_expr(site));
    counter = make_record_variable("LCILKPROFC", type, build_constructor(type, values), 64, false);
    set_decl_section_name(counter, "cilkprof_counters");
    varpool_node::finalize_decl(counter);
  }
  return counter;
}

/* Stores WORK, which the function did since its last event, in the record of SITE, unless another value is there or it
   is too large.  Returns true if the record has this value.  */
bool store_work_in_site(tree site, unsigned HOST_WIDE_INT work) {
  tree flags = engine_record_field(engine_type_tree(TYPE_SITE), "flags"), record = DECL_INITIAL(site);
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
