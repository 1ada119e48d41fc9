/* After inlining: the bodies of the events are set aside, and facts that instrumentation makes untrue are taken back.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"

static const char event_prefix[] = "__cilkprof_h_";
static const char *const event_names[] = {
#define INLINED(name, result, ...) #name,
#define TOLD(name, result, ...)    #name,
#include "libcilkprof/abi/events.def"
    "types"};
static_assert(ARRAY_SIZE(event_names) == EVENTS, "every event has a name");
static cgraph_node *event_nodes[EVENTS];
static bool available;
static int last_order = INT_MAX;

static const char *name_of(tree decl) {
  return decl && DECL_NAME(decl) ? IDENTIFIER_POINTER(DECL_NAME(decl)) : "";
}

bool own_function_p(tree function) {
  return startswith(name_of(function), "__cilkprof_");
}

static bool event_p(const cgraph_node *node) {
  return startswith(name_of(node->decl), event_prefix);
}

bool instrumented_p(tree function) {
  bool made_up = DECL_ARTIFICIAL(function) && (DECL_STATIC_CONSTRUCTOR(function) || DECL_STATIC_DESTRUCTOR(function));
  return !own_function_p(function) && !made_up &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(function));
}

/* Functions that others of this unit call which are not instrumented.  A thunk is code of the compiler's own.  */
static hash_set<tree> called_by_others;

bool called_by_others_p(cgraph_node *node) {
  return called_by_others.contains(node->decl);
}

static void find_functions_called_by_others() {
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node) {
    bool other = node->thunk || !instrumented_p(node->decl);
    for (cgraph_edge *call = other ? node->callees : NULL; call; call = call->next_callee)
      called_by_others.add(call->callee->ultimate_alias_target()->decl);
  }
}

bool made_later_p(const cgraph_node *node) {
  return node->order >= last_order;
}

bool events_available_p() {
  return available;
}

tree event_function(event which) {
  return event_nodes[which]->decl;
}

tree type_of_engine(engine_type which) {
  tree argument = TYPE_ARG_TYPES(TREE_TYPE(event_function(EVENT_types)));
  for (int i = 0; i < which; i++)
    argument = TREE_CHAIN(argument);
  return TYPE_MAIN_VARIANT(TREE_VALUE(argument));
}

tree field_of(tree record, const char *name) {
  for (tree field = TYPE_FIELDS(record); field; field = DECL_CHAIN(field))
    if (!strcmp(name_of(field), name))
      return field;
  gcc_unreachable();
}

static void find_events() {
  cgraph_node *node;
  int found = 0;
  FOR_EACH_FUNCTION (node)
    for (int i = 0; i < EVENTS; i++)
      if (event_p(node) && !strcmp(name_of(node->decl) + strlen(event_prefix), event_names[i]) && !event_nodes[i] &&
          !node->inlined_to && node->definition && node->has_gimple_body_p()) {
        event_nodes[i] = node;
        found++;
      }
  available = found == EVENTS;
  if (!available && !in_lto_p && (lang_GNU_C() || lang_GNU_CXX()))
    error_at(UNKNOWN_LOCATION,
             "%<-fcilkprof%>: this input was preprocessed without it; preprocess it with %<-fcilkprof%> as well");
}

static void forget_locations(basic_block block) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->succs)
    e->goto_locus = UNKNOWN_LOCATION;
  for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at); gsi_next(&at))
    for (unsigned i = 0; i < gimple_phi_num_args(at.phi()); i++)
      gimple_phi_arg_set_location(at.phi(), i, UNKNOWN_LOCATION);
}

/* An event's body: without places in the source, and without branch hints, which were used when it was optimised.  */
static void strip_body(cgraph_node *node) {
  node->get_untransformed_body();
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  basic_block block;
  fun->after_inlining = false; /* set where a pass over the whole program has asked for the body */
  push_cfun(fun);
  current_function_decl = node->decl;
  FOR_EACH_BB_FN (block, fun) {
    forget_locations(block);
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at);) {
      gimple *statement = gsi_stmt(at);
      if (is_gimple_debug(statement)) {
        gsi_remove(&at, true);
        continue;
      }
      if (gimple_call_builtin_p(statement, BUILT_IN_EXPECT)) {
        gimple *copy = gimple_build_assign(gimple_call_lhs(statement), gimple_call_arg(statement, 0));
        gsi_replace(&at, copy, false);
        statement = copy;
      }
      gimple_set_location(statement, UNKNOWN_LOCATION);
      gsi_next(&at);
    }
  }
  cgraph_edge::rebuild_edges();
  pop_cfun();
  current_function_decl = NULL_TREE;
}

/* It is never output: only its inlined copies are.  */
static void set_aside(cgraph_node *node) {
  strip_body(node);
  DECL_EXTERNAL(node->decl) = 1;
  DECL_IGNORED_P(node->decl) = 1;
  node->force_output = 0;
}

/* Once it is settled what is output, the bodies must not look external, or removing an inlined copy would release
   them.  */
