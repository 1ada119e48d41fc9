/* C++ temporaries in the arguments of a spawned call: objects that are passed, lambda closures, and objects that
   references are bound to.
   SPDX-License-Identifier: GPL-3.0-or-later

   A deferred child outlives the full-expression.  So the temporaries are constructed in a block where the child finds
   them, from the runtime if the child will be deferred, else on the stack.  Nothing is copied or moved.
     block = want ? runtime's block : &local; evaluate the arguments; spawn, block = NULL, or call
   The original cleanups are executed if BLOCK is set, that is after a plain call and if an argument throws an
   exception.  A child calls a function that does the same.  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "parallel.h"

struct temporary_object {
  tree target; /* the TARGET_EXPR */
  bool conditional;
};

struct temporaries {
  auto_vec<temporary_object> found; /* in the order of the walk */
  hash_set<tree> visited;
  bool conditional = false; /* the current position of the walk is executed conditionally */
};

static tree collect_spawn_temporary(tree *place, int *walk_subtrees, void *data);

/* Adds to ALL the temporaries in the initial value at PLACE of an object of TYPE.  A temporary that is the whole value,
   perhaps conditionally, or an element of it, is not one: GCC constructs the object itself instead.  */
static void find_spawn_temporaries_in_initialiser(tree *place, tree type, temporaries *all) {
  tree t = *place;
  switch ((int)TREE_CODE(t)) {
  case COMPOUND_EXPR:
    walk_tree(&TREE_OPERAND(t, 0), collect_spawn_temporary, all, &all->visited);
    find_spawn_temporaries_in_initialiser(&TREE_OPERAND(t, 1), type, all);
    break;
  case COND_EXPR: {
    bool before = all->conditional;
    walk_tree(&TREE_OPERAND(t, 0), collect_spawn_temporary, all, &all->visited);
    all->conditional = true;
    find_spawn_temporaries_in_initialiser(&TREE_OPERAND(t, 1), type, all);
    find_spawn_temporaries_in_initialiser(&TREE_OPERAND(t, 2), type, all);
    all->conditional = before;
    break;
  }
  case CONSTRUCTOR:
    for (unsigned i = 0; i < CONSTRUCTOR_NELTS(t); i++) {
      tree *element = &CONSTRUCTOR_ELT(t, i)->value;
      find_spawn_temporaries_in_initialiser(element, TYPE_MAIN_VARIANT(TREE_TYPE(*element)), all);
    }
    break;
  case TARGET_EXPR:
    if (TYPE_MAIN_VARIANT(TREE_TYPE(t)) == type) {
      find_spawn_temporaries_in_initialiser(&TARGET_EXPR_INITIAL(t), type, all);
      break;
    } /* fall through */
  default:
    walk_tree(place, collect_spawn_temporary, all, &all->visited);
  }
}

/* Callback for walk_tree: adds the temporary object at PLACE, in an argument of a spawned call, to DATA, a struct
   temporaries, and says if it is constructed conditionally.  */
static tree collect_spawn_temporary(tree *place, int *walk_subtrees, void *data) {
  temporaries *all = (temporaries *)data;
  switch ((int)TREE_CODE(*place)) {
  case TARGET_EXPR:
    all->found.safe_push({*place, all->conditional});
    *walk_subtrees = 0;
    find_spawn_temporaries_in_initialiser(&TARGET_EXPR_INITIAL(*place), TYPE_MAIN_VARIANT(TREE_TYPE(*place)), all);
    break;
  case COND_EXPR:
  case TRUTH_ANDIF_EXPR:
  case TRUTH_ORIF_EXPR: {
    bool before = all->conditional;
    *walk_subtrees = 0;
    walk_tree(&TREE_OPERAND(*place, 0), collect_spawn_temporary, data, &all->visited);
    all->conditional = true;
    for (int i = 1; i < TREE_OPERAND_LENGTH(*place); i++)
      walk_tree(&TREE_OPERAND(*place, i), collect_spawn_temporary, data, &all->visited);
    all->conditional = before;
    break;
  }
  case STMT_EXPR:
  case BIND_EXPR:
    *walk_subtrees = 0;
    break;
  }
  return NULL_TREE;
}

