/* Builds calling contexts from sampled stacks: removes the runtime, and decides of which kind each time is.
   SPDX-License-Identifier: GPL-3.0-or-later

   The parallel runtime, code that the compiler inserted for it, and libraries that these call are not shown: their time
   is overhead of the function above.  If the runtime calls user code again, the time of that is work.  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/samples/tree.h"
#include "cilkprof-report/support/support.h"

/* State of the walk along a stack, from the outermost frame inwards.  */
struct reached {
  uint32_t context;          /* innermost context that is shown; NO_CONTEXT: none yet */
  struct line_place at;      /* current source location in the function of CONTEXT */
  struct line_place user_at; /* innermost source location that is not in a system header */
  enum frame_kind nearest;   /* kind of the innermost frame that is not in a library: it determines the kind of time */
  bool started;              /* a frame that is not in a library was seen */
  bool outermost;            /* no frame was seen: the next one is the start of the program or of a thread */
  bool in_loop;              /* the runtime runs a loop below the function of CONTEXT */
  bool in_runtime;           /* the runtime or code for it was seen below CONTEXT: it runs what follows */
  uint64_t beginning;   /* CILKPROF_STACK_UNKNOWN or CILKPROF_STACK_ORPHAN if the outer part is unknown, or else 0 */
  enum frame_kind last; /* kind of the innermost frame */
  const char *symbol;   /* symbol of the innermost frame */
  struct function *function; /* function of the innermost frame, or NULL */
};

/* Callback of hash_table_find: returns whether two contexts of samples have the same path.  */
static bool is_same_sample_context(const void *array, size_t place, const void *key) {
  const struct sample_context *a = (const struct sample_context *)array + place, *b = key;
  return a->parent == b->parent && a->function == b->function && a->file == b->file && a->line == b->line;
}

/* Returns the number of the context of SAMPLES with the path of CONTEXT, and adds it if there is none.  */
static uint32_t add_sample_context(struct samples *samples, const struct sample_context *context) {
  uint64_t hash = hash_add(hash_add(0, (uint64_t)context->parent << 32 | context->line), (uintptr_t)context->function);
  hash = hash_add(hash, (uintptr_t)context->file);
  size_t place =
      hash_table_find(&samples->table, hash, is_same_sample_context, samples->contexts, context, samples->count);
  if (place == samples->count) {
    if (place == NO_CONTEXT)
      fail("profiles", "the profiles have too many calling contexts");
    samples->contexts = grow_array(samples->contexts, samples->count, &samples->room, sizeof *samples->contexts);
    samples->contexts[samples->count++] = *context;
  }
  return (uint32_t)place;
}

/* Returns the outermost context of FUNCTION among CONTEXT and those above it; NO_CONTEXT if there is none.  */
static uint32_t find_sample_context_above(const struct samples *samples, uint32_t context,
                                          const struct function *function) {
  uint32_t found = NO_CONTEXT;
  for (; context != NO_CONTEXT; context = samples->contexts[context].parent)
    if (samples->contexts[context].function == function)
      found = context;
  return found;
}

/* Returns whether SYMBOL is a function that waits for a lock.  */
static bool is_lock_sample_symbol(const char *symbol) {
  static const char *const names[] = {"pthread_mutex_lock",       "pthread_spin_lock",      "pthread_rwlock_rdlock",
                                      "pthread_rwlock_wrlock",    "__lll_lock_wait",        "sem_wait",
                                      "pthread_rwlock_timedlock", "pthread_mutex_timedlock"};
  while (symbol[0] == '_' && strncmp(symbol, "__lll", 5) != 0)
    symbol++;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(symbol, names[i], strlen(names[i])) == 0)
      return true;
  return strncmp(symbol, "new_sem_wait", strlen("new_sem_wait")) == 0;
}

/* Makes the context of FUNCTION, called from the current context of REACHED, the current one.  If FOLD, a context of
   FUNCTION above is taken instead, so that recursion is folded.  KIND is that of the frame.  */
