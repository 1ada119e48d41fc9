/* Spawned calls in GIMPLE, where their arguments are values.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "parallel.h"
#include "stor-layout.h"
#include "libcilkprof/abi/parallel.h"

/* The parts of a spawned call.  Missing parts are NULL_TREE.  */
struct spawned_call {
  gcall *call;
  tree callee;
  auto_vec<tree> arguments;
  tree block, local, cleanup, result, store, done, frame;
};

/* Returns ARGUMENT of a spawned call, or NULL_TREE if it is a null pointer, which stands for a part that is
   missing.  */
static tree spawn_tail_argument_unless_null(tree argument) {
  return integer_zerop(argument) ? NULL_TREE : argument;
}

/* Sets *FOUND to the parts of CALL, a spawned call with the arguments that were added after its own (enum tail).  */
static void split_spawned_call(gcall *call, spawned_call *found) {
  unsigned own = gimple_call_num_args(call) - TAIL_LENGTH;
  found->call = call;
  found->callee = gimple_call_fn(call);
  if (TREE_CODE(found->callee) == OBJ_TYPE_REF)
    found->callee = OBJ_TYPE_REF_EXPR(found->callee);
  for (unsigned i = 0; i < own; i++)
    found->arguments.safe_push(gimple_call_arg(call, i));
  auto tail = [&](enum tail which) { return spawn_tail_argument_unless_null(gimple_call_arg(call, own + which)); };
  found->block = tail(TAIL_BLOCK);
  found->local = tail(TAIL_LOCAL);
  found->cleanup = tail(TAIL_CLEANUP);
  found->result = tail(TAIL_RESULT);
  found->store = tail(TAIL_STORE);
  found->done = tail(TAIL_DONE);
  found->frame = tail(TAIL_FRAME);
}

/* Returns true if an argument of TYPE can be copied to a closure: it fits there, and has no constructor that must copy
   it.  */
static bool copied_to_closure_p(tree type) {
  return fits_closure_p(type) && !TREE_ADDRESSABLE(type);
}

/* Returns the reason why the call S cannot be deferred, or NULL.  An object on the left of the call becomes the
   destination of its result.  */
static const char *reason_not_deferrable(spawned_call *s) {
  tree to = gimple_call_lhs(s->call);
  if (gimple_call_chain(s->call))
    return "it calls a nested function";
  if (to && (!AGGREGATE_TYPE_P(TREE_TYPE(to)) || (DECL_P(to) && DECL_ARTIFICIAL(to) && TREE_CODE(to) != RESULT_DECL)))
    return "its result is used at once";
  for (tree argument : s->arguments)
    if (!copied_to_closure_p(TREE_TYPE(argument)))
      return "an argument is of variable size, or aligned to more than 64 bytes";
  if (to)
    s->result = build_spawn_address_of(to);
  return NULL;
}

/* Returns the call of S to CALLEE with ARGUMENTS, the assignment of its value to *RESULT, and that of 1 to *DONE, where
   these are not NULL_TREE.  */
static tree build_undeferred_spawn_call(const spawned_call &s, tree callee, vec<tree> &arguments, tree result,
                                        tree done) {
  tree type = TREE_TYPE(gimple_call_fntype(s.call));
  tree call = build_call_array_loc(gimple_location(s.call), type, callee, arguments.length(), arguments.address());
  TREE_SIDE_EFFECTS(call) = 1;
  TREE_NOTHROW(call) = gimple_call_nothrow_p(s.call);
  CALL_EXPR_STATIC_CHAIN(call) = gimple_call_chain(s.call);
  TREE_NO_WARNING(call) = s.call->no_warning; /* do not repeat warnings of the parser */
  if (s.store) {
    tree values[] = {result, call};
    call = build_call_array_loc(UNKNOWN_LOCATION, void_type_node, unshare_expr(s.store), 2, values);
  } else if (result) {
    tree to = build_fold_indirect_ref(result);
    if (AGGREGATE_TYPE_P(type))
      CALL_EXPR_RETURN_SLOT_OPT(call) = gimple_call_return_slot_opt_p(s.call);
    else
      call = build_spawn_converted_value(TREE_TYPE(to), call);
    call = build2(AGGREGATE_TYPE_P(type) ? INIT_EXPR : MODIFY_EXPR, void_type_node, to, call);
  }
  if (!done)
    return call;
  tree made = build_spawn_assignment(build_fold_indirect_ref(done), build_one_cst(unsigned_char_type_node));
  return build_spawn_statement_list({call, made});
}

/* Adds a field for VALUE in front of those of RECORD, a closure, and returns it; NULL_TREE if VALUE is.  */
static tree add_closure_field(tree record, tree value) {
  if (!value)
    return NULL_TREE;
  tree type = TREE_TYPE(value);
  tree field = build_decl(UNKNOWN_LOCATION, FIELD_DECL, NULL_TREE, TYPE_MAIN_VARIANT(type));
  DECL_CONTEXT(field) = record;
  SET_DECL_ALIGN(field, TYPE_ALIGN(type));
  DECL_CHAIN(field) = TYPE_FIELDS(record);
  TYPE_FIELDS(record) = field;
  return field;
}