/* Makes the conditional temporary TARGET set the flag MARK when it is constructed.  */
static void flag_constructed_spawn_temporary(tree target, tree mark) {
  tree slot = TARGET_EXPR_SLOT(target), value = TARGET_EXPR_INITIAL(target);
  if (!VOID_TYPE_P(TREE_TYPE(value)))
    value = build2(INIT_EXPR, void_type_node, slot, value);
  TARGET_EXPR_INITIAL(target) = build2(COMPOUND_EXPR, void_type_node, value,
                                       build_spawn_assignment(mark, build_one_cst(unsigned_char_type_node)));
}

/* The layout of the memory for the temporaries of a spawned call.  */
struct block_layout {
  unsigned HOST_WIDE_INT size = 0;
  unsigned align = 1;

  /* Adds a temporary of TYPE, and returns its offset.  */
  unsigned HOST_WIDE_INT add_spawn_temporary_field(tree type) {
    unsigned this_align = TYPE_ALIGN_UNIT(type);
    unsigned HOST_WIDE_INT at = size = ROUND_UP(size, this_align);
    align = MAX(align, this_align);
    size += MAX(tree_to_uhwi(TYPE_SIZE_UNIT(type)), 1);
    return at;
  }
};

/* Moves a temporary OBJECT of a spawned call into BLOCK, at a place that LAYOUT chooses.  DESTROY gets the code that
   destroys it there, by the PARAMETER of the cleanup function, and MARKS the code that clears its flag.  */
static void move_spawn_temporary_to_block(const temporary_object &object, tree block, tree parameter,
                                          block_layout *layout, vec<tree> *destroy, tree *marks) {
  tree slot = TARGET_EXPR_SLOT(object.target), type = TREE_TYPE(slot), end = TARGET_EXPR_CLEANUP(object.target);
  unsigned HOST_WIDE_INT at = layout->add_spawn_temporary_field(type), marked_at = 0;
  SET_DECL_VALUE_EXPR(slot, build_spawn_memory_reference(block, at, type));
  DECL_HAS_VALUE_EXPR_P(slot) = 1;
  if (!end)
    return;
  tree there = copy_spawn_tree_replacing(end, slot, build_spawn_memory_reference(parameter, at, type),
                                         DECL_CONTEXT(parameter)),
       nothing = build_empty_stmt(UNKNOWN_LOCATION);
  if (object.conditional) {
    marked_at = layout->add_spawn_temporary_field(unsigned_char_type_node);
    tree mark = build_spawn_memory_reference(block, marked_at, unsigned_char_type_node);
    append_to_statement_list_force(build_spawn_assignment(mark, build_zero_cst(unsigned_char_type_node)), marks);
    flag_constructed_spawn_temporary(object.target, unshare_expr(mark));
    tree made =
        build2(NE_EXPR, boolean_type_node, build_spawn_memory_reference(parameter, marked_at, unsigned_char_type_node),
               build_zero_cst(unsigned_char_type_node));
    there = build3(COND_EXPR, void_type_node, made, there, nothing);
  }
  destroy->safe_push(there);
  tree here = build2(NE_EXPR, boolean_type_node, block, null_pointer_node);
  TARGET_EXPR_CLEANUP(object.target) = build3(COND_EXPR, void_type_node, here, end, nothing);
}

/* Makes the code with which MOVED begins: it sets the block of the temporaries to one from the runtime if the child
   will be deferred, else to one on the stack, next to the frame of R.  */
static void choose_spawn_temporaries_block(moved_temporaries *moved, const block_layout &layout, region *r,
                                           location_t where) {
  tree type = build_array_type_nelts(unsigned_char_type_node, MAX(layout.size, 1));
  tree local = new_spawn_variable(type, "cilk_temporaries", r->function);
  SET_DECL_ALIGN(local, layout.align * BITS_PER_UNIT);
  DECL_USER_ALIGN(local) = 1;
  tree variables = parallel_frame_of_region(r); /* they live as long as the frame */
  DECL_CHAIN(local) = DECL_CHAIN(variables);
  DECL_CHAIN(moved->block) = local;
  DECL_CHAIN(variables) = moved->block;
  tree size = build_int_cst(long_unsigned_type_node, layout.size);
  tree far = build_runtime_call("__cilkprof_r_block", ptr_type_node, true, {size});
  moved->local = fold_convert(ptr_type_node, build_spawn_address_of(local));
  moved->begin = build_spawn_assignment(moved->block,
                                        build3(COND_EXPR, ptr_type_node, build_spawn_want_test(), far, moved->local));
  moved->begin = build_tagged_scope(TAG_SPAWN, moved->begin, where);
}

