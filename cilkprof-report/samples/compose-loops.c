/* Loops in composed profiles: to which strands of a function its lines belong, and its serial loops.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/objects/objects.h"
#include "cilkprof-report/samples/composition.h"
#include "cilkprof-report/support/support.h"

/* Returns the construct of a watched program whose body, the function that the compiler made of it, has the symbol
   BODY; NULL if that has no samples.  */
static const struct function *construct_with_body(const struct composition *of, const char *body) {
  for (size_t i = 0; i < of->samples->functions.count; i++) {
    const char *symbol = of->samples->functions.list[i]->body;
    if (symbol != NULL && strcmp(symbol, body) == 0)
      return of->functions[i];
  }
  return NULL;
}

/* Returns whether CONTEXT is the body of the construct of a watched program at SITE, or is called there.  */
static bool is_of_construct(const struct sample_context *context, const struct site *site) {
  const char *body = context->function->body;
  if (site->is_body)
    return body != NULL && site->body != NULL && strcmp(site->body, body) == 0;
  return context->file != NULL && site->line == context->line &&
         strcmp(base_name(site->file), base_name(context->file)) == 0;
}

struct function *construct_of_context(const struct model *model, const struct sample_context *context) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (!site->divided && site->callee->construct != NULL && is_of_construct(context, site))
      return site->together != NULL ? site->together : site->callee;
  }
  return NULL;
}

const struct function *function_of_strands(const struct composition *of, const struct site *site) {
  if (site->together != NULL)
    return site->together;
  if (of->model->program.mode == CILKPROF_MODE_WATCHED) {
    const struct function *around = site->divided && site->body != NULL ? construct_with_body(of, site->body) : NULL;
    return around != NULL ? around : site->callee;
  }
  const struct function *caller = site->callee->construct != NULL ? site->caller : NULL;
  if (caller == NULL)
    return site->callee;
  struct source_place place = {caller->symbol, site->file, site->line};
  const struct source_loop *loop = NULL;
  while ((loop = next_source_loop_around(&of->model->source_loops, &place, loop)) != NULL)
    if (loop->forks && loop->line == site->line)
      return site->callee;
  return caller;
}

/* Returns the parallel loop of CALLER that begins where LOOP does, and has events; NULL: LOOP is not one.  */
static const struct function *construct_of_loop(const struct composition *of, const struct function *caller,
                                                const struct source_loop *loop) {
  for (size_t i = 0; i < of->construct_count; i++) {
    const struct site *site = &of->model->sites[of->constructs[i]];
    if (site->caller == caller && site->line == loop->line && strcmp(base_name(site->file), base_name(loop->file)) == 0)
      return site->callee;
  }
  return NULL;
}

const struct function *strands_at(const struct composition *of, const struct function *caller, const char *file,
                                  uint32_t line) {
  struct source_place place = {caller->symbol, file, line};
  const struct function *found = caller;
  const struct source_loop *loop = NULL;
  while ((loop = next_source_loop_around(&of->model->source_loops, &place, loop)) != NULL) {
    const struct function *construct = loop->forks ? construct_of_loop(of, caller, loop) : NULL;
    found = construct != NULL ? construct : found;
  }
  return found;
}

void move_samples_to_constructs(struct composition *of) {
  for (size_t i = 0; i < of->samples->line_count; i++) {
    const struct sample_line *line = &of->samples->lines[i];
    const struct function *function = of->functions[line->function->number];
    struct group *group = &of->groups[function->number];
    const struct function *strands = group->has_events ? strands_at(of, function, line->file, line->line) : function;
    struct share own = share_of_waste(&line->inside);
    if (strands == function)
      continue;
    add_share(&of->groups[strands->number].samples, own);
    group->samples.work -= fmin(own.work, group->samples.work);
    group->samples.on_span -= fmin(own.on_span, group->samples.on_span);
  }
}

/* Returns the outermost loop around LINE, whose code is FUNCTION's, in which nothing forks; NULL if it is in none, or
   in a parallel loop.  */
static const struct source_loop *outermost_serial_loop(const struct composition *of, const struct function *function,
                                                       const struct sample_line *line) {
  struct source_place place = {function->symbol, line->file, line->line};
  const struct source_loop *loop = NULL;
  while ((loop = next_source_loop_around(&of->model->source_loops, &place, loop)) != NULL)
    if (!loop->forks || construct_of_loop(of, function, loop) != NULL)
      return loop->forks ? NULL : loop;
  return NULL;
}

