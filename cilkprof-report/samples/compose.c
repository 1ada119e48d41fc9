/* Call sites of functions without events, composed from samples and from the exact values below them.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program may be compiled so that only functions that fork or join have events.  What else they call is part of their
   strands, and the local values of their sites are exact sums of all that.  Samples tell how these divide: by the part
   of the samples in a function with events that are in what it calls, on all of the work and on the span.  What that
   calls in turn, and has events, is exact again, and belongs to the calls through which samples passed.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names/system-files.h"
#include "cilkprof-report/samples/compose.h"
#include "cilkprof-report/samples/composition.h"
#include "cilkprof-report/support/support.h"

/* Finds the functions with events, and adds up the local values of their sites.  */
static void add_up_exact_sites(struct composition *of) {
  for (size_t i = 0; i < of->model->site_count; i++) {
    const struct site *site = &of->model->sites[i];
    if (site->unreached || site->callee == NULL)
      continue;
    const struct function *strands = function_of_strands(of, site);
    struct group *group = &of->groups[strands->number];
    group->has_events = true;
    if (strands == site->callee && site->callee->construct != NULL)
      of->constructs[of->construct_count++] = i;
    add_share(&group->exact,
              (struct share){(double)site->measured->on_work.local.work, (double)site->measured->on_span.local.span});
  }
}

/* Finds the strands around each context, and adds up the samples in them.  */
static void add_up_samples_of_groups(struct composition *of) {
  for (uint32_t i = 0; i < of->samples->count; i++) {
    const struct sample_context *context = &of->samples->contexts[i];
    const struct function *function = of->functions[context->function->number];
    of->anchors[i] = context->parent == NO_CONTEXT ? NO_CONTEXT : of->anchors[context->parent];
    if (of->groups[function->number].has_events)
      of->anchors[i] = function->number;
    else if (context->parent != NO_CONTEXT) {
      const struct function *caller = of->functions[of->samples->contexts[context->parent].function->number];
      if (of->groups[caller->number].has_events)
        of->anchors[i] = strands_at(of, caller, context->file, context->line)->number;
    }
    if (of->anchors[i] != NO_CONTEXT)
      add_share(&of->groups[of->anchors[i]].samples, share_of_waste(&context->own));
  }
  move_samples_to_constructs(of);
}

/* Returns whether context number I is of a function without events that one with events reached.  What a library does
   inside is part of its function that was called.  */
static bool is_composed(const struct composition *of, uint32_t i) {
  const struct sample_context *context = &of->samples->contexts[i];
  uint32_t number = of->functions[context->function->number]->number;
  if (of->anchors[i] == NO_CONTEXT || of->groups[number].has_events)
    return false;
  return !context->foreign || !of->samples->contexts[context->parent].foreign || is_composed(of, context->parent);
}

/* Callback of hash_table_find: returns whether the call site number PLACE is that of KEY.  */
static bool is_same_composed(const void *array, size_t place, const void *key) {
  const struct composed *a = (const struct composed *)array + place, *b = key;
  return a->caller == b->caller && a->context->function == b->context->function && a->context->line == b->context->line;
}

/* Returns the number of the call site of CONTEXT, and adds it if there is none.  */
static uint32_t composed_site(struct composition *of, const struct sample_context *context) {
  if (context->foreign && of->samples->contexts[context->parent].foreign)
    return of->composed_of[context->parent];
  struct composed key = {.context = context, .caller = of->samples->contexts[context->parent].function};
  uint64_t hash = hash_add(hash_add((uintptr_t)key.caller, (uintptr_t)context->function), context->line);
  size_t place = hash_table_find(&of->composed_table, hash, is_same_composed, of->composed, &key, of->count);
  if (place == of->count) {
    of->composed = grow_array(of->composed, of->count, &of->room, sizeof *of->composed);
    of->composed[of->count++] = key;
  }
  return (uint32_t)place;
}

/* Returns what context number I did itself: its part of the exact values around it.  */
static struct share own_share(const struct composition *of, uint32_t i) {
  const struct group *group = &of->groups[of->anchors[i]];
  struct share own = share_of_waste(&of->samples->contexts[i].own);
  return (struct share){ratio(own.work * group->exact.work, group->samples.work),
                        ratio(own.on_span * group->exact.on_span, group->samples.on_span)};
}

/* Returns the variance of the work OWN that context number I did: the number of its samples, which are a part of those
   in the function with events around it, varies.  */
