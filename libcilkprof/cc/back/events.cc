/* The inlined events: functions of unit.h, whose bodies are kept until the last function of the unit is compiled.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "back.h"
#include "except.h"

static const char event_prefix[] = "__cilkprof_h_";
static const char kept_name[] = "__cilkprof_h_part";
static const char *const event_names[] = {
#define INLINED(name, result, ...) #name,
#define TOLD(name, result, ...)    #name,
#include "libcilkprof/abi/events.def"
    "types"};
static_assert(ARRAY_SIZE(event_names) == EVENTS, "every event has a name");
/* Which events are inlined in all functions that have them.  */
static const bool is_short[] = {
#define INLINED(name, result, ...) false,
#define TOLD(name, result, ...)    false,
#define SHORT(name, result, ...)   true,
#include "libcilkprof/abi/events.def"
    true};
static_assert(ARRAY_SIZE(is_short) == EVENTS, "it is known of every event");
static cgraph_node *event_nodes[EVENTS];
static int dropped; /* events without a body in this unit */
static bool available;

/* Returns true if NODE is one of the events that are inlined, by the prefix of its name.  */
static bool event_cgraph_node_p(const cgraph_node *node) {
  return startswith(instrumented_decl_name_or_empty(node->decl), event_prefix);
}

/* Returns true if find_event_functions found that this unit can have events.  */
bool unit_has_events_p() {
  return available;
}

/* Returns true if this unit has the bodies of the inlined events, from unit.h.  A unit of Fortran has none, nor has one
   of C++ with modules: functions of the engine are called there.  */
bool unit_has_event_bodies_p() {
  return event_nodes[EVENT_types];
}

/* Returns the declaration of the inlined event WHICH, or of the function that is called in its place.  */
tree event_function_decl(event which) {
  return unit_has_event_bodies_p() ? event_nodes[which]->decl : short_event_function_decl(which);
}

/* Returns which event NODE is, or EVENTS if it is none.  */
static int event_of_cgraph_node(const cgraph_node *node) {
  int which = event_cgraph_node_p(node) ? 0 : EVENTS;
  while (which < EVENTS &&
         strcmp(instrumented_decl_name_or_empty(node->decl) + strlen(event_prefix), event_names[which]))
    which++;
  return which;
}

/* Returns true if a function of this unit may spawn, or the unit is to be joined with others.  What is to become
   markers of OpenMP's constructs still are calls of libgomp.  */
static bool unit_may_spawn_p() {
  cgraph_node *node;
  FOR_EACH_FUNCTION (node) {
    const char *name = instrumented_decl_name_or_empty(node->decl);
    if (node->callers && (marker_of_decl(node->decl) != NO_MARKER || startswith(name, "__builtin_GOMP_")))
      return true;
  }
  return in_lto_p || flag_generate_lto;
}

/* Returns true if only functions that spawn inline the event WHICH, unless a test asks for more.  */
static bool event_of_spawning_functions_p(int which) {
  return which != EVENTS && !is_short[which] && which != EVENT_bare && which != EVENT_bare_any;
}

/* Removes the events of functions that spawn, with which compiling an empty file would take twice as long, if this unit
   has no such function.  */
static void drop_event_bodies_without_use() {
  cgraph_node *node, *next;
  if (calling_back || always_inline || unit_may_spawn_p())
    return;
  for (node = symtab->first_function(); node; node = next) {
    next = symtab->next_function(node);
    if (!node->definition || !event_of_spawning_functions_p(event_of_cgraph_node(node)))
      continue;
    node->remove();
    dropped++;
  }
}

/* Finds the functions with the bodies of all inlined events, which unit.h brought into this unit.  Returns false if
   some are missing, with an error message if the unit was preprocessed without -fcilkprof.  Fortran has no headers, and
   no header may stand before `module;': such a unit needs none of them, and neither do functions of Fortran alone that
   are joined at the link.  */
