/* Declarations of the engine's functions that instrumented code calls, made from abi/events.def.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <type_traits>

#include "back.h"

/* The types that events.def names.  */
struct frame_t;
struct site_t;
struct function_t;
struct timing_point_t;
typedef uint64_t work_t;

template <typename type> static tree tree_of() {
  if (std::is_void<type>::value)
    return void_type_node;
  if (std::is_same<type, frame_t *>::value)
    return build_pointer_type(type_of_engine(TYPE_FRAME));
  if (std::is_same<type, site_t *>::value)
    return build_pointer_type(type_of_engine(TYPE_SITE));
  return std::is_pointer<type>::value ? ptr_type_node : type_of_work();
}

template <typename result, typename... parameters> static tree prototype() {
  tree types[] = {tree_of<parameters>()...};
  return build_function_type_array(tree_of<result>(), types[0] == void_type_node ? 0 : sizeof...(parameters), types);
}

static const struct {
  const char *name;
  tree (*type)();
} functions[] = {
#define CALLED(name, result, ...)   {"o_" #name, prototype<result, __VA_ARGS__>},
#define DIRECT(name, result, ...)   {#name, prototype<result, __VA_ARGS__>},
#define TOLD(name, result, ...)     {#name, prototype<result, __VA_ARGS__>},
#define CALLBACK(name, result, ...) {#name, prototype<result, __VA_ARGS__>},
#include "libcilkprof/abi/events.def"
};

engine_function callback_of(event which) {
  static const engine_function calls[] = {
#define INLINED(name, result, ...) ENGINE_FUNCTIONS,
#define TOLD(name, result, ...)    CALL_##name,
#include "libcilkprof/abi/events.def"
      ENGINE_FUNCTIONS};
  return calls[which];
}

/* The functions declared so far, registered with GCC's garbage collector.  */
static tree declared[ENGINE_FUNCTIONS];
static const ggc_root_tab roots[] = {
    {declared, ENGINE_FUNCTIONS, sizeof *declared, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};

void register_engine_functions(const char *plugin) {
  register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
}

tree function_of_engine(engine_function which) {
  if (declared[which])
    return declared[which];
  char *symbol = concat(calling_back ? "__cilkprof_t_" : "__cilkprof_", functions[which].name, NULL);
  tree function = build_fn_decl(symbol, functions[which].type());
  free(symbol);
  TREE_NOTHROW(function) = 1;
  if (!calling_back) /* a tool's callbacks may be in this unit */
    DECL_ATTRIBUTES(function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  return declared[which] = function;
}