static double own_variance(const struct composition *of, uint32_t i, double own) {
  const struct group *group = &of->groups[of->anchors[i]];
  uint64_t samples = of->samples->contexts[i].samples;
  return samples > 0 ? own * own / (double)samples * (1 - fmin(1, ratio(own, group->exact.work))) : 0;
}

/* Callback of hash_table_find: returns whether the pair number PLACE is KEY.  */
static bool is_same_pair(const void *array, size_t place, const void *key) {
  const struct entered *a = (const struct entered *)array + place, *b = key;
  return a->caller == b->caller && a->callee == b->callee;
}

/* Returns the sums over the calls of CALLEE by CALLER, which are 0 at first.  */
static struct entered *calls_with_events(struct composition *of, const struct function *caller,
                                         const struct function *callee) {
  struct entered key = {.caller = caller, .callee = callee};
  uint64_t hash = hash_add((uintptr_t)caller, (uintptr_t)callee);
  size_t place = hash_table_find(&of->entered_table, hash, is_same_pair, of->entered, &key, of->entered_count);
  if (place == of->entered_count) {
    of->entered = grow_array(of->entered, of->entered_count, &of->entered_room, sizeof *of->entered);
    of->entered[of->entered_count++] = key;
  }
  return &of->entered[place];
}

/* Returns the calls by which context number I, of a function with events, was reached from one without; NULL: it was
   not.  */
static struct entered *calls_of_context(struct composition *of, uint32_t i) {
  const struct sample_context *context = &of->samples->contexts[i];
  if (context->parent == NO_CONTEXT || is_composed(of, i) || !is_composed(of, context->parent))
    return NULL;
  return calls_with_events(of, of->functions[of->samples->contexts[context->parent].function->number],
                           of->functions[context->function->number]);
}

/* Returns how long the calls at SITE, by a function without events, take one after the other.  Tasks run beside each
   other: they take as long as those on the span, or if none is, as one of them on the average.  */
static double span_of_calls(const struct site *site) {
  const struct cilkprof_measure *all = &site->measured->on_work.top_call_site;
  uint64_t on_span = site->measured->on_span.top_call_site.span;
  if (site->kind != CILKPROF_SITE_SPAWN)
    return (double)all->span;
  return on_span > 0 ? (double)on_span : ratio((double)all->span, (double)all->count);
}

/* Adds up the exact values of calls of functions with events, and the samples in them, by caller and callee.  */
static void add_up_calls_with_events(struct composition *of) {
  for (size_t i = 0; i < of->model->site_count; i++) {
    const struct site *site = &of->model->sites[i];
    const struct cilkprof_site *measured = site->measured;
    if (site->unreached || site->caller == NULL || of->groups[site->caller->number].has_events)
      continue;
    struct entered *sum = calls_with_events(of, site->caller, site->together != NULL ? site->together : site->callee);
    add_share(&sum->exact, (struct share){(double)measured->on_work.top_call_site.work,
                                          (double)measured->on_span.top_call_site.span});
    sum->span += span_of_calls(site);
  }
  for (uint32_t i = 0; i < of->samples->count; i++) {
    struct entered *sum = calls_of_context(of, i);
    if (sum != NULL && !of->samples->contexts[i].nested)
      add_share(&sum->samples, share_of_waste(&of->samples->contexts[i].all));
  }
}

/* Returns the call site of the library function whose code CONTEXT is inside of; NULL if it is that function itself, or
   of none.  */
static const struct composed *inner_library_site(const struct composition *of, const struct sample_context *context) {
  bool inner = context->foreign && of->samples->contexts[context->parent].foreign;
  return inner ? &of->composed[of->composed_of[context->parent]] : NULL;
}

/* Adds what every context of a function without events did, with all below it, to its call site.  Contexts are in an
   order in which parents come first.  */
static void add_up_composed_sites(struct composition *of) {
  struct share *all = allocate(of->samples->count, sizeof *all);
  double *spans = allocate(of->samples->count, sizeof *spans);
  for (uint32_t i = (uint32_t)of->samples->count; i-- > 0;) {
    const struct sample_context *context = &of->samples->contexts[i];
    uint32_t parent = context->parent;
    if (is_composed(of, i)) {
      struct composed *site = &of->composed[of->composed_of[i]];
      struct share own = own_share(of, i);
      add_share(&all[i], own);
      spans[i] += own.work;
      add_share(&site->own, own);
      site->variance += own_variance(of, i, own.work);
      if (!context->nested && site != inner_library_site(of, context)) {
        add_share(&site->all, all[i]);
        site->span += spans[i];
      }
    }
    const struct entered *entered = calls_of_context(of, i);
    if (entered != NULL) {
      struct share samples = share_of_waste(&context->all);
      double part = ratio(samples.work, entered->samples.work);
      all[i] = (struct share){entered->exact.work * part,
                              entered->exact.on_span * ratio(samples.on_span, entered->samples.on_span)};
      spans[i] = entered->span * part;
    }
    if (parent != NO_CONTEXT && is_composed(of, parent)) {
      add_share(&all[parent], all[i]);
      spans[parent] += spans[i];
    }
  }
  free(all);
  free(spans);
}