static void enter_sample_context(struct samples *samples, struct reached *reached, struct function *function,
                                 enum frame_kind kind, bool fold) {
  uint32_t above = fold ? find_sample_context_above(samples, reached->context, function) : NO_CONTEXT;
  struct sample_context context = {
      .parent = reached->context,
      .function = function,
      .file = reached->at.file != NULL ? interned_name_text(&samples->functions.names, reached->at.file) : NULL,
      .line = reached->at.line,
  };
  reached->context = above != NO_CONTEXT ? above : add_sample_context(samples, &context);
  struct sample_context *entered = &samples->contexts[reached->context];
  entered->foreign |= kind == FRAME_LIBRARY || (reached->symbol != NULL && is_lock_sample_symbol(reached->symbol));
  entered->construct |= kind == FRAME_OUTLINED;
  entered->spawned |= kind == FRAME_OUTLINED || (kind == FRAME_USER && reached->in_runtime);
  reached->in_loop = reached->in_runtime = false;
}

/* Returns the function under which the sampled time of outlined code, in FRAME, is shown.  A cilk_for and a region or
   task of OpenMP are functions of their own, identified by their source locations.  Other blocks belong to the function
   around them.  */
static struct function *outlined_sample_function(struct samples *samples, const struct reached *reached,
                                                 const struct frame *frame) {
  struct functions *functions = &samples->functions;
  const struct line_place *at = frame->defined.file != NULL ? &frame->defined : &frame->at;
  int length = (int)(strchrnul(frame->symbol + (frame->symbol[0] != 0), '.') - frame->symbol);
  char *parent = format_string("%.*s", length, frame->symbol);
  struct function *function;
  if (samples->sampling.sampled == CILKPROF_SAMPLED_CILK && reached->in_loop && at->file != NULL) {
    struct description description = {.caller = parent, .unit = "", .file = at->file, .line = at->line};
    function = function_of_loop(functions, &description);
  } else if (samples->sampling.sampled == CILKPROF_SAMPLED_OPENMP && at->file != NULL) {
    bool is_task = find_interned_name(&samples->tasks, frame->symbol) != NULL;
    char *file = escape(base_name(at->file));
    char *name = format_string("%s %s:%u", is_task ? "task" : "parallel", file, at->line);
    function = function_of_symbol(functions, name, NULL);
    function->body = interned_name_text(&functions->names, frame->symbol);
    free(name);
    free(file);
  } else {
    bool above = reached->context != NO_CONTEXT;
    function = above ? samples->contexts[reached->context].function : function_of_symbol(functions, parent, NULL);
  }
  free(parent);
  if (function->place.file == NULL && at->file != NULL) {
    function->place.file = at->file;
    function->place.line = at->line;
  }
  return function;
}

/* Advances REACHED, the walk along a sampled stack, by FRAME, the next one inwards, and adds a context if the frame is
   shown.  If FOLD, recursion is folded.  */
static void enter_sample_frame(struct samples *samples, struct reached *reached, const struct frame *frame, bool fold) {
  if (frame->symbol != NULL && strcmp(frame->symbol, "cilkprof_spawn") == 0)
    return; /* in <cilkprof.h>: inlined where the task is forked */
  bool own = frame->kind == FRAME_USER || frame->kind == FRAME_OUTLINED;
  if (own && frame->at.file != NULL && !is_system_source_file(frame->at.file))
    reached->user_at = frame->at;
  reached->last = frame->kind;
  reached->symbol = frame->symbol;
  reached->function = frame->function;
  if (frame->kind == FRAME_LINKAGE) {
    reached->last = FRAME_LIBRARY;
    return;
  }
  bool outermost = reached->outermost;
  reached->outermost = false;
  if (outermost && frame->kind == FRAME_USER && frame->function->nameless) {
    reached->last = FRAME_LIBRARY; /* _start of a program without symbols */
    return;
  }
  if (frame->kind == FRAME_LIBRARY) {
    if (!reached->started || reached->nearest != FRAME_USER)
      return; /* code that starts a thread, or that the runtime calls */
    enter_sample_context(samples, reached, frame->function, frame->kind, fold);
    reached->at = frame->at;
    return;
  }
  reached->started = true;
  reached->nearest = frame->kind == FRAME_OUTLINED ? FRAME_USER : frame->kind;
  if (frame->kind == FRAME_RUNTIME)
    reached->in_loop |= strstr(frame->symbol, "loop") != NULL || strstr(frame->symbol, "range") != NULL;
  if (frame->kind == FRAME_RUNTIME || frame->kind == FRAME_TAGGED) {
    reached->in_runtime = true;
    return;
  }
  struct function *function =
      frame->kind == FRAME_OUTLINED ? outlined_sample_function(samples, reached, frame) : frame->function;
  bool same = frame->kind == FRAME_OUTLINED && reached->context != NO_CONTEXT &&
              samples->contexts[reached->context].function == function;
  if (!same)
    enter_sample_context(samples, reached, function, frame->kind, fold);
  reached->at = frame->at;
}

