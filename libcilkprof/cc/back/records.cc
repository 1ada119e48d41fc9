/* Static data of the profile: a record for every function and call site, and a description of each site.
   SPDX-License-Identifier: GPL-3.0-or-later

   The optimisers copy functions (symbols.cc) and also calls, when they unroll loops and thread jumps.  The programmer
   sees one function and one call site, so all copies share one record.  Otherwise recursion through several copies of a
   function would go unnoticed.  */

#include "slots.h"

/* Returns true if the programmer declared FUNCTION static.  The front plugin marks such functions, because GCC later
   makes most others local.  */
bool record_declared_static_p(tree function) {
  return lookup_attribute(STATIC_ATTRIBUTE, DECL_ATTRIBUTES(site_decl_with_public_symbol(function))) != NULL_TREE;
}

/* Returns the source file that FUNCTION was compiled from; with link-time optimisation a unit has several.  */
std::string record_source_file_of_function(tree function) {
  const_tree unit = get_ultimate_context(function);
  if (unit && TREE_CODE(unit) == TRANSLATION_UNIT_DECL && DECL_NAME(unit))
    return IDENTIFIER_POINTER(DECL_NAME(unit));
  return main_input_filename ? main_input_filename : "";
}

/* Maps the symbol of an original to that of an enterable copy.  The code that initialises static objects calls copies,
   and often the original has been removed.  */
static hash_map<nofree_string_hash, const char *> enterable_copies;

/* Returns true if NODE is a function that other code may enter.  A body that will be inlined elsewhere has the same
   symbol, but cannot be entered, and the body of a loop is only a part of a function.  */
static bool record_enterable_body_p(cgraph_node *node) {
  return node && !node->inlined_to && node->definition && enterable_by_uninstrumented_code_p(node) &&
         !range_body_p(node->decl);
}

/* Finds the copies of functions that other code may enter, by the symbols of their originals, which they represent.  */
void find_record_enterable_copies() {
  cgraph_node *node;
  FOR_EACH_FUNCTION (node) {
    if (!record_enterable_body_p(node))
      continue;
    const char *symbol = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(node->decl));
    std::string original = original_site_symbol(symbol);
    if (original != symbol + (symbol[0] == '*'))
      enterable_copies.put(xstrdup(original.c_str()), xstrdup(symbol));
  }
}

/* Returns the declaration of the function with this SYMBOL that other code may enter, or NULL_TREE.  */
static tree record_enterable_body_of_symbol(const char *symbol) {
  symtab_node *named = symtab_node::get_for_asmname(get_identifier(symbol));
  for (; named; named = named->next_sharing_asm_name) {
    cgraph_node *node = dyn_cast<cgraph_node *>(named);
    if (record_enterable_body_p(node))
      return node->ultimate_alias_target()->decl;
  }
  return NULL_TREE;
}

/* Returns the original of FUNCTION, which may be a copy, if other code may enter the original; or else a copy of it
   that can be entered, or NULL_TREE.  */
static tree record_enterable_original(tree function) {
  std::string name = original_site_symbol(function);
  tree original = record_enterable_body_of_symbol(name.c_str());
  const char **copy = original ? NULL : enterable_copies.get(name.c_str());
  return copy ? record_enterable_body_of_symbol(*copy) : original;
}

/* Makes the record of FUNCTION, and returns it.  If other code may enter the function, the record has its address and a
   site for these invocations.  */