/* Returns LINE as text, as the compiler names the loop around a call.  */
static const char *loop_line_text(const struct composition *of, uint32_t line) {
  char *text = format_string("%u", line);
  const char *kept = interned_name_text(&of->model->functions.names, text);
  free(text);
  return kept;
}

const char *serial_loop_line(const struct composition *of, const struct function *caller, const char *file,
                             uint32_t line) {
  struct source_place place = {caller->symbol, file, line};
  const struct source_loop *innermost = NULL, *loop = NULL;
  while ((loop = next_source_loop_around(&of->model->source_loops, &place, loop)) != NULL)
    innermost = loop;
  return innermost != NULL && !innermost->forks ? loop_line_text(of, innermost->line) : NULL;
}

/* Adds up the samples of the code of serial loops in functions with events.  */
static void add_up_samples_of_loops(struct composition *of) {
  for (size_t i = 0; i < of->samples->line_count; i++) {
    const struct sample_line *line = &of->samples->lines[i];
    struct function *function = of->functions[line->function->number];
    const struct source_loop *loop =
        of->groups[function->number].has_events ? outermost_serial_loop(of, function, line) : NULL;
    if (loop == NULL)
      continue;
    struct loop_samples *sum = &of->loops[loop - of->model->source_loops.list];
    sum->function = function;
    sum->count += line->inside_samples;
    add_share(&sum->samples, share_of_waste(&line->inside));
  }
}

void take_loops_from_groups(struct composition *of) {
  const struct cilkprof_totals *totals = &of->model->totals;
  of->loops = allocate(of->model->source_loops.count, sizeof *of->loops);
  add_up_samples_of_loops(of);
  for (size_t i = 0; i < of->model->source_loops.count; i++) {
    struct loop_samples *loop = &of->loops[i];
    if (loop->function == NULL)
      continue;
    struct group *group = &of->groups[loop->function->number];
    loop->own = (struct share){ratio(loop->samples.work * group->exact.work, group->samples.work),
                               ratio(loop->samples.on_span * group->exact.on_span, group->samples.on_span)};
    if (loop->own.work < LEAST_SHARE * (double)totals->work && loop->own.on_span < LEAST_SHARE * (double)totals->span)
      loop->function = NULL;
    else
      add_share(&group->taken, loop->own);
  }
}

/* Returns the standard error of the work of LOOP.  */
static double loop_error(const struct composition *of, const struct loop_samples *loop) {
  double part = fmin(1, ratio(loop->own.work, of->groups[loop->function->number].exact.work));
  return loop->count > 0 ? loop->own.work * sqrt((1 - part) / (double)loop->count) : 0;
}

/* Returns the function that stands for LOOP, which CALLER runs.  */
static struct function *function_of_source_loop(struct functions *functions, const struct function *caller,
                                                const struct source_loop *loop) {
  struct description description = {
      .caller = caller->symbol,
      .callee = "",
      .unit = caller->unit != NULL ? caller->unit : "",
      .file = loop->file,
      .line = loop->line,
  };
  return function_of_serial_loop(functions, &description);
}

/* Adds the site of the loop with NUMBER, which did what LOOP says.  */
static void add_loop(struct composition *of, size_t number, const struct loop_samples *loop) {
  const struct source_loop *source = &of->model->source_loops.list[number];
  struct composed_values *values = allocate(1, sizeof *values);
  struct cilkprof_site *measured = &values->measured;
  measured->callee_object = CILKPROF_NO_OBJECT;
  measured->on_work.local = composed_measure(loop->own.work, loop->own.work);
  if (loop->own.on_span > 0)
    measured->on_span.local = composed_measure(loop->own.on_span, loop->own.on_span);
  measured->on_work.top_call_site = measured->on_work.top_caller = measured->on_work.local;
  measured->on_span.top_call_site = measured->on_span.top_caller = measured->on_span.local;
  values->estimate.error = (uint64_t)loop_error(of, loop);
  model_add_site(of->model, &(struct site){
                                .file = source->file,
                                .line = source->line,
                                .kind = CILKPROF_SITE_SERIAL_LOOP,
                                .sampled = true,
                                .loop = loop_line_text(of, source->line),
                                .caller = loop->function,
                                .callee = function_of_source_loop(&of->model->functions, loop->function, source),
                                .measured = measured,
                                .estimate = &values->estimate,
                            });
}

void add_loops(struct composition *of) {
  for (size_t i = 0; i < of->model->source_loops.count; i++)
    if (of->loops[i].function != NULL)
      add_loop(of, i, &of->loops[i]);
}
