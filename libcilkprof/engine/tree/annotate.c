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

static const char *kind_name(uint64_t kind) {
  return kind == CILKPROF_TREE_SECTION ? "section" : kind == CILKPROF_TREE_LOCK ? "lock" : "task";
}

/* Returns whether there was no complaint about LOCATION before, and not yet too many in all.  */
static int is_new_complaint(struct profiled_tree *state, struct source_location location) {
  enum { MOST = sizeof state->complaints / sizeof *state->complaints };
  for (uint64_t i = 0; i < state->said && i < MOST; i++)
    if (state->complaints[i].file == location.file && state->complaints[i].line == location.line)
      return 0;
  if (state->said == MOST)
    return 0;
  state->complaints[state->said++] = (struct tree_complaint){location.file, location.line};
  return 1;
}

/* Reports that WHAT at LOCATION does not match.  OTHER is the node that is open there, or NULL; ADVICE says what is
   done about it.  */
static void complain(struct tree *tree, struct source_location location, const char *what,
                     const struct tree_open *other, const char *advice) {
  char where[256], why[384];
  tree->flags |= CILKPROF_TREE_NESTING;
  if (!is_new_complaint(&profiled_thread()->tree, location))
    return;
  snprintf(where, sizeof where, "%s:%d", location.file, location.line);
  if (other && other != tree->open)
    snprintf(why, sizeof why, "%s inside of the %s that began at %s:%d", what, kind_name(other->kind), other->file,
             other->line);
  else
    snprintf(why, sizeof why, "%s, and nothing began before", what);
  __cilkprof_say(where, why, advice);
}

static struct tree_open *innermost(struct tree *tree) {
  return &tree->open[tree->open_count - 1];
}

/* Returns the innermost open node of KIND, a lock only if it is LOCK; NULL if there is none.  A task must be in the
   innermost section.  */
static struct tree_open *find_open(struct tree *tree, uint64_t kind, uint64_t lock) {
  for (struct tree_open *open = innermost(tree); open > tree->open; open--) {
    if (open->kind == kind && (kind != CILKPROF_TREE_LOCK || open->lock == lock))
      return open;
    if (kind == CILKPROF_TREE_TASK && open->kind == CILKPROF_TREE_SECTION)
      return NULL;
  }
  return NULL;
}

/* Ends FROM and all open nodes inside of it.  */
static void end_from(struct tree *tree, const struct tree_open *from) {
  size_t depth = (size_t)(from - tree->open);
  while (tree->open_count > depth)
    __cilkprof_tree_end(tree);
}

/* Ends the open task if it is an iteration, which has no END of its own.  */
static void end_iteration(struct tree *tree) {
  struct tree_open *task = find_open(tree, CILKPROF_TREE_TASK, 0);
  if (!task || !(task->flags & ITERATION))
    return;
  task->flags = 0;
  end_from(tree, task);
}

static void begin(struct tree *tree, uint64_t kind, const char *name, uint64_t lock, struct source_location location) {
  __cilkprof_tree_begin(tree, &(struct tree_open){.kind = kind,
                                                  .name = __cilkprof_tree_name(tree, name),
                                                  .lock = lock,
                                                  .file = location.file,
                                                  .line = location.line});
}

static void begin_task(struct tree *tree, const char *name, struct source_location location, int iteration) {
  if (tree->too_deep) {
    tree->too_deep += !iteration;
    return;
  }
  end_iteration(tree);
  struct tree_open *open = innermost(tree);
  if (open->kind != CILKPROF_TREE_SECTION) {
    complain(tree, location, "a task begins that is in no section", open, "it is part of what is around it");
    profiled_thread()->tree.outside += !iteration;
    return;
  }
  begin(tree, CILKPROF_TREE_TASK, name, 0, location);
  if (iteration)
    innermost(tree)->flags = ITERATION;
}

/* Returns whether this END belongs to a node that was too deep to be opened; if so, that node is no longer counted.  */
static int ends_too_deep(struct tree *tree) {
  return tree->too_deep && tree->too_deep--;
}

static void end_task(struct tree *tree, struct source_location location) {
  if (ends_too_deep(tree))
    return;
  struct tree_open *task = find_open(tree, CILKPROF_TREE_TASK, 0);
  if (task) {
    if (task != innermost(tree))
      complain(tree, location, "a task ends", innermost(tree), "that ends here as well");
    task->flags = 0;
    end_from(tree, task);
  } else if (profiled_thread()->tree.outside) {
    profiled_thread()->tree.outside--;
  } else {
    complain(tree, location, "a task ends that did not begin", innermost(tree), "this end is left out");
  }
}