void keep_event_bodies() {
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (event_p(node) && !node->inlined_to)
      DECL_EXTERNAL(node->decl) = 0;
}

/* After the last function the bodies are given back: GCC checks that nothing is left.  */
void release_event_bodies(void *, void *) {
  cgraph_node *node;
  if (!available)
    return;
  FOR_EACH_FUNCTION (node)
    if (node->process)
      return;
  FOR_EACH_FUNCTION (node)
    if (event_p(node) && !node->inlined_to && gimple_has_body_p(node->decl))
      node->release_body();
}

/* Every function will write to the engine's memory: none is pure or const, and what it reads and writes is unknown.  */
static void forget_memory_facts(cgraph_node *node) {
  if (fndecl_built_in_p(node->decl))
    return;
  if (node->get_availability() > AVAIL_NOT_AVAILABLE || !(flags_from_decl_or_type(node->decl) & ECF_LEAF))
    TREE_READONLY(node->decl) = DECL_PURE_P(node->decl) = DECL_LOOPING_CONST_OR_PURE_P(node->decl) = 0;
  modref_summary *summary = get_modref_function_summary(node);
  if (!summary)
    return;
  if (summary->loads)
    summary->loads->collapse();
  if (summary->stores)
    summary->stores->collapse();
  expect_any_effect(summary);
}

/* What is to be inlined is settled, but done only when a function is compiled: do it now, so that bodies are what they
   will be.  (Not to the events: they are still to be inlined themselves.)  */
static void inline_everything() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node)
    if (!node->inlined_to && !own_function_p(node->decl))
      node->get_body();
}

/* What points where, over the whole program, did not include the events.  */
static void forget_points_to(function *fun) {
  basic_block block;
  if (!fun->gimple_df->ipa_pta)
    return;
  fun->gimple_df->ipa_pta = false;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(at))) {
        pt_solution_reset(gimple_call_use_set(call));
        pt_solution_reset(gimple_call_clobber_set(call));
      }
}

/* Calls of functions that were pure or const get their virtual operands back.  */
static void restore_virtual_operands(function *fun) {
  basic_block block;
  bool changed = false;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
      gimple *statement = gsi_stmt(at);
      tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
      if (callee && !fndecl_built_in_p(callee) && !gimple_vdef(statement)) {
        update_stmt(statement);
        changed = true;
      }
    }
  if (changed) {
    mark_virtual_operands_for_renaming(fun);
    update_ssa(TODO_update_ssa_only_virtuals);
  }
}

static void forget_facts_in_bodies() {
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY (node) {
    function *fun = DECL_STRUCT_FUNCTION(node->decl);
    if (!fun || !fun->cfg || !gimple_in_ssa_p(fun) || node->inlined_to)
      continue;
    push_cfun(fun);
    current_function_decl = node->decl;
    bitmap_obstack_initialize(NULL);
    forget_points_to(fun);
    restore_virtual_operands(fun);
    bitmap_obstack_release(NULL);
    pop_cfun();
    current_function_decl = NULL_TREE;
  }
}

/* Neither it nor what it calls is instrumented.  */
static void leave_alone(cgraph_node *node) {
  if (own_function_p(node->decl) || lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(node->decl)))
    return;
  DECL_ATTRIBUTES(node->decl) =
      tree_cons(get_identifier("no_instrument_function"), NULL_TREE, DECL_ATTRIBUTES(node->decl));
  for (cgraph_edge *call = node->callees; call; call = call->next_callee)
    leave_alone(call->callee->ultimate_alias_target());
}

/* The resolver of an ifunc runs before the program has thread-local memory.  A function of the program's own in the
   place of one that the compiler knows, as malloc, has callers who take it for that: to them its cost is theirs.  */
static void leave_some_alone() {
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (node->ifunc_resolver && node->alias && node->analyzed)
      leave_alone(node->ultimate_alias_target());
    else if (node->definition && !node->inlined_to && callers_cost_p(node->decl))
      leave_alone(node);
}

namespace {

const pass_data preparing_data = {SIMPLE_IPA_PASS, "cilkprof_prepare", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

class preparing_pass : public simple_ipa_opt_pass {
public:
  preparing_pass() : simple_ipa_opt_pass(preparing_data, g) {}

  unsigned int execute(function *) final override {
    cgraph_node *node;
    inline_everything();
    find_events();
    if (!available)
      return 0;
    leave_some_alone();
    make_bare_copies();
    FOR_EACH_FUNCTION (node)
      if (event_p(node) && node->definition)
        set_aside(node);
      else if (!bare_p(node->decl))
        forget_memory_facts(node);
    forget_facts_in_bodies();
    find_functions_called_by_others();
    find_called_as_they_are();
    find_task_calls();
    copy_recursive_functions();
    find_enterable_copies();
    find_functions_that_leave_frames();
    find_leaves();
    settle_inlining();
    last_order = symtab->order;
    return 0;
  }
};

} // namespace

opt_pass *make_preparing_pass() {
  return new preparing_pass;
}
