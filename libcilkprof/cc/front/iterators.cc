/* The distance between two iterators of a class type.
   SPDX-License-Identifier: GPL-3.0-or-later

   As in Cilk Plus, it is end - begin, with the operator of the class.  */

#include "libcilkprof/cc/gcc/c++-front-end.h"
#include "front.h"
#include "trips.h"

/* Returns true if the class TYPE is std::random_access_iterator_tag or derived from it; only the name is compared.  */
static bool random_access_iterator_tag_p(tree type) {
  if (!CLASS_TYPE_P(type) || !TYPE_NAME(type))
    return false;
  if (id_equal(TYPE_IDENTIFIER(type), "random_access_iterator_tag"))
    return true;
  tree binfo = TYPE_BINFO(type), base;
  for (unsigned i = 0; binfo && BINFO_BASE_ITERATE(binfo, i, base); i++)
    if (random_access_iterator_tag_p(BINFO_TYPE(base)))
      return true;
  return false;
}

/* Returns true if the iterator class TYPE declares random access, or no category at all.  A class that declares another
   category may have an operator that does not compile.  */
static bool random_access_iterator_p(tree type) {
  tree category = lookup_member(type, get_identifier("iterator_category"), 0, true, tf_none, NULL);
  return !category || category == error_mark_node ||
         random_access_iterator_tag_p(TYPE_MAIN_VARIANT(TREE_TYPE(category)));
}

/* Returns an integer expression for TO - FROM, two iterators of a C++ class, with the class's own operator; NULL_TREE
   if they are of another type or the class has no such operator.  */
tree build_cilk_for_iterator_distance(tree from, tree to, location_t where) {
  tree type = TYPE_MAIN_VARIANT(TREE_TYPE(from));
  if (!c_dialect_cxx() || !CLASS_TYPE_P(type) || !random_access_iterator_p(type))
    return NULL_TREE;
  tree distance = build_x_binary_op(where, MINUS_EXPR, to, from, tf_none);
  if (distance == error_mark_node)
    return NULL_TREE;
  if (CLASS_TYPE_P(TREE_TYPE(distance)))
    distance = perform_implicit_conversion(long_long_integer_type_node, distance, tf_none);
  return INTEGRAL_TYPE_P(TREE_TYPE(distance)) ? distance : NULL_TREE;
}

/* Returns a copy of EXPRESSION that shares no trees with it.  In C++ the copy gets temporaries of its own.  */
tree copy_cilk_for_expression(tree expression) {
  return c_dialect_cxx() ? break_out_target_exprs(expression, false) : unshare_expr(expression);
}

/* Returns true if objects of TYPE can be copied without calling a constructor, which is always so in C.  */
bool trivially_copied_iterator_p(tree type) {
  return !c_dialect_cxx() || trivially_copyable_p(type);
}