/* Returns the call site of context number I, or that of the nearest one around it that is shown; NULL: there is
   none.  */
static struct composed *shown_site_around(const struct composition *of, uint32_t i) {
  for (; i != NO_CONTEXT && of->composed_of[i] != NO_CONTEXT; i = of->samples->contexts[i].parent)
    if (of->composed[of->composed_of[i]].shown)
      return &of->composed[of->composed_of[i]];
  return NULL;
}

/* Decides which call sites are large enough to be shown, and takes what they did from the functions around them.  What
   others did is their callers'.  */
static void take_from_groups(struct composition *of) {
  const struct cilkprof_totals *totals = &of->model->totals;
  for (size_t i = 0; i < of->count; i++)
    of->composed[i].shown = of->composed[i].all.work >= LEAST_SHARE * (double)totals->work ||
                            of->composed[i].all.on_span >= LEAST_SHARE * (double)totals->span;
  for (uint32_t i = 0; i < of->samples->count; i++) {
    struct composed *site = shown_site_around(of, i);
    if (site == NULL)
      continue;
    struct share own = own_share(of, i);
    add_share(&of->groups[of->anchors[i]].taken, own);
    if (site != &of->composed[of->composed_of[i]])
      add_share(&site->own, own);
  }
}

/* Returns VALUE without the PART of it that was taken.  */
static uint64_t rest(uint64_t value, double part) {
  double left = (double)value * (1 - (part < 1 ? part : 1));
  return left < (double)value ? (uint64_t)left : value;
}

/* Takes what functions without events did from the local values of the exact sites.  */
static void reduce_exact_sites(struct composition *of) {
  for (size_t i = 0; i < of->model->site_count; i++) {
    struct site *site = &of->model->sites[i];
    if (site->unreached || site->callee == NULL)
      continue;
    const struct group *group = &of->groups[function_of_strands(of, site)->number];
    struct cilkprof_measure *work = &site->measured->on_work.local, *span = &site->measured->on_span.local;
    double of_work = ratio(group->taken.work, group->exact.work),
           of_span = ratio(group->taken.on_span, group->exact.on_span);
    work->work = rest(work->work, of_work);
    work->span = rest(work->span, of_work);
    work->burdened_span = rest(work->burdened_span, of_work);
    span->work = rest(span->work, of_span);
    span->span = rest(span->span, of_span);
    span->burdened_span = rest(span->burdened_span, of_span);
  }
}

/* Returns a measure of so much WORK and SPAN, of one invocation, as how many there were is not known.  */
struct cilkprof_measure composed_measure(double work, double span) {
  return (struct cilkprof_measure){.count = 1,
                                   .work = (uint64_t)work,
                                   .span = (uint64_t)(span < work ? span : work),
                                   .burdened_span = (uint64_t)(span < work ? span : work)};
}

/* Returns the interned name of FILE, as debugging information has it, the way the compiler was given it: relative to
   the folder in which it ran, if it is there.  */
static const char *file_as_compiled(struct functions *functions, const char *file) {
  if (file == NULL)
    return "";
  for (size_t i = 0; i < functions->folders.count; i++) {
    size_t length = strlen(functions->folders.strings[i]);
    if (strncmp(file, functions->folders.strings[i], length) == 0 && file[length] == '/')
      return interned_name_text(&functions->names, file + length + 1);
  }
  return interned_name_text(&functions->names, file);
}