static void end_section(struct tree *tree, int nowait, struct source_location location) {
  if (ends_too_deep(tree))
    return;
  end_iteration(tree);
  struct tree_open *section = find_open(tree, CILKPROF_TREE_SECTION, 0);
  if (!section) {
    complain(tree, location, "a section ends that did not begin", innermost(tree), "this end is left out");
    return;
  }
  if (section != innermost(tree))
    complain(tree, location, "a section ends", innermost(tree), "that ends here as well");
  section->flags = nowait ? CILKPROF_TREE_NOWAIT : 0;
  end_from(tree, section);
}

/* Returns the number of a lock that is identified by its NAME, the text in the annotation.  An annotation may give the
   guarded variable as the lock: its value changes, so it does not identify the lock.  */
static uint64_t lock_of_name(uint64_t name) {
  return UINT64_MAX - name;
}

static void begin_lock(struct tree *tree, const char *name, uint64_t lock, struct source_location location) {
  uint64_t number = __cilkprof_tree_name(tree, name);
  begin(tree, CILKPROF_TREE_LOCK, name, tree->changes[number] ? lock_of_name(number) : lock, location);
}

/* Returns the open node of LOCK, or NULL if the lock is not held.  If its value changed meanwhile, it is found by NAME,
   as are all locks of that name from then on.  */
static struct tree_open *find_lock(struct tree *tree, const char *name, uint64_t lock) {
  struct tree_open *open = find_open(tree, CILKPROF_TREE_LOCK, lock);
  uint64_t number = __cilkprof_tree_name(tree, name);
  if (open && !tree->changes[number])
    return open;
  for (open = innermost(tree); open > tree->open; open--)
    if (open->kind == CILKPROF_TREE_LOCK && open->name == number) {
      tree->changes[number] = 1;
      open->lock = lock_of_name(number);
      return open;
    }
  return NULL;
}

/* Ends the node of a lock that is released.  Locks need not nest: locks inside of it are ended and begun again.  Any
   other node inside of it ends as well.  */
static void end_lock(struct tree *tree, const char *name, uint64_t lock, struct source_location location) {
  if (ends_too_deep(tree))
    return;
  struct tree_open *open = find_lock(tree, name, lock), held[16];
  if (!open) {
    complain(tree, location, "a lock is released that is not held", innermost(tree), "this release is left out");
    return;
  }
  size_t count = 0;
  for (struct tree_open *inner = open + 1; inner <= innermost(tree); inner++)
    if (inner->kind == CILKPROF_TREE_LOCK && count < sizeof held / sizeof *held) {
      held[count++] = *inner;
    } else {
      complain(tree, location, "a lock is released", inner, "that ends here as well");
      count = 0;
      break;
    }
  end_from(tree, open);
  for (size_t i = 0; i < count; i++)
    __cilkprof_tree_begin(tree, &held[i]);
}

/* Begins an annotation.  Returns the tree, or NULL if nothing is recorded.  Saves errno in ERROR.  The time until
   end_annotation is not the program's.  */
static struct tree *begin_annotation(int *error) {
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

/* Ends an annotation.  Requests for a profile are answered here in a program without events, which has no other point
   to do that.  */
static void end_annotation(struct tree *tree, int error) {
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
    struct tree *tree = begin_annotation(&error);                                                                      \
    if (tree) {                                                                                                        \
      what;                                                                                                            \
      end_annotation(tree, error);                                                                                     \
    }                                                                                                                  \
  } while (0)
#define HERE ((struct source_location){file, line})

void __cilkprof_api_section_begin(const char *name, const char *file, int line) {
  ANNOTATION(begin(tree, CILKPROF_TREE_SECTION, name, 0, HERE));
}

void __cilkprof_api_section_end(int nowait, const char *file, int line) {
  ANNOTATION(end_section(tree, nowait, HERE));
}

void __cilkprof_api_task_begin(const char *name, const char *file, int line) {
  ANNOTATION(begin_task(tree, name, HERE, 0));
}

void __cilkprof_api_task_end(const char *file, int line) {
  ANNOTATION(end_task(tree, HERE));
}

void __cilkprof_api_iteration(const char *name, const char *file, int line) {
  ANNOTATION(begin_task(tree, name, HERE, 1));
}

void __cilkprof_api_lock_begin(const char *name, unsigned long lock, const char *file, int line) {
  ANNOTATION(begin_lock(tree, name, lock, HERE));
}

void __cilkprof_api_lock_end(const char *name, unsigned long lock, const char *file, int line) {
  ANNOTATION(end_lock(tree, name, lock, HERE));
}
