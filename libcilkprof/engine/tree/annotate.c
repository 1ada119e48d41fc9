/* Annotations (cilkprof-annotate.h): the program says where sections, tasks and locks begin and end.
   SPDX-License-Identifier: MIT

   An END that does not match the innermost open node also ends all nodes inside of its own, as if control had left
   them by a return, a continue or a longjmp.  An END without an open node is ignored.  Both are reported once for each
   source location.  */

#include <errno.h>
#include <stdio.h>

#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/host.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/tree/record.h"

extern EXPORT void __cilkprof_api_section_begin(const char *name, const char *file, int line);
extern EXPORT void __cilkprof_api_section_end(int nowait, const char *file, int line);
extern EXPORT void __cilkprof_api_task_begin(const char *name, const char *file, int line);
extern EXPORT void __cilkprof_api_task_end(const char *file, int line);
extern EXPORT void __cilkprof_api_iteration(const char *name, const char *file, int line);
extern EXPORT void __cilkprof_api_lock_begin(const char *name, unsigned long lock, const char *file, int line);
extern EXPORT void __cilkprof_api_lock_end(const char *name, unsigned long lock, const char *file, int line);

/* The source location of an annotation.  */
struct source_location {
  const char *file;
  int line;
};

enum { ITERATION = 1 << 16 }; /* a flag of an open task: the next task, or the end of the section, ends it */

/* Returns the name of a node of KIND, for messages.  */
static const char *tree_node_kind_name(uint64_t kind) {
  return kind == CILKPROF_TREE_SECTION ? "section" : kind == CILKPROF_TREE_LOCK ? "lock" : "task";
}

/* Returns the name of the annotation that ends a node of KIND, for messages.  */
static const char *tree_node_kind_end(uint64_t kind) {
  return kind == CILKPROF_TREE_SECTION ? "PAR_SEC_END" : kind == CILKPROF_TREE_LOCK ? "LOCK_END" : "PAR_TASK_END";
}

/* Returns whether there was no complaint about the annotation at LOCATION before, and not yet too many in all; if so,
   notes this one.  */
static int is_new_annotation_complaint(struct profiled_tree *state, struct source_location location) {
  enum { MOST = sizeof state->complaints / sizeof *state->complaints };
  for (uint64_t i = 0; i < state->said && i < MOST; i++)
    if (state->complaints[i].file == location.file && state->complaints[i].line == location.line)
      return 0;
  if (state->said == MOST)
    return 0;
  state->complaints[state->said++] = (struct tree_complaint){location.file, location.line};
  return 1;
}

/* Reports, once for each LOCATION, WHY an annotation there does not match, and ADVICE.  */
static void complain_about_annotation(struct tree *tree, struct source_location location, const char *why,
                                      const char *advice) {
  char where[256];
  tree->flags |= CILKPROF_TREE_NESTING;
  if (!is_new_annotation_complaint(&profiled_thread()->tree, location))
    return;
  snprintf(where, sizeof where, "%s:%d", location.file, location.line);
  __cilkprof_say(where, why, advice);
}

/* Reports that the annotation WHAT at LOCATION is inside of OTHER, a node that should have ended before.  */
static void complain_about_unfinished_tree_node(struct tree *tree, struct source_location location, const char *what,
                                                const struct tree_open *other) {
  char why[384], advice[64];
  snprintf(why, sizeof why, "%s inside an unfinished %s (%s:%d)", what, tree_node_kind_name(other->kind), other->file,
           other->line);
  snprintf(advice, sizeof advice, "is a %s missing?", tree_node_kind_end(other->kind));
  complain_about_annotation(tree, location, why, advice);
}

/* Returns the innermost open node of TREE; the program itself is the outermost one.  */
static struct tree_open *innermost_open_tree_node(struct tree *tree) {
  return &tree->open[tree->open_count - 1];
}

/* Returns the innermost open node of KIND, a lock only if it is LOCK; NULL if there is none.  A task must be in the
   innermost section.  */
static struct tree_open *find_open_tree_node(struct tree *tree, uint64_t kind, uint64_t lock) {
  for (struct tree_open *open = innermost_open_tree_node(tree); open > tree->open; open--) {
    if (open->kind == kind && (kind != CILKPROF_TREE_LOCK || open->lock == lock))
      return open;
    if (kind == CILKPROF_TREE_TASK && open->kind == CILKPROF_TREE_SECTION)
      return NULL;
  }
  return NULL;
}

/* Ends FROM, an open node of TREE, and all open nodes inside of it.  */
static void end_tree_nodes_from(struct tree *tree, const struct tree_open *from) {
  size_t depth = (size_t)(from - tree->open);
  while (tree->open_count > depth)
    __cilkprof_tree_end(tree);
}

/* Ends the open task of TREE if it is an iteration, which has no END of its own.  */
static void end_tree_iteration(struct tree *tree) {
  struct tree_open *task = find_open_tree_node(tree, CILKPROF_TREE_TASK, 0);
  if (!task || !(task->flags & ITERATION))
    return;
  task->flags = 0;
  end_tree_nodes_from(tree, task);
}

