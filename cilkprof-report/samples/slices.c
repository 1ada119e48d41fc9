/* Makes slices of time from the transitions of threads: in each of them a thread did the same.
   SPDX-License-Identifier: GPL-3.0-or-later

   A thread that works has levels: the task that it runs on top of another task or region, and so on.  A slice has the
   name of the topmost level that has one.  At the lowest level the names are those of functions, which samples
   found.  */

#include <stdlib.h>
#include "cilkprof-report/samples/slices.h"
#include "cilkprof-report/support/support.h"

/* The code of a transition, or the context of a sample.  */
struct moment_place {
  const struct function *function; /* NULL: unknown */
  struct line_place at;
  uint32_t context; /* of a sample */
};

/* The transitions of all threads, and their places.  */
struct sample_moments {
  const struct cilkprof_transitions *threads;
  size_t count;
  struct moment_place **places; /* for each thread, one for each transition */
};

/* Returns what a thread in STATE does, in a word, as viewers of the timeline show it.  */
const char *sample_state_name(enum cilkprof_thread_state state) {
  static const char *const names[CILKPROF_THREAD_STATES] = {"working", "idle", "waiting", "lock", "ended"};
  return names[state];
}

/* Returns the source location and the function of the code of TRANSITION.  */
static struct moment_place sample_transition_place(const struct object_frames *frames,
                                                   const struct cilkprof_transition *transition) {
  struct frame_list list = sample_frames_of_transition(frames, transition);
  struct moment_place place = {.context = NO_CONTEXT};
  for (size_t i = 0; i < list.count; i++) {
    const struct frame *frame = &list.frames[i];
    if (frame->kind != FRAME_USER && frame->kind != FRAME_OUTLINED)
      continue;
    place.function = frame->function;
    place.at = frame->at.file != NULL ? frame->at : frame->defined;
  }
  return place;
}

struct sample_moments *find_sample_moments(struct samples *samples, const struct cilkprof_profile *profile,
                                           const struct object_frames *frames, const uint32_t *contexts) {
  if (profile->thread_count == 0)
    return NULL;
  struct sample_moments *moments = allocate(1, sizeof *moments);
  moments->threads = profile->threads;
  moments->count = profile->thread_count;
  moments->places = allocate(profile->thread_count, sizeof *moments->places);
  for (size_t i = 0; i < profile->thread_count; i++) {
    const struct cilkprof_transitions *thread = &profile->threads[i];
    struct moment_place *places = moments->places[i] = allocate(thread->count, sizeof *places);
    for (uint64_t k = 0; k < thread->count; k++) {
      places[k] = sample_transition_place(frames, &thread->list[k]);
      if (places[k].at.file != NULL)
        places[k].at.file = interned_name_text(&samples->functions.names, places[k].at.file);
      if (thread->list[k].kind == CILKPROF_TRANSITION_PATH)
        places[k].context = contexts[thread->list[k].address];
    }
  }
  return moments;
}

/* Returns the context in which the program divides into its parts: the outermost one of which no callee, that is not
   itself parallel, has nearly all of the effort.  NO_CONTEXT if there is none.  */
static uint32_t find_sample_fork(const struct samples *samples) {
  static const double NEARLY = 0.95;
  const struct sample_context *contexts = samples->contexts;
  uint32_t at = samples->first, next = at;
  while (next != NO_CONTEXT) {
    at = next;
    next = contexts[at].first_child;
    if (next != NO_CONTEXT &&
        (contexts[next].foreign || contexts[next].spawned || contexts[next].first_child == NO_CONTEXT ||
         (double)sample_waste_effort(&contexts[next].all) < NEARLY * (double)sample_waste_effort(&contexts[at].all)))
      next = NO_CONTEXT;
  }
  return at;
}

/* Returns the name of the part of the program to which CONTEXT belongs: the function that the code at FORK calls; the
   outermost one if CONTEXT is elsewhere, and that of CONTEXT if it is above.  NULL if there is no context.  */
static const char *sample_part_name(const struct samples *samples, uint32_t context, uint32_t fork) {
  uint32_t part = context, at = context;
  for (; at != NO_CONTEXT && at != fork; at = samples->contexts[at].parent)
    part = at;
  for (uint32_t above = fork; at == NO_CONTEXT && above != NO_CONTEXT; above = samples->contexts[above].parent)
    if (above == context)
      part = context;
  return part != NO_CONTEXT ? samples->contexts[part].function->brief_name : NULL;
}

/* A level of what a thread does.  */
struct level {
  enum {
    LEVEL_PROGRAM, /* what is not in a task or region, or not known to be */
    LEVEL_SHARE,   /* the thread's part of regions that others begin */
    LEVEL_REGION,  /* a region that it began */
    LEVEL_TASK
  } kind;
  const char *name;
  uint64_t began_ns; /* of a region */
};

