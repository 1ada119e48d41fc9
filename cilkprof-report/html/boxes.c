/* The boxes of the icicle graphs.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/html/html.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Percent of the work or the span below which a box would be too narrow to see.  */
static const double LEAST_SHARE = 0.05;

/* Appends a copy of BOX to the boxes of the page, and returns its index.  */
static uint32_t add_html_box(struct boxes *boxes, const struct box *box) {
  boxes->boxes = grow_array(boxes->boxes, boxes->count, &boxes->room, sizeof *boxes->boxes);
  boxes->boxes[boxes->count] = *box;
  return (uint32_t)boxes->count++;
}

/* Returns whether a box with these costs is wide enough to be seen on the page, in the graph of work or in that of the
   span.  */
static bool is_html_box_visible(const struct model *model, double work, double span) {
  return 100 * work >= LEAST_SHARE * (double)model->totals.work ||
         100 * span >= LEAST_SHARE * (double)model->totals.span;
}

/* Adds a box for every calling context that is wide enough to be seen, below that of its parent.  */
static void add_html_context_boxes(struct boxes *boxes, const struct model *model) {
  const struct contexts *contexts = &model->contexts;
  uint32_t *place = allocate(contexts->count, sizeof *place);
  for (size_t i = 0; i < contexts->count; i++) {
    const struct context *context = &contexts->contexts[i];
    bool orphan = context->parent != NO_CONTEXT && place[context->parent] == NO_CONTEXT;
    struct box box = {
        .parent = context->parent != NO_CONTEXT ? place[context->parent] : NO_CONTEXT,
        .site = context->site,
        .count = context->on_work.count,
        .work = context->on_work.work,
        .span = context->on_work.span,
        .work_size = (double)context->on_work.work,
        .span_size = (double)context->on_span.span,
    };
    place[i] =
        !orphan && is_html_box_visible(model, box.work_size, box.span_size) ? add_html_box(boxes, &box) : NO_CONTEXT;
  }
  free(place);
}

/* The call sites, grouped by caller.  */
struct callers {
  const struct model *model;
  size_t *first;   /* index of the first site of function N at N + 1, of uninstrumented code at 0; the end at last */
  uint32_t *sites; /* indices of sites in the model */
  bool *opened;    /* by number of the function: its calls have been added */
};

/* Returns the index of the caller of SITE in the table of callers: 0 for code without instrumentation, otherwise the
   number of the function plus one.  */
static size_t html_caller_index(const struct site *site) {
  return site->caller != NULL ? site->caller->number + 1 : 0;
}

/* Returns the call sites of the model grouped by caller, with a counting sort.  The caller frees the arrays.  */
static struct callers group_html_callers(const struct model *model) {
  struct callers callers = {
      .model = model,
      .first = allocate(model->functions.count + 3, sizeof *callers.first),
      .sites = allocate(model->site_count, sizeof *callers.sites),
      .opened = allocate(model->functions.count, sizeof *callers.opened),
  };
  for (size_t i = 0; i < model->site_count; i++)
    callers.first[html_caller_index(&model->sites[i]) + 2]++;
  for (size_t i = 2; i < model->functions.count + 3; i++)
    callers.first[i] += callers.first[i - 1];
  for (size_t i = 0; i < model->site_count; i++)
    callers.sites[callers.first[html_caller_index(&model->sites[i]) + 1]++] = (uint32_t)i;
  return callers;
}

/* Returns a box of the page for the call site with index SITE, below the box with index PARENT.  */
static struct box html_site_box(const struct model *model, uint32_t site, uint32_t parent) {
  const struct cilkprof_site *measured = model->sites[site].measured;
  const struct cilkprof_measure *on_work = &measured->on_work.top_call_site;
  return (struct box){
      .parent = parent,
      .site = site,
      .count = measured->on_work.local.count,
      .work = on_work->work,
      .span = on_work->span,
      .work_size = (double)on_work->work,
      .span_size = (double)measured->on_span.top_call_site.span,
  };
}

/* Shrinks the boxes from index FIRST on if they are together wider than the box around them, which has the widths WORK
   and SPAN in the two graphs.  */
static void shrink_html_boxes(struct boxes *boxes, size_t first, double work, double span) {
  double works = 0, spans = 0;
  for (size_t i = first; i < boxes->count; i++) {
    works += boxes->boxes[i].work_size;
    spans += boxes->boxes[i].span_size;
  }
  for (size_t i = first; i < boxes->count; i++) {
    if (works > work)
      boxes->boxes[i].work_size *= work / works;
    if (spans > span)
      boxes->boxes[i].span_size *= span / spans;
  }
}

/* Returns whether the box with index BOX, or a box around it, is a call of FUNCTION: another call of it inside would be
   recursive.  */
static bool is_inside_html_box(const struct boxes *boxes, const struct model *model, uint32_t box,
                               const struct function *function) {
  for (; box != NO_CONTEXT; box = boxes->boxes[box].parent)
    if (model->sites[boxes->boxes[box].site].callee == function)
      return true;
  return false;
}

/* Adds boxes for the call sites, level by level, if there are no calling contexts.  The calls of a function are added
   only where it is reached first.  Recursive calls get no box: they are part of the function.  */
static void add_html_site_boxes(struct boxes *boxes, const struct model *model) {
  struct callers callers = group_html_callers(model);
  for (size_t next = 0; next == 0 || next <= boxes->count; next++) {
    uint32_t parent = next > 0 ? (uint32_t)(next - 1) : NO_CONTEXT;
    struct function *function = next > 0 ? model->sites[boxes->boxes[parent].site].callee : NULL;
    if (function != NULL && callers.opened[function->number])
      continue;
    if (function != NULL)
      callers.opened[function->number] = true;
    size_t number = function != NULL ? function->number + 1 : 0, first = boxes->count;
    for (size_t i = callers.first[number]; i < callers.first[number + 1]; i++) {
      struct box box = html_site_box(model, callers.sites[i], parent);
      if (is_html_box_visible(model, box.work_size, box.span_size) &&
          !is_inside_html_box(boxes, model, parent, model->sites[box.site].callee))
        add_html_box(boxes, &box);
    }
    if (next > 0)
      shrink_html_boxes(boxes, first, boxes->boxes[parent].work_size, boxes->boxes[parent].span_size);
    else
      shrink_html_boxes(boxes, first, (double)model_run_work(model), (double)model->totals.span);
  }
  free(callers.first);
  free(callers.sites);
  free(callers.opened);
}

/* Returns boxes for the calling contexts that are wide enough to be seen.  If the profile has no contexts, the boxes
   are call sites, each below the first box of its caller.  */
struct boxes make_html_boxes(const struct model *model) {
  struct boxes boxes = {.measured = model->contexts.count > 0 && model->contexts.missing == NULL};
  if (boxes.measured)
    add_html_context_boxes(&boxes, model);
  else
    add_html_site_boxes(&boxes, model);
  return boxes;
}