bool find_event_functions() {
  cgraph_node *node;
  int found = 0;
  bool headless = lang_GNU_Fortran() || (lang_GNU_CXX() && flag_modules);
  FOR_EACH_FUNCTION (node) {
    headless |= !!lookup_attribute(HEADLESS_ATTRIBUTE, DECL_ATTRIBUTES(node->decl));
    int which = event_of_cgraph_node(node);
    if (which < EVENTS && !event_nodes[which] && !node->inlined_to && node->definition && node->has_gimple_body_p()) {
      event_nodes[which] = node;
      found++;
    }
  }
  available = found + dropped == EVENTS || (headless && found == 0);
  if (!available && !in_lto_p && (lang_GNU_C() || lang_GNU_CXX()))
    error_at(UNKNOWN_LOCATION,
             "%<-fcilkprof%>: this input was preprocessed without it; preprocess it with %<-fcilkprof%> as well");
  return available;
}

/* Removes the source locations of PHI arguments and edges from BLOCK, in the body of an event.  */
static void forget_locations_in_event(basic_block block) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->succs)
    e->goto_locus = UNKNOWN_LOCATION;
  for (gphi_iterator at = gsi_start_phis(block); !gsi_end_p(at); gsi_next(&at))
    for (unsigned i = 0; i < gimple_phi_num_args(at.phi()); i++)
      gimple_phi_arg_set_location(at.phi(), i, UNKNOWN_LOCATION);
}

/* Removes source locations from the body of the event NODE, as they are not the program's, and branch hints, which have
   already had their effect.  */
static void strip_event_body(cgraph_node *node) {
  node->get_untransformed_body();
  function *fun = DECL_STRUCT_FUNCTION(node->decl);
  basic_block block;
  fun->after_inlining = false; /* it is set if a pass over the whole program has read the body */
  push_cfun(fun);
  current_function_decl = node->decl;
  FOR_EACH_BB_FN (block, fun) {
    forget_locations_in_event(block);
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

/* Sees to it that the function of NODE itself is not output, only its inlined copies.  */
static void set_aside_body(cgraph_node *node) {
  DECL_EXTERNAL(node->decl) = 1;
  DECL_IGNORED_P(node->decl) = 1;
  node->force_output = 0;
}

/* Prepares NODE for inlining if it is an event, and sees to it that the event itself is not output, only its inlined
   copies.  Returns false if it is none.  */
bool set_aside_event(cgraph_node *node) {
  if (!event_cgraph_node_p(node) || !node->definition)
    return false;
  strip_event_body(node);
  set_aside_body(node);
  return true;
}

/* Keeps the body of NODE, code of the program, until the last function of the unit is compiled, like those of events:
   it is only inlined.  */
void keep_body_to_inline(cgraph_node *node) {
  DECL_NAME(node->decl) = get_identifier(kept_name);
  DECL_STRUCT_FUNCTION(node->decl)->after_inlining = false;
  set_aside_body(node);
}

/* Copies of the functions of children, by these functions.  */
static hash_map<tree, tree> children;
static const char child_name[] = "__cilkprof_h_child";

/* Returns true if STATEMENT, in the function of a child, is a copy of a value or a call, for which no pass has to run
   between here and where events are inlined.  */
static bool plain_child_statement_p(gimple *statement) {
  if (is_gimple_debug(statement) || gimple_code(statement) == GIMPLE_RETURN || gimple_clobber_p(statement))
    return true;
  if (is_gimple_call(statement))
    return !gimple_call_internal_p(statement);
  if (!is_gimple_assign(statement))
    return false;
  tree type = TREE_TYPE(gimple_assign_lhs(statement));
  return TREE_CODE(type) != COMPLEX_TYPE && !VECTOR_TYPE_P(type) &&
         (gimple_assign_single_p(statement) || gimple_assign_cast_p(statement));
}

/* Returns true if FUN, the function of a child, only takes values from its closure, makes a call with them and stores
   its result.  What exceptions and sanitizers need is added by passes that run before events are inlined.  */
static bool plain_child_p(function *fun) {
  if (n_basic_blocks_for_fn(fun) != NUM_FIXED_BLOCKS + 1 || flag_sanitize || (fun->eh && fun->eh->region_tree))
    return false;
  basic_block only = single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun));
  for (gimple_stmt_iterator at = gsi_start_bb(only); !gsi_end_p(at); gsi_next(&at))
    if (!plain_child_statement_p(gsi_stmt(at)))
      return false;
  return true;
}