/* The state while the transitions of a thread become slices.  */
struct slicing {
  struct samples *samples;
  struct sample_thread *thread;
  struct names names;
  uint32_t fork;
  struct level *levels; /* the first is the program */
  size_t depth, room;
  uint64_t since_ns;
  enum cilkprof_thread_state state;
  uint32_t creator;
  bool started;
};

/* Returns the name of the task or region at PLACE, as tables show it; NULL if nothing is known of it.  */
static const char *sample_code_name(struct slicing *slicing, const struct moment_place *place, bool is_task) {
  bool openmp = slicing->samples->sampling.sampled == CILKPROF_SAMPLED_OPENMP;
  const char *what = openmp                    ? (is_task ? "task" : "parallel")
                     : place->function != NULL ? place->function->brief_name
                                               : "cilk_for";
  if (place->at.file == NULL)
    return place->function != NULL ? place->function->brief_name : NULL;
  char *file = escape(base_name(place->at.file)), *text = format_string("%s %s:%u", what, file, place->at.line);
  const char *name = interned_name_text(&slicing->names, text);
  free(text);
  free(file);
  return name;
}

/* Returns the name of what the thread works at: that of its topmost level with a name.  NULL if there is none.  */
static const char *sliced_name(const struct slicing *slicing) {
  for (size_t i = slicing->depth; i-- > 0;)
    if (slicing->levels[i].name != NULL)
      return slicing->levels[i].name;
  return NULL;
}

/* Ends the slice that is open, at END, and adds it to those of the thread.  Slices that nothing tells apart are
   one.  */
static void end_sample_slice(struct slicing *slicing, uint64_t end) {
  struct sample_thread *thread = slicing->thread;
  struct sample_slice slice = {
      .begin_ns = slicing->since_ns, .end_ns = end, .state = slicing->state, .creator = slicing->creator};
  if (slice.state == CILKPROF_THREAD_WORKS || slice.state == CILKPROF_THREAD_LOCKED)
    slice.name = sliced_name(slicing);
  slicing->since_ns = end;
  if (!slicing->started || slice.state == CILKPROF_THREAD_ENDED || slice.begin_ns == slice.end_ns)
    return;
  slicing->creator = CILKPROF_NO_THREAD;
  struct sample_slice *last = thread->count > 0 ? &thread->slices[thread->count - 1] : NULL;
  if (last != NULL && last->end_ns == slice.begin_ns && last->state == slice.state && last->name == slice.name &&
      slice.creator == CILKPROF_NO_THREAD) {
    last->end_ns = slice.end_ns;
    return;
  }
  thread->slices = grow_array(thread->slices, thread->count, &thread->room, sizeof *thread->slices);
  thread->slices[thread->count++] = slice;
}

/* Adds a LEVEL of what the thread does.  */
static void add_slicing_level(struct slicing *slicing, struct level level) {
  slicing->levels = grow_array(slicing->levels, slicing->depth, &slicing->room, sizeof *slicing->levels);
  slicing->levels[slicing->depth++] = level;
}

/* Ends the topmost level that is of KIND, with those above it, at the time NOW.  A region that ends is added to those
   of the thread.  There is no such level if its beginning was dropped.  */
static void end_slicing_level(struct slicing *slicing, int kind, uint64_t now) {
  size_t at = slicing->depth;
  while (at > 1 && (int)slicing->levels[at - 1].kind != kind)
    at--;
  if (at <= 1) {
    if (kind == LEVEL_REGION)
      slicing->levels[0] = (struct level){.kind = LEVEL_PROGRAM};
    return;
  }
  struct sample_thread *thread = slicing->thread;
  struct level level = slicing->levels[at - 1];
  slicing->depth = at - 1;
  if (kind != LEVEL_REGION)
    return;
  thread->regions = grow_array(thread->regions, thread->region_count, &thread->region_room, sizeof *thread->regions);
  thread->regions[thread->region_count++] = (struct sample_region){level.began_ns, now, level.name};
}

/* Changes what the thread does by TRANSITION, which is at PLACE, after the slice before it has ended.  */
static void follow_sample_transition(struct slicing *slicing, const struct cilkprof_transition *transition,
                                     const struct moment_place *place) {
  struct level *top = &slicing->levels[slicing->depth - 1];
  switch (transition->kind) {
  case CILKPROF_TRANSITION_STATE:
    if (transition->object == CILKPROF_NO_OBJECT || transition->state != CILKPROF_THREAD_WORKS)
      break;
    top->name = sample_code_name(slicing, place, false);
    if (top->kind == LEVEL_PROGRAM)
      top->kind = LEVEL_SHARE;
    break;
  case CILKPROF_TRANSITION_TASK:
    slicing->creator = transition->thread;
    add_slicing_level(slicing, (struct level){LEVEL_TASK, sample_code_name(slicing, place, true), 0});
    break;
  case CILKPROF_TRANSITION_DONE:
    end_slicing_level(slicing, LEVEL_TASK, transition->time_ns);
    break;
  case CILKPROF_TRANSITION_REGION:
    add_slicing_level(slicing,
                      (struct level){LEVEL_REGION, sample_code_name(slicing, place, false), transition->time_ns});
    break;
  case CILKPROF_TRANSITION_JOINED:
    end_slicing_level(slicing, LEVEL_REGION, transition->time_ns);
    break;
  default:
    if (top->kind == LEVEL_PROGRAM)
      top->name = sample_part_name(slicing->samples, place->context, slicing->fork);
  }
  slicing->state = transition->state;
  slicing->started = true;
}