/* The record with the data of the child, and the fields in it.  */
struct closure {
  tree record;
  auto_vec<tree> arguments;
  tree callee, result, done, block;
};

/* Sets *C to a new record type with fields for all that the child of S needs: arguments, callee, destinations, and the
   BLOCK with its temporaries.  */
static void lay_out_closure(const spawned_call &s, tree block, closure *c) {
  c->record = lang_hooks.types.make_type(RECORD_TYPE);
  TYPE_NAME(c->record) = get_identifier(CLOSURE_NAME);
  for (tree argument : s.arguments)
    c->arguments.safe_push(add_closure_field(c->record, argument));
  bool known =
      TREE_CODE(s.callee) == ADDR_EXPR && !deferring; /* a profiled callee must not be inlined into the child */
  c->callee = add_closure_field(c->record, known ? NULL_TREE : s.callee);
  if (c->callee)
    DECL_NAME(c->callee) = get_identifier(CLOSURE_CALLEE);
  c->result = add_closure_field(c->record, s.result);
  c->done = add_closure_field(c->record, s.done);
  c->block = add_closure_field(c->record, block);
  TYPE_FIELDS(c->record) = nreverse(TYPE_FIELDS(c->record));
  SET_TYPE_ALIGN(c->record, __CILKPROF_R_CLOSURE * BITS_PER_UNIT); /* and so its size is a multiple */
  layout_type(c->record);
}

/* Builds the function of a deferred child, { try plain call finally destroy the temporaries }, which takes the values
   from the closure C and passes exceptions to the runtime.  Returns its declaration.  */
static tree build_spawned_child_function(const spawned_call &s, const closure &c) {
  tree parameter, child = new_spawn_helper_function("cilk_child", gimple_location(s.call), ptr_type_node, &parameter);
  auto inside = [&](tree field) {
    return field ? build3(COMPONENT_REF, TREE_TYPE(field), build_spawn_memory_reference(parameter, 0, c.record), field,
                          NULL_TREE)
                 : NULL_TREE;
  };
  auto_vec<tree> arguments;
  for (tree field : c.arguments)
    arguments.safe_push(inside(field));
  tree callee = c.callee ? inside(c.callee) : unshare_expr(s.callee), end = NULL_TREE;
  tree body = build_undeferred_spawn_call(s, callee, arguments, inside(c.result), inside(c.done));
  /* The result is assigned so that GCC warns only once that it is unused.  */
  if (TREE_CODE(body) == CALL_EXPR && !VOID_TYPE_P(TREE_TYPE(body)) && is_gimple_reg_type(TREE_TYPE(body))) {
    tree ignored = new_spawn_variable(TREE_TYPE(body), "cilk_ignored", child);
    body = build_spawn_variable_scope(ignored, build_spawn_assignment(ignored, body));
  }
  if (c.block) {
    tree block = inside(c.block);
    tree destroy = build_call_array_loc(UNKNOWN_LOCATION, void_type_node, unshare_expr(s.cleanup), 1, &block);
    body = build2(TRY_FINALLY_EXPR, void_type_node, body, destroy);
    TREE_SIDE_EFFECTS(body) = 1;
    end = build_runtime_call("__cilkprof_r_block_free", void_type_node, false, {inside(c.block)});
  }
  if (!gimple_call_nothrow_p(s.call) || c.block)
    body = build_spawn_exception_catch(body);
  finish_spawn_helper_function(child, build_spawn_statement_list({body, end}));
  return child;
}

/* Returns the statements closure = {...}; spawn (frame, child, &closure, size, &site); for the spawned call S.  BLOCK
   is the variable with the address of its temporaries, or NULL_TREE.  */
static tree build_spawn_deferral(const spawned_call &s, tree block) {
  closure c;
  bool recursive = gimple_call_fndecl(s.call) == current_function_decl;
  lay_out_closure(s, block, &c);
  tree child = build_spawned_child_function(s, c), all = alloc_stmt_list();
  tree object = create_tmp_var_raw(c.record, CLOSURE_NAME);
  TREE_ADDRESSABLE(object) = 1;
  gimple_add_tmp_var(object);
  auto set = [&](tree field, tree value) {
    if (!field)
      return;
    value =
        AGGREGATE_TYPE_P(TREE_TYPE(field)) ? unshare_expr(value) : fold_convert(TREE_TYPE(field), unshare_expr(value));
    append_to_statement_list_force(
        build_spawn_assignment(build3(COMPONENT_REF, TREE_TYPE(field), object, field, NULL_TREE), value), &all);
  };
  for (unsigned i = 0; i < c.arguments.length(); i++)
    set(c.arguments[i], s.arguments[i]);
  set(c.callee, s.callee);
  set(c.result, s.result);
  set(c.done, s.done);
  set(c.block, block);
  if (block) /* the child destroys the temporaries in it */
    append_to_statement_list_force(
        build_spawn_assignment(build_fold_indirect_ref(unshare_expr(s.block)), null_pointer_node), &all);
  tree frame = unshare_expr(s.frame), code = build1(ADDR_EXPR, ptr_type_node, child),
       data = build1(ADDR_EXPR, ptr_type_node, object),
       size = fold_convert(long_unsigned_type_node, TYPE_SIZE_UNIT(c.record)),
       site = build_spawn_address_of(new_spawn_site_variable(recursive));
  if (deferring)
    append_to_statement_list_force(build_marker_tree(MARK_SPAWN), &all);
  tree spawn = deferring
                   ? build_runtime_call(PROFILED_SPAWN, void_type_node, !gimple_call_nothrow_p(s.call),
                                        {frame, code, data, size, site, unshare_expr(s.callee)})
                   : build_runtime_call("__cilkprof_r_spawn", void_type_node, true, {frame, code, data, size, site});
  SET_EXPR_LOCATION(spawn, gimple_location(s.call));
  append_to_statement_list_force(spawn, &all);
  return all;
}

