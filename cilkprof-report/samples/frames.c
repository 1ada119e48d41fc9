/* Finds the functions to which the addresses of sampled stacks belong, from symbols and from debugging information
   about inlined functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/samples/frames.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* Returns the address to look up in symbols and debugging information for the sampled STACK.  A return address is
   reduced by one, because the call is before it.  */
static uint64_t sample_lookup_address(const struct cilkprof_stack *stack) {
  return stack->kind == CILKPROF_STACK_EXACT || stack->address == 0 ? stack->address : stack->address - 1;
}

/* Callback of qsort and bsearch: compares two lists of frames by address.  */
static int compare_sample_addresses(const void *left, const void *right) {
  const struct frame_list *a = left, *b = right;
  return a->address < b->address ? -1 : a->address > b->address;
}

/* Returns whether TRANSITION has code, so that there are frames for it.  */
static bool has_sample_transition_code(const struct cilkprof_transition *transition) {
  return transition->kind != CILKPROF_TRANSITION_PATH && transition->object != CILKPROF_NO_OBJECT &&
         transition->address > 0;
}

/* Adds ADDRESS, whose frames are not known yet, to LIST, which has room for *ROOM.  */
static void add_sample_address(struct object_frames *list, size_t *room, uint64_t address) {
  list->lists = grow_array(list->lists, list->count, room, sizeof *list->lists);
  list->lists[list->count++] = (struct frame_list){.address = address};
}

/* Returns the sampled addresses of PROFILE in object number OBJECT, and those of transitions, sorted and without
   duplicates, with no frames yet.  */
static struct object_frames list_sample_addresses(const struct cilkprof_profile *profile, uint32_t object) {
  struct object_frames list = {0};
  size_t room = 0, count = 0;
  for (size_t i = 0; i < profile->stack_count; i++)
    if (profile->stacks[i].object == object)
      add_sample_address(&list, &room, sample_lookup_address(&profile->stacks[i]));
  for (size_t i = 0; i < profile->thread_count; i++)
    for (uint64_t k = 0; k < profile->threads[i].count; k++) {
      const struct cilkprof_transition *transition = &profile->threads[i].list[k];
      if (has_sample_transition_code(transition) && transition->object == object)
        add_sample_address(&list, &room, transition->address - 1);
    }
  if (list.count > 0)
    qsort(list.lists, list.count, sizeof *list.lists, compare_sample_addresses);
  for (size_t i = 0; i < list.count; i++)
    if (i == 0 || list.lists[i].address != list.lists[count - 1].address)
      list.lists[count++] = list.lists[i];
  list.count = count;
  return list;
}