/* Returns whether TRANSITION, at PLACE, ends the slice before it.  The first sample after a change tells what the
   thread has done since then.  */
static bool is_sample_slice_ended(const struct slicing *slicing, const struct cilkprof_transition *transition,
                                  const struct moment_place *place) {
  if (transition->kind != CILKPROF_TRANSITION_PATH)
    return true;
  const struct level *top = &slicing->levels[slicing->depth - 1];
  return slicing->state != CILKPROF_THREAD_WORKS ||
         (top->kind == LEVEL_PROGRAM && top->name != NULL &&
          top->name != sample_part_name(slicing->samples, place->context, slicing->fork));
}

/* Makes the slices of thread number I of SLICING->samples from its transitions.  */
static void make_sample_thread(struct slicing *slicing, size_t i) {
  const struct sample_moments *moments = slicing->samples->moments;
  const struct cilkprof_transitions *of = &moments->threads[i];
  slicing->thread = &slicing->samples->threads[i];
  slicing->thread->dropped = of->dropped;
  slicing->depth = slicing->since_ns = 0;
  slicing->state = CILKPROF_THREAD_ENDED;
  slicing->creator = CILKPROF_NO_THREAD;
  slicing->started = false;
  add_slicing_level(slicing, (struct level){.kind = LEVEL_PROGRAM});
  for (uint64_t k = 0; k < of->count; k++) {
    if (is_sample_slice_ended(slicing, &of->list[k], &moments->places[i][k]))
      end_sample_slice(slicing, of->list[k].time_ns);
    follow_sample_transition(slicing, &of->list[k], &moments->places[i][k]);
  }
  if (slicing->samples->sampling.elapsed_ns > slicing->since_ns)
    end_sample_slice(slicing, slicing->samples->sampling.elapsed_ns);
}

/* Returns the end of a region that ends in SLICE, of a thread other than that which began the region; 0 if there is
   none.  */
static uint64_t region_end_in_sample_slice(const struct samples *samples, size_t thread,
                                           const struct sample_slice *slice) {
  for (size_t i = 0; i < samples->thread_count; i++)
    for (size_t low = 0, high = i != thread ? samples->threads[i].region_count : 0; low < high;) {
      size_t middle = low + (high - low) / 2;
      uint64_t end = samples->threads[i].regions[middle].end_ns;
      if (end > slice->begin_ns && end < slice->end_ns)
        return end;
      if (end <= slice->begin_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return 0;
}

/* Divides the time that the threads of OpenMP wait at the end of a region: when the region has ended, they are idle.
   The runtime does not tell them apart, as a thread leaves the barrier only when the next region begins.  */
static void divide_sample_waits(struct samples *samples) {
  for (size_t i = 0; i < samples->thread_count; i++) {
    struct sample_thread *thread = &samples->threads[i], divided = *thread;
    divided.slices = NULL;
    divided.count = divided.room = 0;
    for (size_t k = 0; k < thread->count; k++) {
      struct sample_slice slice = thread->slices[k];
      uint64_t end = slice.state == CILKPROF_THREAD_WAITS ? region_end_in_sample_slice(samples, i, &slice) : 0;
      divided.slices = grow_array(divided.slices, divided.count, &divided.room, sizeof *divided.slices);
      divided.slices[divided.count++] = slice;
      if (end == 0)
        continue;
      divided.slices[divided.count - 1].end_ns = end;
      slice.begin_ns = end;
      slice.state = CILKPROF_THREAD_IDLE;
      divided.slices = grow_array(divided.slices, divided.count, &divided.room, sizeof *divided.slices);
      divided.slices[divided.count++] = slice;
    }
    free(thread->slices);
    *thread = divided;
  }
}

void make_sample_slices(struct samples *samples) {
  struct slicing slicing = {.samples = samples, .fork = find_sample_fork(samples)};
  samples->thread_count = samples->moments->count;
  samples->threads = allocate(samples->thread_count, sizeof *samples->threads);
  for (size_t i = 0; i < samples->thread_count; i++)
    make_sample_thread(&slicing, i);
  free(slicing.levels);
  if (samples->sampling.sampled == CILKPROF_SAMPLED_OPENMP)
    divide_sample_waits(samples);
}