/* Returns a copy of CALL without the arguments that were added for the spawn.  */
static gcall *spawned_call_without_tail(gcall *call) {
  unsigned count = gimple_call_num_args(call);
  auto_bitmap tail;
  for (unsigned i = 1; i <= TAIL_LENGTH; i++)
    bitmap_set_bit(tail, count - i);
  gcall *plain = gimple_call_copy_skip_args(call, tail);
  gimple_set_location(plain, gimple_location(call));
  return plain;
}

/* Replaces the statement AT, the spawned call S, by the choice between deferring it and calling it now, or by the plain
   call if it cannot be deferred.  */
static void lower_deferrable_call(gimple_stmt_iterator *at, spawned_call &s) {
  push_gimplify_context();
  gimple_seq body = NULL;
  const char *why = reason_not_deferrable(&s);
  if (why) {
    warn_not_made_parallel(gimple_location(s.call), "cilk_spawn", why);
    gcc_assert(!s.block);
    if (deferring)
      gimplify_and_add(build_marker_tree(MARK_SPAWN), &body);
    if (s.result)
      gimplify_and_add(build_call_with_pedigree(build_undeferred_spawn_call(s, s.callee, s.arguments, s.result, s.done),
                                                current_function_decl),
                       &body);
    else
      gimple_seq_add_stmt(&body, spawned_call_without_tail(s.call));
  } else if (deferring)
    gimplify_and_add(build_spawn_deferral(s, NULL_TREE), &body);
  else {
    location_t where = gimple_location(s.call);
    tree block = NULL_TREE, condition = build_spawn_want_test(), load = NULL_TREE,
         done = create_artificial_label(where);
    if (s.block) {
      block = create_tmp_var(ptr_type_node, "cilk_block");
      load = build_spawn_assignment(block, build_fold_indirect_ref(s.block));
      condition = build_unlikely_spawn_test(build2(NE_EXPR, boolean_type_node, block, unshare_expr(s.local)));
    }
    tree now = build_undeferred_spawn_call(s, unshare_expr(s.callee), s.arguments,
                                           s.result ? unshare_expr(s.result) : NULL_TREE,
                                           s.done ? unshare_expr(s.done) : NULL_TREE);
    now = build_call_with_pedigree(now, current_function_decl);
    tree defer = build_spawn_statement_list({build_spawn_deferral(s, block), build1(GOTO_EXPR, void_type_node, done)});
    tree choice = build3(COND_EXPR, void_type_node, condition, defer, build_empty_stmt(UNKNOWN_LOCATION));
    choice = build_tagged_scope(TAG_SPAWN, build_spawn_statement_list({load, choice}),
                                where); /* the call itself is not tagged */
    gimplify_and_add(build_spawn_statement_list({choice, now, build1(LABEL_EXPR, void_type_node, done)}), &body);
  }
  gbind *bind = gimple_build_bind(NULL_TREE, body, NULL_TREE);
  pop_gimplify_context(bind);
  gsi_replace(at, bind, true);
}

/* Callback for walk_gimple_seq: lowers the statement AT if it is a spawned call that can be deferred, and declares its
   tag.  */
static tree lower_deferrable_statement(gimple_stmt_iterator *at, bool *handled, walk_stmt_info *) {
  declare_statement_tag(gsi_stmt(*at));
  if (!deferrable_marked_p(gsi_stmt(*at)))
    return NULL_TREE;
  spawned_call s;
  split_spawned_call(as_a<gcall *>(gsi_stmt(*at)), &s);
  lower_deferrable_call(at, s);
  *handled = true;
  return NULL_TREE;
}

/* Replaces the spawned calls in the GIMPLE of FUN, where their arguments are values, by code that defers them or calls
   them.  */
void lower_parallel_spawns(function *fun) {
  walk_stmt_info info;
  memset(&info, 0, sizeof info);
  gimple_seq body = gimple_body(fun->decl);
  walk_gimple_seq_mod(&body, lower_deferrable_statement, NULL, &info);
  gimple_set_body(fun->decl, body);
}
