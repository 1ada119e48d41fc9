/* Decides which functions have an entry in the call graph, and whose time counts there.
   SPDX-License-Identifier: GPL-3.0-or-later

   As in gprof, selections are inherited by callees: -f shows a function with everything that it calls, and -F counts
   only that time.  Unlike gprof, the time of calls that do not count is subtracted as it was measured; no time is
   distributed among callers by their numbers of calls.  */

#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* Returns whether FILTER selects FUNCTION.  INHERITED says that a caller is selected; then FUNCTION is too, unless it
   is excluded and not included.  */
static bool is_model_function_selected(const struct filter *filter, const struct function *function, bool inherited) {
  if (inherited)
    return model_function_matches_rules(&filter->included, function) ||
           !model_function_matches_rules(&filter->excluded, function);
  return filter_admits_model_function(filter, function);
}

/* Selects the members of CYCLE for the call graph, by the filter GRAPH, and for the time that counts, by the filter
   TIME.  Members are also selected if a caller outside the cycle is.  */
static void select_model_cycle_members(struct cycle *cycle, const struct filter *graph, const struct filter *time) {
  bool in_graph = false, counted = false;
  for (size_t i = 0; i < cycle->member_count; i++)
    for (size_t p = 0; p < cycle->members[i]->parent_count; p++) {
      const struct arc *arc = cycle->members[i]->parents[p];
      if (arc->caller == NULL || model_arc_is_internal(arc))
        continue;
      in_graph |= arc->caller->in_graph;
      counted |= arc->caller->counted;
    }
  cycle->in_graph = in_graph || graph->included.count == 0;
  for (size_t i = 0; i < cycle->member_count; i++) {
    struct function *member = cycle->members[i];
    member->in_graph = is_model_function_selected(graph, member, in_graph);
    member->counted = is_model_function_selected(time, member, counted);
  }
}

/* Returns whether the time of ARC counts in the call graph: its callee counts, because the filter TIME admits it or
   because this caller counts.  */
static bool is_model_arc_counted(const struct filter *time, const struct arc *arc) {
  bool by_itself = filter_admits_model_function(time, arc->callee);
  return arc->callee->counted && (by_itself || (arc->caller != NULL && arc->caller->counted));
}

/* Decides by the filters of OPTIONS which functions of MODEL have an entry in the call graph, and of which functions
   and arcs the time counts there.  */
void select_model_functions(struct model *model, const struct options *options) {
  const struct filter *time = &options->filters[FILTER_TIME];
  for (size_t i = model->cycle_count; i-- > 0;) /* callers come after their callees */
    select_model_cycle_members(&model->cycles[i], &options->filters[FILTER_GRAPH], time);
  for (size_t i = 0; i < model->arc_count; i++)
    model->arcs[i].uncounted = !is_model_arc_counted(time, &model->arcs[i]);
}