static tree make_function_record(tree function) {
  record_facts record = {__CILKPROF_SLOT_FUNCTION};
  if (tree original = record_enterable_original(function)) {
    unsigned local = record_declared_static_p(original) ? CILKPROF_SITE_CALLEE_LOCAL : 0,
             bare = checks_for_bare_copy_p(cgraph_node::get(original)) ? CILKPROF_SITE_BARE : 0,
             forks = only_forks_have_events_p() ? CILKPROF_SITE_FORKS : 0;
    site_facts facts = {CILKPROF_SITE_OUTSIDE,
                        local | bare | forks,
                        expand_location(DECL_SOURCE_LOCATION(original)),
                        "",
                        original_site_symbol(original),
                        record_source_file_of_function(original)};
    describe_compiler_folder_of_site(facts);
    record.flags = (leaf_callee_p(original) ? __CILKPROF_SITE_LEAF : 0) |
                   (bare && countable_function_p(original) ? __CILKPROF_SLOT_COUNTABLE : 0) |
                   (bare && counts_bare_entries_p(original) ? __CILKPROF_SLOT_COMPARES : 0) |
                   (any_copy_inlines_events_p(original) ? 0 : __CILKPROF_SITE_SERIAL);
    record.address = original;
    record.description = description_of_site(facts);
  }
  return make_record(TYPE_FUNCTION, record);
}

/* Returns the element of RECORDS for KEY, which is NULL_TREE if there was none.  The key is kept by the map: an
   identifier of GCC's could be collected as garbage.  */
static tree &record_with_key(hash_map<nofree_string_hash, tree> *records, const std::string &key) {
  tree *known = records->get(key.c_str());
  return known ? *known : records->get_or_insert(xstrdup(key.c_str()));
}

/* Returns the record of FUNCTION, which all copies of a function share, and makes it if there is none.  */
tree function_record(tree function) {
  static hash_map<nofree_string_hash, tree> records;
  tree &record = record_with_key(&records, original_site_symbol(function));
  if (!record)
    record = make_function_record(function);
  return record;
}

/* Returns the source location of CALL in FUNCTION.  The call of a part that was split off a function has none.  If the
   rest of the function was inlined, the location of that inlined call is used, or else that of the caller's
   declaration.  */