/* Returns whether TEXT, the name of a sampled function or object, begins with BEGINNING.  */
static bool sample_name_begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Returns whether PATH is a library of a parallel runtime.  */
static bool is_sample_runtime_object(const char *path) {
  static const char *const names[] = {"libcilkprof-", "libcilkprof.so", "libomp.so", "libomp-",
                                      "libgomp.so",   "libiomp5.so",    "libtbb.so", "libtbb_debug.so"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (sample_name_begins_with(base_name(path), names[i]))
      return true;
  return false;
}

/* Returns whether SYMBOL is the body of a parallel loop, or a block that is a task, which the compiler made a
   function.  */
static bool is_outlined_sample_symbol(const char *symbol) {
  return strstr(symbol, "._omp_fn.") != NULL || strstr(symbol, "omp_outlined") != NULL;
}

/* Returns whether FILE, a source file from debugging information, is one of oneTBB's headers for tasks and algorithms.
   What they define is in the program, and is a part of the parallel runtime.  */
static bool is_tbb_task_header(const char *file) {
  static const char *const names[] = {"parallel_",         "task",       "partitioner.h", "_task",
                                      "_pipeline_filters", "_flow_graph"};
  const char *folder = file != NULL ? strstr(file, "/tbb/") : NULL;
  for (size_t i = 0; folder != NULL && i < sizeof names / sizeof *names; i++)
    if (sample_name_begins_with(base_name(file), names[i]))
      return true;
  return false;
}

/* Returns whether SYMBOL is the function by which oneTBB runs a task of one of its classes.  */
static bool is_tbb_task_symbol(const char *symbol) {
  return strstr(symbol, "3tbb6detail2d1") != NULL && strstr(symbol, "7executeERNS1_14execution_dataE") != NULL;
}

/* Returns whether SYMBOL is a function that the compiler inserts for the parallel runtime, to run a spawned child or a
   task.  */
static bool is_inserted_sample_symbol(const char *symbol) {
  return strstr(symbol, ".cilk_child.") != NULL || strstr(symbol, "omp_task_entry") != NULL;
}

/* Returns whether SYMBOL is a function by which the compiler has an atomic operation done: it is shown as code of its
   caller.  */
static bool is_atomic_sample_symbol(const char *symbol) {
  return symbol != NULL && sample_name_begins_with(symbol, "__aarch64_");
}

/* Returns whether PATH is that of code that the system maps into every program, by the name that the loader has for it
   or the one of /proc/self/maps.  */
static bool is_system_call_page(const char *path) {
  return path[0] == '[' || sample_name_begins_with(path, "linux-vdso.") || sample_name_begins_with(path, "linux-gate.");
}

/* Returns the kind of the sampled code at ADDRESS of OBJECT, which may be NULL.  PATH is the recorded path of the
   object, and SYMBOL, which may be NULL, the function that contains the code.  */
static enum frame_kind sample_frame_kind(const struct object *object, const char *path, uint64_t address,
                                         const char *symbol) {
  bool in_runtime = object != NULL && ((address >= object->runtime_start && address < object->runtime_end) ||
                                       (address >= object->engine_start && address < object->engine_end));
  if (in_runtime || is_sample_runtime_object(path) ||
      (symbol != NULL &&
       (sample_name_begins_with(symbol, "__cilkprof_") || sample_name_begins_with(symbol, "__cilkrts_"))))
    return FRAME_RUNTIME;
  if ((object != NULL && address >= object->linkage_start && address < object->linkage_end) ||
      is_atomic_sample_symbol(symbol))
    return FRAME_LINKAGE;
  if ((symbol != NULL && strcmp(symbol, "_start") == 0) || is_system_source_file(path) || is_system_call_page(path))
    return FRAME_LIBRARY;
  if (symbol != NULL && is_inserted_sample_symbol(symbol))
    return FRAME_TAGGED;
  return symbol != NULL && is_outlined_sample_symbol(symbol) ? FRAME_OUTLINED : FRAME_USER;
}

/* Returns the function that stands for all code without symbols in the file PATH.  */
static struct function *sample_function_of_file(struct samples *samples, const char *path) {
  char *file = escape(base_name(path)), *name = format_string("<%s>", file);
  struct function *function = function_of_symbol(&samples->functions, name, NULL);
  function->nameless = true;
  free(name);
  free(file);
  return function;
}

/* Sets the source location of the sampled FUNCTION to DEFINED, if it was unknown and DEFINED is known.  */
static void set_sample_function_place(struct function *function, const struct line_place *defined) {
  if (function->place.file == NULL && defined->file != NULL) {
    function->place.file = defined->file;
    function->place.line = defined->line;
  }
}

/* Returns the frame of the function that contains the sampled code at ADDRESS, into which others may be inlined.  The
   source file in KNOWN, from debugging information, distinguishes static functions with the same name, also from
   inlined ones.  */
static struct frame physical_sample_frame(struct samples *samples, struct bound_object *bound, const char *path,
                                          uint64_t address, const struct line_frame *known) {
  const struct symbol *symbol = bound != NULL ? object_symbol_around(bound_object_symbols(bound), address) : NULL;
  const char *whole = symbol != NULL ? symbol->whole : known->name, *name = symbol != NULL ? symbol->name : known->name;
  struct frame frame = {
      .kind = sample_frame_kind(bound != NULL ? bound->object : NULL, path, address, whole),
      .symbol = whole != NULL ? whole : "",
      .at = known->at,
      .defined = known->defined,
  };
  if (frame.kind == FRAME_USER && (is_tbb_task_header(frame.defined.file) || is_tbb_task_symbol(frame.symbol)))
    frame.kind = FRAME_RUNTIME;
  if (frame.kind == FRAME_OUTLINED && frame.defined.file == NULL && symbol != NULL && bound->lines != NULL)
    find_debug_lines(bound->lines, &symbol->address, 1,
                     &frame.defined); /* debugging information has no declaration of it */
  const char *unit = NULL;
  if (known->name != NULL)
    unit = known->is_static ? known->defined.file : NULL;
  else if (symbol != NULL && symbol->local)
    unit = symbol->file;
  if (frame.kind == FRAME_USER || frame.kind == FRAME_LIBRARY) {
    frame.function =
        name != NULL ? function_of_symbol(&samples->functions, name, unit) : sample_function_of_file(samples, path);
    set_sample_function_place(frame.function, &frame.defined);
  }
  return frame;
}

/* Returns whether NAME is one of the functions in libcilkprof/cc/parallel/tags.cc, which mark code for the parallel
   runtime.  */
static bool is_sample_tag_name(const char *name) {
  static const char *const names[] = {"cilk_spawn", "cilk_sync", "cilk_for", "cilk_reducer"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

/* Returns the kind of an inlined function NAME, defined in FILE, given the frame AROUND it.  Functions that are inlined
   into code made by the compiler, such as a loop's body or the call of a spawned function or task, are user code.  So
   are those of the program that are inlined into functions of oneTBB's headers.  */
static enum frame_kind inlined_sample_frame_kind(const struct frame *around, const char *name, const char *file) {
  bool in_header = around->kind == FRAME_RUNTIME && is_tbb_task_header(around->defined.file);
  bool made = around->kind == FRAME_OUTLINED || around->kind == FRAME_TAGGED || in_header;
  if ((in_header || around->kind == FRAME_USER) && is_tbb_task_header(file))
    return FRAME_RUNTIME;
  if (name != NULL && sample_name_begins_with(name, "__cilkprof_"))
    return FRAME_RUNTIME; /* an event */
  if (name != NULL && (is_sample_tag_name(name) || (made && is_inserted_sample_symbol(name))))
    return FRAME_TAGGED;
  if (!made)
    return around->kind;
  return name != NULL && is_outlined_sample_symbol(name) ? FRAME_OUTLINED : FRAME_USER;
}

/* Returns the function KNOWN, which is inlined, in a file with this PATH.  Debugging information has no symbol of a
   lambda that is in no other unit, only "operator()", as of every other lambda there: where they are tells which.  */
static struct function *inlined_sample_function(struct samples *samples, const char *path,
                                                const struct line_frame *known) {
  const char *unit = known->is_static ? known->defined.file : NULL;
  if (known->name == NULL)
    return sample_function_of_file(samples, path);
  if (strcmp(known->name, "operator()") != 0 || known->defined.file == NULL)
    return function_of_symbol(&samples->functions, known->name, unit);
  char *name = format_string("%s at %s:%u", known->name, base_name(known->defined.file), known->defined.line);
  struct function *function = function_of_symbol(&samples->functions, name, unit);
  free(name);
  return function;
}

/* Returns the frame of the function KNOWN, which is inlined in the function AROUND it.  It has the kind of that one,
   unless the compiler made that one or tagged this one.  Outlined code that is inlined in outlined code, as clang
   describes it for debuggers, is the same frame.  */
static struct frame inlined_sample_frame(struct samples *samples, const char *path, const struct line_frame *known,
                                         const struct frame *around) {
  const char *name = known->name;
  struct frame frame = {
      .kind = inlined_sample_frame_kind(around, name, known->defined.file),
      .symbol = name != NULL ? name : "",
      .at = known->at,
      .defined = known->defined,
  };
  if (frame.kind == FRAME_OUTLINED && around->kind == FRAME_OUTLINED) {
    frame = *around;
    frame.at = known->at;
  }
  if (frame.kind == FRAME_USER || frame.kind == FRAME_LIBRARY) {
    frame.function = inlined_sample_function(samples, path, known);
    set_sample_function_place(frame.function, &frame.defined);
  }
  return frame;
}

/* Debugging information for all addresses of an object: an array for every depth of inlining, the innermost first.  */
struct known {
  struct line_frame **depths;
  size_t count, room;
};

/* Looks up all sampled addresses of LIST in the debugging information of the file BOUND.  Those that are in inlined
   code are looked up again, one function further out, until none is left or the limit is reached.  Counts the frames of
   each address in LIST.  */
static struct known look_up_sample_frames(struct bound_object *bound, const struct object_frames *list) {
  enum { MOST = 64 };
  struct known known = {0};
  uint64_t *addresses = allocate(list->count, sizeof *addresses);
  size_t *places = allocate(list->count, sizeof *places), left = list->count;
  if (bound != NULL && bound->lines == NULL && bound_object_debug(bound)->has_lines)
    bound->lines = open_debug_lines(bound_object_debug(bound));
  for (size_t i = 0; i < left; i++)
    places[i] = i;
  while (left > 0 && known.count < MOST) {
    struct line_frame *frames = allocate(list->count, sizeof *frames), *found = allocate(left, sizeof *found);
    for (size_t i = 0; i < left; i++)
      addresses[i] = list->lists[places[i]].address;
    if (bound != NULL && bound->lines != NULL)
      find_debug_line_frames(bound->lines, addresses, left, (unsigned)known.count + 1, found);
    size_t next = 0;
    for (size_t i = 0; i < left; i++) {
      size_t at = places[i];
      frames[at] = found[i];
      list->lists[at].count++;
      if (found[i].inlined)
        places[next++] = at;
    }
    left = next;
    known.depths = grow_array(known.depths, known.count, &known.room, sizeof *known.depths);
    known.depths[known.count++] = frames;
    free(found);
  }
  free(addresses);
  free(places);
  return known;
}

/* Fills in the frames of all sampled addresses of LIST, which are in the object PATH.  BOUND is its file, or NULL.  */
static void find_sample_frames_in_object(struct samples *samples, struct bound_object *bound, const char *path,
                                         struct object_frames *list) {
  struct known known = look_up_sample_frames(bound, list);
  for (size_t i = 0; i < list->count; i++) {
    struct frame_list *at = &list->lists[i];
    at->frames = allocate(at->count, sizeof *at->frames);
    at->frames[0] = physical_sample_frame(samples, bound, path, at->address, &known.depths[at->count - 1][i]);
    for (size_t k = 1; k < at->count; k++)
      at->frames[k] = inlined_sample_frame(samples, path, &known.depths[at->count - 1 - k][i], &at->frames[0]);
  }
  for (size_t i = 0; i < known.count; i++)
    free(known.depths[i]);
  free(known.depths);
}

/* Returns the frames of all sampled addresses of PROFILE, by object: the functions to which each address belongs.
   BOUND[i] is the file of object number i, or NULL.  Allocated.  */
struct object_frames *find_sample_frames(struct samples *samples, const struct cilkprof_profile *profile,
                                         struct bound_object **bound) {
  struct object_frames *frames = allocate(profile->object_count, sizeof *frames);
  for (uint32_t i = 0; i < profile->object_count; i++) {
    frames[i] = list_sample_addresses(profile, i);
    find_sample_frames_in_object(samples, bound[i], profile->objects[i].path, &frames[i]);
  }
  return frames;
}

/* Returns the frames at ADDRESS of an object, among those OF it that find_sample_frames found.  They may be none.  */
static struct frame_list sample_frames_at(const struct object_frames *of, uint64_t address) {
  struct frame_list key = {.address = address};
  const struct frame_list *found = bsearch(&key, of->lists, of->count, sizeof key, compare_sample_addresses);
  return found != NULL ? *found : (struct frame_list){0};
}

/* Returns the frames, among those that find_sample_frames found, at the address of the sampled STACK.  They may be
   none.  */
struct frame_list sample_frames_of_stack(const struct object_frames *frames, const struct cilkprof_stack *stack) {
  if (stack->object == CILKPROF_NO_OBJECT || stack->kind >= CILKPROF_STACK_UNKNOWN)
    return (struct frame_list){0};
  return sample_frames_at(&frames[stack->object], sample_lookup_address(stack));
}

/* Returns the frames, among those that find_sample_frames found, of the call before the return address of TRANSITION.
   They may be none.  */
struct frame_list sample_frames_of_transition(const struct object_frames *frames,
                                              const struct cilkprof_transition *transition) {
  if (!has_sample_transition_code(transition))
    return (struct frame_list){0};
  return sample_frames_at(&frames[transition->object], transition->address - 1);
}