/* Returns the kind of time that a thread spent at REACHED, the end of a sampled stack, if it was not idle.  */
static enum waste_kind sample_waste_kind(const struct reached *reached) {
  if (reached->last == FRAME_RUNTIME || reached->last == FRAME_TAGGED)
    return WASTE_OVERHEAD;
  if (reached->last == FRAME_LIBRARY && reached->started && reached->nearest != FRAME_USER)
    return WASTE_OVERHEAD;
  return reached->symbol != NULL && is_lock_sample_symbol(reached->symbol) ? WASTE_WAITING : WASTE_WORK;
}

/* Callback of hash_table_find: returns whether two sampled source lines are the same.  */
static bool is_same_sample_line(const void *array, size_t place, const void *key) {
  const struct sample_line *a = (const struct sample_line *)array + place, *b = key;
  return a->file == b->file && a->line == b->line;
}

/* Returns the function whose line CONTEXT is at: that of a library function is where the program calls it.  */
static struct function *function_of_sample_line(const struct samples *samples, const struct sample_context *context) {
  const struct sample_context *around = context;
  while (around->foreign && around->parent != NO_CONTEXT)
    around = &samples->contexts[around->parent];
  return around->foreign ? context->function : around->function;
}

/* Adds the time WASTE of COUNT samples in CONTEXT to the source line AT in SAMPLES, if the line is known.  */
static void add_sample_line(struct samples *samples, const struct line_place *at, const struct sample_context *context,
                            const struct waste *waste, uint64_t count) {
  if (at->file == NULL || at->line == 0)
    return;
  struct sample_line line = {.file = interned_name_text(&samples->functions.names, at->file),
                             .line = at->line,
                             .function = function_of_sample_line(samples, context)};
  uint64_t hash = hash_add(hash_add(0, (uintptr_t)line.file), line.line);
  size_t place =
      hash_table_find(&samples->line_table, hash, is_same_sample_line, samples->lines, &line, samples->line_count);
  if (place == samples->line_count) {
    samples->lines = grow_array(samples->lines, samples->line_count, &samples->line_room, sizeof *samples->lines);
    samples->lines[samples->line_count++] = line;
  }
  sample_waste_add(&samples->lines[place].own, waste);
  model_add_saturating(&samples->lines[place].samples, count);
  if (context->function == samples->lines[place].function) {
    sample_waste_add(&samples->lines[place].inside, waste);
    model_add_saturating(&samples->lines[place].inside_samples, count);
  }
}

/* Adds the time of STACK, what of it is on the SPAN and what the processor counted there, unless these are NULL, to the
   context and the source line at REACHED.  Time without a function that could be shown is not dropped: it gets a
   context for the runtime or for its library function.  */
static void add_sample_stack(struct samples *samples, struct reached *reached, const struct cilkprof_stack *stack,
                             const struct cilkprof_stack_span *span, const struct cilkprof_counters *counters,
                             bool fold) {
  struct waste waste = {.of = {[WASTE_IDLENESS] = stack->idleness_ns, [WASTE_WAITING] = stack->waiting_ns}};
  model_add_saturating(&waste.of[sample_waste_kind(reached)], stack->work_ns);
  if (stack->samples == 0 && sample_waste_effort(&waste) == 0)
    return;
  if (counters != NULL && sample_waste_kind(reached) == WASTE_WORK) {
    waste.counted[COUNTER_INSTRUCTIONS] = counters->instructions;
    waste.counted[COUNTER_CYCLES] = counters->cycles;
    waste.counted[COUNTER_MISSES] = counters->misses;
    waste.counted[COUNTER_HITM] = counters->hitm;
  }
  if (span != NULL && sample_waste_kind(reached) != WASTE_OVERHEAD) {
    waste.on_span = span->work_ns;
    waste.span_samples = span->samples;
  }
  if (reached->context == NO_CONTEXT) {
    bool runtime = reached->function == NULL || sample_waste_kind(reached) == WASTE_OVERHEAD;
    enter_sample_context(samples, reached,
                         runtime ? function_of_symbol(&samples->functions, "<runtime>", NULL) : reached->function,
                         FRAME_LIBRARY, fold);
  }
  struct sample_context *context = &samples->contexts[reached->context];
  sample_waste_add(&context->own, &waste);
  model_add_saturating(&context->samples, stack->samples);
  add_sample_line(samples, &reached->user_at, context, &waste, stack->samples);
  if (reached->beginning != 0)
    sample_waste_add(reached->beginning == CILKPROF_STACK_ORPHAN ? &samples->orphans : &samples->not_unwound, &waste);
}