/* Makes a copy of CHILD, the function of a spawned child, that is inlined where the child is not deferred.  Only plain
   ones are copied; others are called.  */
void copy_child_to_inline(cgraph_node *child) {
  function *fun = DECL_STRUCT_FUNCTION(child->decl);
  if (!fun || !fun->cfg || !opt_for_fn(child->decl, optimize) || children.get(child->decl) || !plain_child_p(fun))
    return;
  cgraph_node *copy = child->create_version_clone_with_body(vNULL, NULL, NULL, NULL, NULL, "here");
  if (!copy)
    return;
  DECL_NAME(copy->decl) = get_identifier(child_name);
  set_aside_event(copy);
  children.put(child->decl, copy->decl);
}

/* Returns the address of the copy of CHILD that is inlined, or CHILD itself, the address of a child's function.  */
tree event_child_to_inline(tree child) {
  tree *copy = TREE_CODE(child) == ADDR_EXPR ? children.get(TREE_OPERAND(child, 0)) : NULL;
  return copy ? build1(ADDR_EXPR, TREE_TYPE(child), *copy) : child;
}

/* Returns true if STATEMENT calls a copy of a child that is to be inlined.  */
bool calls_child_to_inline_p(const gimple *statement) {
  tree function = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  return function && DECL_NAME(function) && id_equal(DECL_NAME(function), child_name);
}

/* Makes the events look as if they were no longer external, once GCC has decided what to output: it would release the
   body of an external function together with the first inlined copy that is removed.  */
void keep_event_bodies() {
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (event_cgraph_node_p(node) && !node->inlined_to)
      DECL_EXTERNAL(node->decl) = 0;
}

/* The function where the search for one that is not compiled yet goes on; NULL: at the first.  A search from the first
   function after each one would take a time that grows with the square of their number.  */
static cgraph_node *first_waiting;

/* Callback for each function NODE that GCC removes.  */
static void skip_removed_function(cgraph_node *node, void *) {
  if (node == first_waiting)
    first_waiting = symtab->next_function(node);
}

/* Returns true if a function that is not compiled yet is found, from where the last search has ended.  If none is, the
   next search begins with the first function.  */
static bool find_waiting_function() {
  static bool watching;
  if (!watching)
    symtab->add_cgraph_removal_hook(skip_removed_function, NULL);
  watching = true;
  if (!first_waiting)
    first_waiting = symtab->first_function();
  while (first_waiting && !first_waiting->process)
    first_waiting = symtab->next_function(first_waiting);
  return first_waiting != NULL;
}

/* Releases the bodies of all events after the last function of the unit is compiled, because GCC checks that none is
   left.  It is called after the passes over each function.  */
void release_event_bodies(void *, void *) {
  cgraph_node *node;
  if (!available || find_waiting_function() || find_waiting_function()) /* the second search is of all functions */
    return;
  FOR_EACH_FUNCTION (node)
    if (event_cgraph_node_p(node) && !node->inlined_to && gimple_has_body_p(node->decl))
      node->release_body();
}

namespace {

const pass_data dropping_data = {SIMPLE_IPA_PASS,      "cilkprof_drop", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0,
                                 TODO_remove_functions};

/* The pass cilkprof_drop: see make_event_dropping_pass.  */
class event_dropping_pass : public simple_ipa_opt_pass {
public:
  /* Makes the pass "cilkprof_drop".  */
  event_dropping_pass() : simple_ipa_opt_pass(dropping_data, g) {}

  /* Removes the bodies of events that no function of the unit will have.  */
  unsigned int execute(function *) final override {
    drop_event_bodies_without_use();
    return 0;
  }
};

} // namespace

/* Returns the pass "cilkprof_drop" over the whole unit, before any pass over its functions.  */
opt_pass *make_event_dropping_pass() {
  return new event_dropping_pass;
}