/* Adds COMPOSED to the call sites of the model.  */
static void add_composed_site(struct composition *of, const struct composed *composed) {
  const struct sample_context *context = composed->context;
  struct function *caller = of->functions[of->samples->contexts[context->parent].function->number];
  struct composed_values *values = allocate(1, sizeof *values);
  struct cilkprof_site *measured = &values->measured;
  double parallelism = ratio(composed->all.work, composed->span);
  measured->callee_object = CILKPROF_NO_OBJECT;
  values->estimate.error = (uint64_t)sqrt(composed->variance);
  measured->on_work.local = composed_measure(composed->own.work, composed->own.work);
  measured->on_work.top_call_site = composed_measure(composed->all.work, composed->span);
  measured->on_span.local = composed_measure(composed->own.on_span, composed->own.on_span);
  measured->on_span.top_call_site =
      composed_measure(composed->all.on_span * (parallelism > 1 ? parallelism : 1), composed->all.on_span);
  if (composed->own.on_span == 0 && composed->all.on_span == 0)
    measured->on_span = (struct cilkprof_measures){0};
  measured->on_work.top_caller = measured->on_work.top_call_site;
  measured->on_span.top_caller = measured->on_span.top_call_site;
  model_add_site(of->model, &(struct site){
                                .file = file_as_compiled(&of->model->functions, context->file),
                                .line = context->line,
                                .kind = CILKPROF_SITE_CALL,
                                .sampled = true,
                                .loop = serial_loop_line(of, caller, context->file, context->line),
                                .caller = caller,
                                .callee = of->functions[context->function->number],
                                .measured = measured,
                                .estimate = &values->estimate,
                            });
}

/* Notes the line of every function that has most of its span, if any of it is on the span.  */
static void find_hot_lines(struct composition *of) {
  uint64_t *most = allocate(of->model->functions.count, sizeof *most);
  for (size_t i = 0; i < of->samples->line_count; i++) {
    const struct sample_line *line = &of->samples->lines[i];
    struct function *function = of->functions[line->function->number];
    if (line->own.on_span <= most[function->number] || is_system_source_file(line->file))
      continue;
    most[function->number] = line->own.on_span;
    function->hot_file = line->file;
    function->hot_line = line->line;
  }
  free(most);
}

/* Returns SYMBOL without what GCC adds to it for the body of an OpenMP construct, which is a part of the function that
   it was written in.  Allocated.  */
static char *symbol_of_source(const char *symbol) {
  const char *body = strstr(symbol, "._omp_fn.");
  return format_string("%.*s", (int)(body != NULL ? (size_t)(body - symbol) : strlen(symbol)), symbol);
}

/* Finds the constructs of a watched program of which samples have the bodies.  */
static void find_watched_constructs(struct composition *of) {
  for (size_t i = 0; i < of->samples->count; i++) {
    const struct sample_context *context = &of->samples->contexts[i];
    struct function *construct = context->construct ? construct_of_context(of->model, context) : NULL;
    if (construct != NULL)
      of->functions[context->function->number] = construct;
  }
}

void compose_calls_without_events(struct model *model, const struct samples *samples) {
  if (samples == NULL)
    return;
  struct composition of = {
      .model = model,
      .samples = samples,
      .functions = allocate(samples->functions.count, sizeof *of.functions),
      .anchors = allocate(samples->count, sizeof *of.anchors),
      .composed_of = allocate(samples->count, sizeof *of.composed_of),
  };
  for (size_t i = 0; i < samples->functions.count; i++) {
    const struct function *function = samples->functions.list[i];
    char *symbol = symbol_of_source(function->symbol);
    of.functions[i] = function_of_debug_symbol(&model->functions, symbol, function->unit);
    free(symbol);
  }
  if (model->program.mode == CILKPROF_MODE_WATCHED)
    find_watched_constructs(&of);
  for (uint32_t i = 0; i < samples->count; i++)
    if (!samples->contexts[i].foreign)
      of.functions[samples->contexts[i].function->number]->foreign = false;
  of.groups = allocate(model->functions.count, sizeof *of.groups);
  of.constructs = allocate(model->site_count, sizeof *of.constructs);
  add_up_exact_sites(&of);
  add_up_samples_of_groups(&of);
  for (uint32_t i = 0; i < samples->count; i++)
    of.composed_of[i] = is_composed(&of, i) ? composed_site(&of, &samples->contexts[i]) : NO_CONTEXT;
  add_up_calls_with_events(&of);
  add_up_composed_sites(&of);
  take_from_groups(&of);
  take_loops_from_groups(&of);
  reduce_exact_sites(&of);
  find_hot_lines(&of);
  for (size_t i = 0; i < of.count; i++)
    if (of.composed[i].shown)
      add_composed_site(&of, &of.composed[i]);
  add_loops(&of);
  free(of.functions);
  free(of.loops);
  free(of.groups);
  free(of.constructs);
  free(of.anchors);
  free(of.composed_of);
  free(of.composed);
  free(of.entered);
  hash_table_free(&of.composed_table);
  hash_table_free(&of.entered_table);
}