/* Begins a node of KIND with NAME that an annotation at LOCATION asks for.  LOCK is the number of a lock, else 0.  */
static void begin_annotated_tree_node(struct tree *tree, uint64_t kind, const char *name, uint64_t lock,
                                      struct source_location location) {
  __cilkprof_tree_begin(tree, &(struct tree_open){.kind = kind,
                                                  .name = __cilkprof_tree_name(tree, name),
                                                  .lock = lock,
                                                  .file = location.file,
                                                  .line = location.line});
}

/* Begins a task with NAME in the innermost section; ITERATION: it ends where the next task begins or the section ends.
   A task that is in no section is reported, and is part of what is around it.  */
static void begin_tree_task(struct tree *tree, const char *name, struct source_location location, int iteration) {
  if (tree->too_deep) {
    tree->too_deep += !iteration;
    return;
  }
  end_tree_iteration(tree);
  struct tree_open *open = innermost_open_tree_node(tree);
  if (open->kind != CILKPROF_TREE_SECTION) {
    if (open == tree->open)
      complain_about_annotation(tree, location, "PAR_TASK_BEGIN outside of any section", "is a PAR_SEC_BEGIN missing?");
    else
      complain_about_unfinished_tree_node(tree, location, "PAR_TASK_BEGIN", open);
    profiled_thread()->tree.outside += !iteration;
    return;
  }
  begin_annotated_tree_node(tree, CILKPROF_TREE_TASK, name, 0, location);
  if (iteration)
    innermost_open_tree_node(tree)->flags = ITERATION;
}

/* Returns whether this END belongs to a node that was too deep to be opened; if so, that node is no longer counted.  */
static int skip_too_deep_tree_end(struct tree *tree) {
  return tree->too_deep && tree->too_deep--;
}

/* Ends the open task of the innermost section, with all nodes inside of it.  An end at LOCATION that does not match is
   reported.  */
static void end_tree_task(struct tree *tree, struct source_location location) {
  if (skip_too_deep_tree_end(tree))
    return;
  struct tree_open *task = find_open_tree_node(tree, CILKPROF_TREE_TASK, 0);
  if (task) {
    if (task != innermost_open_tree_node(tree))
      complain_about_unfinished_tree_node(tree, location, "PAR_TASK_END", innermost_open_tree_node(tree));
    task->flags = 0;
    end_tree_nodes_from(tree, task);
  } else if (profiled_thread()->tree.outside) {
    profiled_thread()->tree.outside--;
  } else {
    complain_about_annotation(tree, location, "PAR_TASK_END without a PAR_TASK_BEGIN", "it is ignored");
  }
}

/* Ends the innermost open section, with all nodes inside of it; NOWAIT: what follows does not wait for its tasks.  An
   end at LOCATION that does not match is reported.  */
static void end_tree_section(struct tree *tree, int nowait, struct source_location location) {
  if (skip_too_deep_tree_end(tree))
    return;
  end_tree_iteration(tree);
  struct tree_open *section = find_open_tree_node(tree, CILKPROF_TREE_SECTION, 0);
  if (!section) {
    complain_about_annotation(tree, location, "PAR_SEC_END without a PAR_SEC_BEGIN", "it is ignored");
    return;
  }
  if (section != innermost_open_tree_node(tree))
    complain_about_unfinished_tree_node(tree, location, "PAR_SEC_END", innermost_open_tree_node(tree));
  section->flags = nowait ? CILKPROF_TREE_NOWAIT : 0;
  end_tree_nodes_from(tree, section);
}

/* Returns the number of a lock that is identified by its NAME, the text in the annotation.  An annotation may give the
   guarded variable as the lock: its value changes, so it does not identify the lock.  */
static uint64_t tree_lock_of_name(uint64_t name) {
  return UINT64_MAX - name;
}

/* Begins a node for LOCK, which is taken at LOCATION.  NAME is its text in the annotation, which identifies it if the
   value of LOCK is known to change.  */
static void begin_tree_lock(struct tree *tree, const char *name, uint64_t lock, struct source_location location) {
  uint64_t number = __cilkprof_tree_name(tree, name);
  begin_annotated_tree_node(tree, CILKPROF_TREE_LOCK, name, tree->changes[number] ? tree_lock_of_name(number) : lock,
                            location);
}

/* Returns the open node of LOCK, or NULL if the lock is not held.  If its value changed meanwhile, it is found by NAME,
   as are all locks of that name from then on.  */
static struct tree_open *find_open_tree_lock(struct tree *tree, const char *name, uint64_t lock) {
  struct tree_open *open = find_open_tree_node(tree, CILKPROF_TREE_LOCK, lock);
  uint64_t number = __cilkprof_tree_name(tree, name);
  if (open && !tree->changes[number])
    return open;
  for (open = innermost_open_tree_node(tree); open > tree->open; open--)
    if (open->kind == CILKPROF_TREE_LOCK && open->name == number) {
      tree->changes[number] = 1;
      open->lock = tree_lock_of_name(number);
      return open;
    }
  return NULL;
}

