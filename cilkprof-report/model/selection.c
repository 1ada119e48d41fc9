/* Which functions have an entry in the call graph, and whose time counts there.
   SPDX-License-Identifier: GPL-3.0-or-later

   As in gprof, what a function is given passes on to all that it calls: -f shows a function with everything below it,
   -F counts only that time.  Unlike there, calls that do not count are left out as they were measured, and nothing is
   spread over callers by the number of their calls.  */

#include "cilkprof-report/model/filters.h"
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

static bool is_selected(const struct filter *filter, const struct function *function, bool inherited) {
  if (inherited)
    return rules_match(&filter->included, function) || !rules_match(&filter->excluded, function);
  return filter_admits(filter, function);
}

/* From the callers outside of a cycle to its members.  */
static void select_members(struct cycle *cycle, const struct filter *graph, const struct filter *time) {
  bool in_graph = false, counted = false;
  for (size_t i = 0; i < cycle->member_count; i++)
    for (size_t p = 0; p < cycle->members[i]->parent_count; p++) {
      const struct arc *arc = cycle->members[i]->parents[p];
      if (arc->caller == NULL || arc_is_internal(arc))
        continue;
      in_graph |= arc->caller->in_graph;
      counted |= arc->caller->counted;
    }
  cycle->in_graph = in_graph || graph->included.count == 0;
  for (size_t i = 0; i < cycle->member_count; i++) {
    struct function *member = cycle->members[i];
    member->in_graph = is_selected(graph, member, in_graph);
    member->counted = is_selected(time, member, counted);
  }
}

/* A call counts when its callee does: by itself, or because of this caller.  */
static bool is_counted(const struct filter *time, const struct arc *arc) {
  bool by_itself = filter_admits(time, arc->callee);
  return arc->callee->counted && (by_itself || (arc->caller != NULL && arc->caller->counted));
}

void select_functions(struct model *model, const struct options *options) {
  const struct filter *time = &options->filters[FILTER_TIME];
  for (size_t i = model->cycle_count; i-- > 0;) /* callers come after their callees */
    select_members(&model->cycles[i], &options->filters[FILTER_GRAPH], time);
  for (size_t i = 0; i < model->arc_count; i++)
    model->arcs[i].uncounted = !is_counted(time, &model->arcs[i]);
}