static location_t location_of_call_site(gimple *call, tree function) {
  location_t place = user_place_of_site_statement(call).place;
  for (tree block = gimple_block(call); !place && block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    place = LOCATION_LOCUS(BLOCK_SOURCE_LOCATION(block));
  return place ? place : DECL_SOURCE_LOCATION(function);
}

/* Returns the line of the serial loop around CALL, which is at WHERE: "12", or "FILE:12" if it is in another file;
   empty if there is none.  */
static std::string line_of_loop_around_call(gimple *call, const expanded_location &where) {
  expanded_location loop = expand_location(loop_around_call(call));
  if (!loop.file || loop.line <= 0)
    return "";
  std::string line = std::to_string(loop.line);
  return where.file && strcmp(loop.file, where.file) == 0 ? line : std::string(loop.file) + ":" + line;
}

/* Returns what the description of a site of this KIND says.  CALL, at PLACE in FUNCTION, is a call or a marker.  FLAGS
   are known already; others are added.  */
static site_facts collect_site_facts(gimple *call, location_t place, tree function, cilkprof_site_kind kind,
                                     unsigned flags) {
  site_facts facts = {kind,
                      flags,
                      expand_location(place),
                      original_site_symbol(function),
                      "",
                      record_source_file_of_function(function)};
  bool shared = profiled_loop_p(call);
  marker which = shared ? MARK_LOOP : marker_of_call(call);
  tree callee = which == NO_MARKER ? called_or_spawned_decl(call) : NULL_TREE;
  if (record_declared_static_p(function))
    facts.flags |= CILKPROF_SITE_CALLER_LOCAL;
  user_place at = user_place_of_site_statement(call);
  facts.flags |= at.at_call ? CILKPROF_SITE_AT_CALL : 0;
  if (which == MARK_SERIAL_LOOP_END || which == MARK_CALLING_LOOP || which == MARK_CALLING_ITERATE)
    facts.callee = at.function ? original_site_symbol(at.function) : "";
  else if (at.at_call)
    facts.library = original_site_symbol(at.function);
  if (which == MARK_BLOCK || which == MARK_CALLED || which == MARK_LOCK || which == MARK_TASK ||
      which == MARK_TEAM_RUN) {
    const char *name = c_getstr(gimple_call_arg(call, 0));
    facts.callee = original_site_symbol(name ? name : "(block)");
  } else if (which == MARK_TEAM_LOOP) {
    const char *name = c_getstr(gimple_call_arg(call, 2));
    facts.callee = name ? name : "(loop)";
  } else if (callee) {
    facts.callee = original_site_symbol(callee);
    if (record_declared_static_p(callee)) {
      facts.flags |= CILKPROF_SITE_CALLEE_LOCAL;
      if (!record_declared_static_p(function))
        facts.unit =
            record_source_file_of_function(callee); /* with link-time optimisation it may differ from the caller's */
    }
  } else if (which == NO_MARKER)
    facts.flags |= CILKPROF_SITE_INDIRECT;
  if (which == NO_MARKER && classify_call_for_events(call) == CALL_FOREIGN)
    facts.flags |= CILKPROF_SITE_FOREIGN;
  if (kind == CILKPROF_SITE_CALL || kind == CILKPROF_SITE_SERIAL_LOOP)
    facts.loop = line_of_loop_around_call(call, facts.where);
  facts.clock = clock_around_call(call);
  if (shared)
    callee = TREE_OPERAND(gimple_call_arg(call, 0), 0);
  if (kind == CILKPROF_SITE_LOOP && !shared ? loop_updates_atomically_p(call) : updates_atomically_p(callee))
    facts.flags |= CILKPROF_SITE_ATOMIC;
  return facts;
}

/* Returns true if the callee of CALL is a function of this unit that calls its events instead of inlining them.  */
static bool callee_outlines_events_p(gimple *call) {
  return classify_call_for_events(call) == CALL_DIRECT &&
         !any_copy_inlines_events_p(cgraph_node::get(gimple_call_fndecl(call))->ultimate_alias_target()->decl);
}

/* Returns the record of the site of CALL, a call or a marker in FUNCTION, with FLAGS in the record itself.  Copies of a
   call, which agree in all facts, share one record; it is made if there is none.  Two loops of an inlined function can
   agree in these, too, of which one makes calls, and has no values.  */
static tree site_record_with_flags(unsigned flags, gimple *call, tree function, cilkprof_site_kind kind, tree target,
                                   unsigned facts_known) {
  static hash_map<nofree_string_hash, tree> records;
  location_t place = location_of_call_site(call, function);
  site_facts facts = collect_site_facts(call, place, function, kind, facts_known);
  bool calling = marker_of_call(call) == MARK_CALLING_LOOP || marker_of_call(call) == MARK_CALLING_ITERATE;
  std::string rest;
  for (location_t each : {place, (location_t)flags, (location_t)kind, (location_t)facts.flags, (location_t)calling})
    rest += " " + std::to_string(each);
  std::string key = facts.caller + rest + " " + facts.callee;
  tree &record = record_with_key(&records, key);
  if (!record) {
    describe_compiler_folder_of_site(facts);
    record = make_record(
        TYPE_SITE, {__CILKPROF_SLOT_SITE, flags, 0, function_record(function), target, description_of_site(facts)});
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

/* Makes a record for a place where strands begin to be timed in hybrid mode, and returns it.  If they run UNCOUNTED
   code and only forks have events, that code may be anything.  */
tree make_timing_point_record(bool uncounted) {
  bool varies = uncounted && only_forks_have_events_p();
  return make_record(TYPE_TIMING_POINT, {__CILKPROF_SLOT_POINT, varies ? __CILKPROF_SLOT_VARIES : 0u});
}

/* Stores WORK, which the function did since its last event, in the record of SITE, unless another value is there or it
   is too large.  Returns true if the record has this value.  */
bool store_work_in_site(tree site, unsigned HOST_WIDE_INT work) {
  bool fixed;
  record_facts *facts = facts_of_record(site, &fixed);
  if (!work || work >> 32)
    return false;
  if (!facts->work && !fixed)
    facts->work = work;
  return facts->work == work;
}
