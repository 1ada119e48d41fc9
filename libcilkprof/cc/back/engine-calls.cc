/* Declarations of the engine's functions that instrumented code calls, made from abi/events.def.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <type_traits>

#include "back.h"

/* The types that events.def names.  */
struct frame_t;
struct site_t;
struct function_t;
struct timing_point_t;
struct calling_loop_t;
typedef uint64_t work_t;
typedef void body_t(void *);

/* Returns GCC's type for TYPE, one of those that events.def names for results and parameters of events.  */
template <typename type> static tree tree_of_engine_type() {
  if (std::is_void<type>::value)
    return void_type_node;
  if (std::is_same<type, frame_t *>::value)
    return build_pointer_type(engine_type_tree(TYPE_FRAME));
  if (std::is_same<type, site_t *>::value)
    return build_pointer_type(engine_type_tree(TYPE_SITE));
  return std::is_pointer<type>::value ? ptr_type_node : engine_work_type_tree();
}

/* Returns the type, as a tree, of a function of the engine with this result and these parameters.  */
template <typename result, typename... parameters> static tree engine_function_prototype() {
  tree types[] = {tree_of_engine_type<parameters>()...};
  return build_function_type_array(tree_of_engine_type<result>(),
                                   types[0] == void_type_node ? 0 : sizeof...(parameters), types);
}

static const struct {
  const char *name;
  tree (*type)();
} functions[] = {
#define CALLED(name, result, ...)   {"o_" #name, engine_function_prototype<result, __VA_ARGS__>},
#define DIRECT(name, result, ...)   {#name, engine_function_prototype<result, __VA_ARGS__>},
#define TOLD(name, result, ...)     {#name, engine_function_prototype<result, __VA_ARGS__>},
#define CALLBACK(name, result, ...) {#name, engine_function_prototype<result, __VA_ARGS__>},
#define SHORT(name, result, ...)    {"o_short_" #name, engine_function_prototype<result, __VA_ARGS__>},
#include "libcilkprof/abi/events.def"
};

/* Returns the function that is called with -fcilkprof-callbacks in place of the inlined event WHICH, or
   ENGINE_FUNCTIONS if there is no callback for it.  */
engine_function callback_for_event(event which) {
  static const engine_function calls[] = {
#define INLINED(name, result, ...) ENGINE_FUNCTIONS,
#define TOLD(name, result, ...)    CALL_##name,
#include "libcilkprof/abi/events.def"
      ENGINE_FUNCTIONS};
  return calls[which];
}

/* Returns the function that is called in place of the inlined event WHICH in units that do not have its body, or
   ENGINE_FUNCTIONS if there is none.  */
static engine_function call_for_short_event(event which) {
  static const engine_function calls[] = {
#define INLINED(name, result, ...) ENGINE_FUNCTIONS,
#define TOLD(name, result, ...)    ENGINE_FUNCTIONS,
#define SHORT(name, result, ...)   CALL_o_short_##name,
#include "libcilkprof/abi/events.def"
      ENGINE_FUNCTIONS};
  return calls[which];
}

/* The functions declared so far, registered with GCC's garbage collector.  */
static tree declared[ENGINE_FUNCTIONS];
static const ggc_root_tab roots[] = {
    {declared, ENGINE_FUNCTIONS, sizeof *declared, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node}, LAST_GGC_ROOT_TAB};

/* Registers the declarations of the engine's functions with GCC's garbage collector, for PLUGIN, so that they are
   kept.  */
void register_engine_function_roots(const char *plugin) {
  register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
}

/* Returns the declaration of the function WHICH of the engine, or with callbacks of a tool, which instrumented code
   calls.  It is made when it is first asked for.  */
tree engine_function_decl(engine_function which) {
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

/* Returns the declaration of the function that is called in place of the inlined event WHICH, a short one, in units
   that do not have its body.  */
tree short_event_function_decl(event which) {
  gcc_assert(call_for_short_event(which) != ENGINE_FUNCTIONS);
  return engine_function_decl(call_for_short_event(which));
}
