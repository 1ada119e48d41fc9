/* The engine's types and its thread-local variable, as trees.  Units of C and C++ have them from unit.h.  For Fortran,
   whose compiler cannot read that header, they are built here, with the fields that instrumented code uses.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstddef>

#include "back.h"
#include "stor-layout.h"

/* Appends a field NAME of TYPE to RECORD, a structure whose last field is *LAST.  */
static void append_engine_field(tree record, tree *last, const char *name, tree type) {
  tree field = build_decl(UNKNOWN_LOCATION, FIELD_DECL, get_identifier(name), type);
  DECL_CONTEXT(field) = record;
  *(*last ? &DECL_CHAIN(*last) : &TYPE_FIELDS(record)) = field;
  *last = field;
}

struct engine_field {
  const char *name;
  size_t offset;
  tree type;
};

/* Returns a new structure type of SIZE bytes with FIELDS, in the order of their offsets.  What is between them is
   filled up.  */
static tree build_engine_record(size_t size, std::initializer_list<engine_field> fields) {
  tree record = make_node(RECORD_TYPE), last = NULL_TREE;
  size_t end = 0;
  auto fill_up_to = [&](size_t offset) {
    if (offset > end)
      append_engine_field(record, &last, "fill", build_array_type_nelts(unsigned_char_type_node, offset - end));
  };
  for (const engine_field &each : fields) {
    fill_up_to(each.offset);
    append_engine_field(record, &last, each.name, each.type);
    end = each.offset + tree_to_uhwi(TYPE_SIZE_UNIT(each.type));
  }
  fill_up_to(size);
  layout_type(record);
  return record;
}

/* The types and the variable that were built, registered with GCC's garbage collector.  */
enum { BUILT_THREAD = TYPE_TIMING_POINT + 1, BUILT_TYPES };
static tree built[BUILT_TYPES];
static const ggc_root_tab roots[] = {{built, BUILT_TYPES, sizeof *built, &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
                                     LAST_GGC_ROOT_TAB};

/* Registers what is built here with GCC's garbage collector, for PLUGIN, so that it is kept.  */
void register_engine_type_roots(const char *plugin) {
  register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, const_cast<ggc_root_tab *>(roots));
}

/* Builds the type WHICH of the engine.  */
static tree build_engine_type(engine_type which) {
  tree number = engine_work_type_tree();
  switch (which) {
  case TYPE_FRAME:
    return build_engine_record(sizeof(__cilkprof_frame),
                               {{"top", offsetof(__cilkprof_frame, top), ptr_type_node},
                                {"counted_left", offsetof(__cilkprof_frame, counted_left), number}});
  case TYPE_SITE:
    return build_engine_record(sizeof(__cilkprof_site), {{"counted", offsetof(__cilkprof_site, counted), number}});
  case TYPE_FUNCTION:
    return build_engine_record(sizeof(__cilkprof_function),
                               {{"outside", offsetof(__cilkprof_function, outside), engine_type_tree(TYPE_SITE)}});
  default:
    return build_engine_record(sizeof(__cilkprof_timing_point), {{"skip", 0, number}});
  }
}

/* Returns GCC's type for the engine's structure WHICH.  The parameters of __cilkprof_h_types have these types.  */
tree engine_type_tree(engine_type which) {
  if (!unit_has_event_bodies_p())
    return built[which] ? built[which] : built[which] = build_engine_type(which);
  tree argument = TYPE_ARG_TYPES(TREE_TYPE(event_function_decl(EVENT_types)));
  for (int i = 0; i < which; i++)
    argument = TREE_CHAIN(argument);
  return TYPE_MAIN_VARIANT(TREE_VALUE(argument));
}

/* Returns GCC's type of work, which is also that of all other values of the engine.  */
tree engine_work_type_tree() {
  return unit_has_event_bodies_p() ? TREE_TYPE(TREE_TYPE(event_function_decl(EVENT_timing)))
                                   : long_long_unsigned_type_node;
}

/* Builds the declaration of __cilkprof_self, with the fields that instrumented code uses.  */
static tree build_engine_thread_variable() {
  tree frames = build_pointer_type(engine_type_tree(TYPE_FRAME));
  tree type = build_engine_record(sizeof(__cilkprof_thread),
                                  {{"top", offsetof(__cilkprof_thread, top), ptr_type_node},
                                   {"frames", offsetof(__cilkprof_thread, frames), frames},
                                   {"counting", offsetof(__cilkprof_thread, counting), engine_work_type_tree()},
                                   {"began_anew", offsetof(__cilkprof_thread, began_anew), engine_work_type_tree()},
                                   {"in_guard", offsetof(__cilkprof_thread, in_guard), engine_work_type_tree()}});
  tree variable = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier("__cilkprof_self"), type);
  TREE_PUBLIC(variable) = DECL_EXTERNAL(variable) = TREE_USED(variable) = 1;
  DECL_ARTIFICIAL(variable) = DECL_IGNORED_P(variable) = 1;
  /* An executable contains the engine; a shared library may find it in another object.  */
  set_decl_tls_model(variable, flag_pic && !flag_pie ? TLS_MODEL_INITIAL_EXEC : TLS_MODEL_LOCAL_EXEC);
  return variable;
}

/* Returns the declaration of __cilkprof_self, the variable with this thread's state.  */
tree engine_thread_variable() {
  if (unit_has_event_bodies_p())
    return symtab_node::get_for_asmname(get_identifier("__cilkprof_self"))->decl;
  return built[BUILT_THREAD] ? built[BUILT_THREAD] : built[BUILT_THREAD] = build_engine_thread_variable();
}

/* Returns the field NAME of RECORD, a structure type of the engine that must have it.  */
tree engine_record_field(tree record, const char *name) {
  for (tree field = TYPE_FIELDS(record); field; field = DECL_CHAIN(field))
    if (!strcmp(instrumented_decl_name_or_empty(field), name))
      return field;
  gcc_unreachable();
}

/* Returns the field NAME of THREAD.  */
static tree thread_field_tree(const char *name) {
  tree thread = engine_thread_variable(), field = engine_record_field(TREE_TYPE(thread), name);
  return build3(COMPONENT_REF, TREE_TYPE(field), thread, field, NULL_TREE);
}

/* Returns THREAD.counting.  */
tree thread_counting_tree() {
  return thread_field_tree("counting");
}

/* Returns THREAD.began_anew.  */
tree thread_began_anew_tree() {
  return thread_field_tree("began_anew");
}

/* Returns THREAD.in_guard.  */
tree thread_in_guard_tree() {
  return thread_field_tree("in_guard");
}