/* Ends the node of LOCK, which is released at LOCATION; NAME is its text in the annotation.  Locks need not nest: locks
   inside of it are ended and begun again.  Any other node inside of it ends as well.  */
static void end_tree_lock(struct tree *tree, const char *name, uint64_t lock, struct source_location location) {
  if (skip_too_deep_tree_end(tree))
    return;
  struct tree_open *open = find_open_tree_lock(tree, name, lock), held[16];
  if (!open) {
    complain_about_annotation(tree, location, "LOCK_END without a LOCK_BEGIN", "it is ignored");
    return;
  }
  size_t count = 0;
  for (struct tree_open *inner = open + 1; inner <= innermost_open_tree_node(tree); inner++)
    if (inner->kind == CILKPROF_TREE_LOCK && count < sizeof held / sizeof *held) {
      held[count++] = *inner;
    } else {
      complain_about_unfinished_tree_node(tree, location, "LOCK_END", inner);
      count = 0;
      break;
    }
  end_tree_nodes_from(tree, open);
  for (size_t i = 0; i < count; i++)
    __cilkprof_tree_begin(tree, &held[i]);
}

/* Begins an annotation.  Returns the tree, or NULL if nothing is recorded.  Saves errno in ERROR.  The time until
   end_tree_annotation is not the program's.  */
static struct tree *begin_tree_annotation(int *error) {
  *error = errno;
  if (!ENGINE.started || ENGINE.finished || !THREAD.recording || THREAD.signals || profiled_thread()->tree.busy)
    return NULL;
  struct tree *tree = profiled_thread()->tree.tree;
  if ((!tree || !tree->timed) && !__cilkprof_api_begins())
    return NULL;
  tree = __cilkprof_tree_start(0);
  if (!tree)
    return NULL;
  profiled_thread()->tree.busy = 1;
  __cilkprof_tree_called(tree);
  return tree;
}

/* Ends an annotation, and sets errno to ERROR.  Requests for a profile are answered here in a program without events,
   which has no other point to do that.  */
static void end_tree_annotation(struct tree *tree, int error) {
  if (__CILKPROF_RARE(ENGINE.requests) && tree->timed)
    HOST.answer();
  if (tree->timed)
    __cilkprof_tree_returns(tree);
  else
    __cilkprof_api_ends();
  profiled_thread()->tree.busy = 0;
  errno = error;
}

#define ANNOTATION(what)                                                                                               \
  do {                                                                                                                 \
    int error;                                                                                                         \
    struct tree *tree = begin_tree_annotation(&error);                                                                 \
    if (tree) {                                                                                                        \
      what;                                                                                                            \
      end_tree_annotation(tree, error);                                                                                \
    }                                                                                                                  \
  } while (0)
#define HERE ((struct source_location){file, line})

/* Begins a section with NAME, for PAR_SEC_BEGIN at LINE of FILE.  */
void __cilkprof_api_section_begin(const char *name, const char *file, int line) {
  ANNOTATION(begin_annotated_tree_node(tree, CILKPROF_TREE_SECTION, name, 0, HERE));
}

/* Ends the innermost section, for PAR_SEC_END at LINE of FILE.  NOWAIT: what follows does not wait for its tasks.  */
void __cilkprof_api_section_end(int nowait, const char *file, int line) {
  ANNOTATION(end_tree_section(tree, nowait, HERE));
}

/* Begins a task with NAME in the innermost section, for PAR_TASK_BEGIN at LINE of FILE.  */
void __cilkprof_api_task_begin(const char *name, const char *file, int line) {
  ANNOTATION(begin_tree_task(tree, name, HERE, 0));
}

/* Ends the open task of the innermost section, for PAR_TASK_END at LINE of FILE.  */
void __cilkprof_api_task_end(const char *file, int line) {
  ANNOTATION(end_tree_task(tree, HERE));
}

/* Begins a task with NAME that ends where the next one begins or the section ends, for the annotation of an iteration
   at LINE of FILE.  */
void __cilkprof_api_iteration(const char *name, const char *file, int line) {
  ANNOTATION(begin_tree_task(tree, name, HERE, 1));
}

/* Begins the use of LOCK, whose text in the annotation is NAME, for LOCK_BEGIN at LINE of FILE.  */
void __cilkprof_api_lock_begin(const char *name, unsigned long lock, const char *file, int line) {
  ANNOTATION(begin_tree_lock(tree, name, lock, HERE));
}

/* Ends the use of LOCK, whose text in the annotation is NAME, for LOCK_END at LINE of FILE.  */
void __cilkprof_api_lock_end(const char *name, unsigned long lock, const char *file, int line) {
  ANNOTATION(end_tree_lock(tree, name, lock, HERE));
}