/* Returns whether SYMBOL is a runtime function that creates or runs OpenMP tasks.  */
static bool is_task_sample_symbol(const char *symbol) {
  static const char *const names[] = {"GOMP_task", "__kmpc_omp_task", "__kmp_omp_task", "__kmp_execute_tasks"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(symbol, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

/* Finds out which outlined functions in the stacks of PROFILE are OpenMP tasks and which are regions.  A task is known
   because its stack continues where the task was created, or by the runtime function that calls it, if the runtime has
   symbols.  A function that is a task in one stack is a task in all.  */
static void find_sample_tasks(struct samples *samples, const struct cilkprof_profile *profile,
                              const struct object_frames *frames) {
  bool *in_task = allocate(profile->stack_count, sizeof *in_task);
  for (size_t i = 0; i < profile->stack_count; i++) {
    const struct cilkprof_stack *stack = &profile->stacks[i];
    struct frame_list list = sample_frames_of_stack(frames, stack);
    in_task[i] = stack->parent != CILKPROF_NO_CONTEXT && in_task[stack->parent];
    for (size_t k = 0; k < list.count; k++) {
      const struct frame *frame = &list.frames[k];
      if (frame->kind == FRAME_OUTLINED && in_task[i])
        interned_name_text(&samples->tasks, frame->symbol);
      in_task[i] = (frame->kind == FRAME_TAGGED && in_task[i]) ||
                   (frame->kind == FRAME_RUNTIME && (in_task[i] || is_task_sample_symbol(frame->symbol)));
    }
    in_task[i] |= stack->kind == CILKPROF_STACK_SPAWN;
  }
  free(in_task);
}

/* Returns whether STACK of PROFILE ends where a task is forked by hand.  */
static bool is_sample_fork(const struct cilkprof_profile *profile, const struct cilkprof_stack *stack) {
  for (size_t i = 0; stack->kind == CILKPROF_STACK_SPAWN && i < profile->site_count; i++)
    if (profile->sites[i].description == stack->address && profile->sites[i].object == stack->object &&
        cilkprof_construct_of(profile->sites[i].callee) == CILKPROF_CONSTRUCT_FORK)
      return true;
  return false;
}

/* Makes the context of a task that is forked by hand at REACHED the current one.  What it calls is below.  */
static void enter_sample_fork(struct samples *samples, struct reached *reached, bool fold) {
  if (reached->at.file == NULL)
    return;
  char *name = format_string("task %s:%u", base_name(reached->at.file), reached->at.line);
  enter_sample_context(samples, reached, function_of_symbol(&samples->functions, name, NULL), FRAME_OUTLINED, fold);
  free(name);
}

/* Adds the times of the sampled stacks of PROFILE to contexts and lines of SAMPLES.  If FOLD, a function that is below
   itself is merged with the context above.  Returns the context of each stack; NO_CONTEXT if none is shown for it.  */
uint32_t *sample_tree_add(struct samples *samples, const struct cilkprof_profile *profile,
                          const struct object_frames *frames, bool fold) {
  uint32_t *contexts = allocate(profile->stack_count, sizeof *contexts);
  struct reached *reached = allocate(profile->stack_count, sizeof *reached);
  size_t counted = 0, spans = 0;
  find_sample_tasks(samples, profile, frames);
  for (size_t i = 0; i < profile->stack_count; i++) {
    const struct cilkprof_stack *stack = &profile->stacks[i];
    reached[i] = stack->parent == CILKPROF_NO_CONTEXT ? (struct reached){.context = NO_CONTEXT, .outermost = true}
                                                      : reached[stack->parent];
    if (stack->kind >= CILKPROF_STACK_UNKNOWN) {
      const char *name = stack->kind == CILKPROF_STACK_ORPHAN ? "<task of unknown origin>" : "<not unwound>";
      struct function *function = function_of_symbol(&samples->functions, name, NULL);
      enter_sample_context(samples, &reached[i], function, FRAME_LIBRARY, fold);
      reached[i] = (struct reached){
          .context = reached[i].context, .started = true, .beginning = stack->kind, .function = function};
    }
    struct frame_list list = sample_frames_of_stack(frames, stack);
    for (size_t k = 0; k < list.count; k++)
      enter_sample_frame(samples, &reached[i], &list.frames[k], fold);
    if (profile->program.mode == CILKPROF_MODE_WATCHED && is_sample_fork(profile, stack))
      enter_sample_fork(samples, &reached[i], fold);
    reached[i].in_runtime |= stack->kind == CILKPROF_STACK_SPAWN;
    bool has_counters = counted < profile->counters_count && profile->counters[counted].stack == i;
    bool has_span = spans < profile->stack_span_count && profile->stack_spans[spans].stack == i;
    add_sample_stack(samples, &reached[i], stack, has_span ? &profile->stack_spans[spans++] : NULL,
                     has_counters ? &profile->counters[counted++] : NULL, fold);
    contexts[i] = reached[i].context;
  }
  free(reached);
  return contexts;
}

/* Callback of qsort: compares two contexts of samples by effort with callees.  The smallest comes first, because the
   last is linked in front of the others.  */
static int compare_sample_contexts(const void *left, const void *right) {
  const struct sample_context *a = *(const struct sample_context *const *)left,
                              *b = *(const struct sample_context *const *)right;
  uint64_t one = sample_waste_effort(&a->all), other = sample_waste_effort(&b->all);
  return one != other ? one < other ? -1 : 1 : a > b ? -1 : 1; /* the last is linked first */
}

/* Sets NESTED of the contexts of SAMPLES that are below others of the same function.  Walks the tree and counts the
   contexts of each function on the path from the root.  */
static void find_nested_sample_contexts(struct samples *samples) {
  uint32_t *open = allocate(samples->functions.count, sizeof *open);
  struct sample_context *contexts = samples->contexts;
  for (uint32_t at = samples->first; at != NO_CONTEXT;) {
    contexts[at].nested = open[contexts[at].function->number]++ > 0;
    if (contexts[at].first_child != NO_CONTEXT) {
      at = contexts[at].first_child;
      continue;
    }
    open[contexts[at].function->number]--;
    while (contexts[at].next_sibling == NO_CONTEXT && contexts[at].parent != NO_CONTEXT) {
      at = contexts[at].parent;
      open[contexts[at].function->number]--;
    }
    at = contexts[at].next_sibling;
  }
  free(open);
}

/* Computes the time of every context of SAMPLES with its callees, sorts the contexts by it, and finds those that are
   nested.  */
void sample_tree_finish(struct samples *samples) {
  struct sample_context **sorted = allocate(samples->count, sizeof *sorted), *contexts = samples->contexts;
  for (size_t i = 0; i < samples->count; i++) {
    struct sample_context *context = sorted[i] = &contexts[i];
    context->all = context->own;
    context->all_samples = context->samples;
    context->first_child = NO_CONTEXT;
    sample_waste_add(&samples->total, &context->own);
  }
  for (size_t i = samples->count; i-- > 0;)
    if (contexts[i].parent != NO_CONTEXT) {
      sample_waste_add(&contexts[contexts[i].parent].all, &contexts[i].all);
      model_add_saturating(&contexts[contexts[i].parent].all_samples, contexts[i].all_samples);
    }
  if (samples->count > 0)
    qsort(sorted, samples->count, sizeof *sorted, compare_sample_contexts);
  samples->first = NO_CONTEXT;
  for (size_t i = 0; i < samples->count; i++) {
    uint32_t *head = sorted[i]->parent == NO_CONTEXT ? &samples->first : &contexts[sorted[i]->parent].first_child;
    sorted[i]->next_sibling = *head;
    *head = (uint32_t)(sorted[i] - contexts);
  }
  free(sorted);
  find_nested_sample_contexts(samples);
}