/* Moves the temporaries in the arguments of the spawned CALL in R to where the child finds them, and sets *MOVED.
   Returns NULL, or the reason why that is impossible.  */
const char *move_spawn_temporaries(tree call, region *r, moved_temporaries *moved) {
  temporaries all;
  for (int i = 1; i < VL_EXP_OPERAND_LENGTH(call) && c_dialect_cxx(); i++)
    if (TREE_OPERAND(call, i) && (i != 2 || TREE_CODE(call) != AGGR_INIT_EXPR))
      walk_tree(&TREE_OPERAND(call, i), collect_spawn_temporary, &all, &all.visited);
  if (all.found.is_empty())
    return NULL;
  if (deferring)
    return "temporaries"; /* never shown: profiled programs are not warned */
  if (flag_sanitize & SANITIZE_ADDRESS)
    return "it has temporaries that AddressSanitizer tracks";
  for (const temporary_object &each : all.found)
    if (!fits_closure_p(TREE_TYPE(each.target)))
      return "a temporary in its arguments is of variable size, or aligned to more than 64 bytes";
  for (int i = 3; i < VL_EXP_OPERAND_LENGTH(call); i++)
    if (TREE_OPERAND(call, i) && !fits_closure_p(TREE_TYPE(TREE_OPERAND(call, i))))
      return "an argument is of variable size, or aligned to more than 64 bytes";
  tree parameter, marks = alloc_stmt_list(), body = alloc_stmt_list();
  tree function = new_spawn_helper_function("cilk_cleanup", EXPR_LOCATION(call), ptr_type_node, &parameter);
  block_layout layout;
  auto_vec<tree> destroy;
  moved->block = new_spawn_variable(ptr_type_node, "cilk_block", r->function);
  for (const temporary_object &each : all.found)
    move_spawn_temporary_to_block(each, moved->block, parameter, &layout, &destroy, &marks);
  while (destroy.length())
    append_to_statement_list_force(destroy.pop(), &body);
  finish_spawn_helper_function(function, body);
  moved->cleanup = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(function)), function);
  choose_spawn_temporaries_block(moved, layout, r, EXPR_LOCATION(call));
  for (tree_stmt_iterator at = tsi_start(marks); !tsi_end_p(at); tsi_next(&at))
    moved->begin = build2(COMPOUND_EXPR, void_type_node, moved->begin, tsi_stmt(at));
  return NULL;
}

/* Callback for walk_tree: makes the temporary at PLACE refer to BLOCK.  In a copied function it still refers to the
   block of the original.  */
static tree follow_copied_spawn_block(tree *place, int *, void *block) {
  tree slot = TREE_CODE(*place) == TARGET_EXPR ? TARGET_EXPR_SLOT(*place) : NULL_TREE;
  tree where = slot && DECL_HAS_VALUE_EXPR_P(slot) ? DECL_VALUE_EXPR(slot) : NULL_TREE;
  if (where && TREE_CODE(where) == MEM_REF && TREE_OPERAND(where, 0) != block)
    SET_DECL_VALUE_EXPR(slot, build2(MEM_REF, TREE_TYPE(where), (tree)block, TREE_OPERAND(where, 1)));
  return NULL_TREE;
}

/* Makes the temporaries of CALL refer to its own block, in a function that GCC copied after they were moved, such as a
   constructor.  */
void move_copied_spawn_temporaries(tree call) {
  int operands = VL_EXP_OPERAND_LENGTH(call), own = operands - TAIL_LENGTH;
  tree block = TREE_OPERAND(call, own + TAIL_BLOCK);
  if (TREE_CODE(block) != ADDR_EXPR)
    return;
  for (int i = 1; i < own; i++)
    if (TREE_OPERAND(call, i))
      walk_tree_without_duplicates(&TREE_OPERAND(call, i), follow_copied_spawn_block, TREE_OPERAND(block, 0));
}
