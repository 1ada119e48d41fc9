/* Writing the profile: to a temporary file that takes the old one's place when it is whole.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "libcilkprof/profile/live.h"
#include "libcilkprof/profile/output.h"
#include "libcilkprof/profile/usage.h"
#include "libcilkprof/marks/marks.h"
#include "libcilkprof/span/leaf.h"
#include "libcilkprof/span/whatif.h"
#include "libcilkprof/support/support.h"
#include "libcilkprof/time/clock.h"
#include "libcilkprof/tree/tree.h"
#include "fmt/verify.h"

enum { BUFFER = 1 << 14, ARGUMENTS = 1 << 12, ARGUMENT_BYTES = 1 << 16 };

static struct {
  char pattern[PATH_MAX]; /* the file's name with its % signs, from the root */
  char name[PATH_MAX], temporary[PATH_MAX];
  int pid; /* of the process whose profile it is */
  int file;
  size_t filled;
  char buffer[BUFFER];
  const char *argv[ARGUMENTS];
  char arguments[ARGUMENT_BYTES];
  uint32_t argc;
  int burdens_wrap; /* burdened spans may have exceeded 64 bits */
} output;

/* The command line, from the system: the program may have no main of its own kind, and may change its arguments.  */
static void read_arguments(void) {
  int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t size = file < 0 ? -1 : read(file, output.arguments, ARGUMENT_BYTES - 1);
  if (file >= 0)
    close(file);
  if (size <= 0) {
    output.argv[0] = program_invocation_name;
    output.argc = 1;
    return;
  }
  for (const char *at = output.arguments; at < output.arguments + size && output.argc < ARGUMENTS; at += strlen(at) + 1)
    output.argv[output.argc++] = at;
}

/* The program may change its folder: the name is made absolute at the start.  */
void __cilkprof_output_start(void) {
  const char *pattern = secure_getenv("CILKPROF_OUT");
  if (!pattern || !*pattern)
    pattern = "cilkprof.out";
  size_t length = 0;
  if (*pattern != '/' && getcwd(output.pattern, PATH_MAX - 1)) {
    for (char *c = output.pattern; *c; c++)
      if (*c == '%') { /* of the folder's own: doubled, it stands for itself */
        memmove(c + 1, c, strlen(c) + 1 < (size_t)(output.pattern + PATH_MAX - 1 - c) ? strlen(c) + 1 : 0);
        c++;
      }
    length = strlen(output.pattern);
    output.pattern[length++] = '/';
  }
  if (length + strlen(pattern) < PATH_MAX)
    strcpy(output.pattern + length, pattern);
  else
    output.pattern[0] = 0;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  ENGINE.start_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
  read_arguments();
}

static int append(size_t *length, const char *text) {
  size_t more = strlen(text);
  if (*length + more >= PATH_MAX)
    return -1;
  memcpy(output.name + *length, text, more + 1);
  *length += more;
  return 0;
}

/* %p is the process, %h the host, %% a percent sign.  A process forked from the one that started names its own file. */
static int expand_name(void) {
  char pid[32];
  struct utsname host;
  snprintf(pid, sizeof pid, "%d", output.pid);
  if (uname(&host) < 0)
    strcpy(host.nodename, "localhost");
  size_t length = 0;
  int names_process = 0, failed = !output.pattern[0];
  output.name[0] = 0;
  for (const char *c = output.pattern; *c && !failed; c++) {
    char plain[2] = {*c, 0};
    const char *text = plain;
    if (c[0] == '%' && c[1] == 'p')
      text = pid, names_process = 1, c++;
    else if (c[0] == '%' && c[1] == 'h')
      text = host.nodename, c++;
    else if (c[0] == '%' && c[1] == '%')
      c++;
    failed = append(&length, text) < 0;
  }
  if (!failed && output.pid != ENGINE.pid && !names_process)
    failed = append(&length, ".") < 0 || append(&length, pid) < 0;
  int size = snprintf(output.temporary, PATH_MAX, "%s.%s.tmp", output.name, pid);
  errno = ENAMETOOLONG;
  return failed || size >= PATH_MAX ? -1 : 0;
}

static int flush(void) {
  for (size_t done = 0; done < output.filled;) {
    ssize_t size = write(output.file, output.buffer + done, output.filled - done);
    if (size < 0 && errno == EINTR)
      continue;
    if (size <= 0)
      return -1;
    done += (size_t)size;
  }
  output.filled = 0;
  return 0;
}

static int put(void *closure, const void *bytes, size_t size) {
  (void)closure;
  for (const char *from = bytes; size;) {
    if (output.filled == BUFFER && flush() < 0)
      return -1;
    size_t part = BUFFER - output.filled < size ? BUFFER - output.filled : size;
    memcpy(output.buffer + output.filled, from, part);
    output.filled += part;
    from += part;
    size -= part;
  }
  return 0;
}

static struct cilkprof_measure total(struct __cilkprof_total t) {
  return (struct cilkprof_measure){t.count, t.work, t.span, t.burdened_span};
}

static void add(struct cilkprof_measure *to, const entry_t *entry) {
  to->count += entry->count;
  to->work += entry->work;
  to->span += entry->span;
  to->burdened_span += entry->burdened_span;
}

static struct cilkprof_measures on_work(const site_t *site) {
  return (struct cilkprof_measures){.top_call_site = total(__cilkprof_top_call_site_of(site)),
                                    .top_caller = total(__cilkprof_top_caller_of(site)),
                                    .local = {site->count, site->local_work, site->local_work - site->local_off_span,
                                              site->local_work - site->local_off_burdened_span}};
}

/* What the log holds of a site: the three kinds of entries are sets of invocations that exclude each other.  */
static struct cilkprof_measures on_span(const site_t *site, const entry_t *entries) {
  struct cilkprof_measures sums = {0};
  for (int kind = 0; kind < 3; kind++) {
    if (!site->folded[kind] || ENGINE.flags & CILKPROF_NO_ON_SPAN)
      continue;
    const entry_t *entry = &entries[site->folded[kind] - 1];
    sums.local.count += entry->count;
    sums.local.work += entry->local_work;
    sums.local.span += entry->local_work - entry->local_off_span;
    sums.local.burdened_span += entry->local_work - entry->local_off_burdened_span;
    if (kind >= __CILKPROF_ENTRY_TOP_SITE / 2)
      add(&sums.top_call_site, entry);
    if (kind == __CILKPROF_ENTRY_TOP_CALLER / 2)
      add(&sums.top_caller, entry);
  }
  return sums;
}

/* Sums of work and span do not wrap in a run of decades: each is of invocations that exclude one another, so it is at
   most the work (block.c has more).  Neither does the work and a burden for every spawn, which is more than any sum of
   burdened spans, unless the burden is large or the spawns are many.  Nothing on the way checks: here it is known
   afterwards.  */
static unsigned __int128 most_burdened(const struct cilkprof_totals *totals) {
  return (unsigned __int128)totals->spawns * THREAD.burden + totals->work;
}

/* A signal may have caught the last event half done, and control never came back to it.  */
static void reconcile(struct cilkprof_totals *totals) {
  if (totals->span > totals->work)
    totals->span = totals->work;
  if (totals->burdened_span < totals->span || totals->burdened_span > most_burdened(totals))
    totals->burdened_span = totals->span;
}

/* Whether the numbers are what only an event that was interrupted by others can make of them.  */
static int contradict(const struct cilkprof_totals *totals, const entry_t *entries) {
  uint64_t work = 0, span = 0;
  int wrong = totals->span > totals->work;
  for (const site_t *site = ENGINE.first_site; site && !wrong; site = site->next) {
    struct cilkprof_measures all = on_work(site), some = on_span(site, entries);
    wrong = cilkprof_verify_measures(&all, &some) != NULL;
    work += all.local.work;
    span += some.local.span;
  }
  return wrong || work != totals->work || (span != totals->span && !(ENGINE.flags & CILKPROF_NO_ON_SPAN));
}

/* Instrumented functions that a signal handler without instrumentation calls look like callees of what it interrupted;
   those that are called in the place of code that the compiler takes for its caller's, and not even for a quiet call,
   like callees of that.  */
static void check(const struct cilkprof_totals *totals, const entry_t *entries) {
  if (!(ENGINE.flags & (CILKPROF_INCOMPLETE | CILKPROF_SATURATED)) && contradict(totals, entries)) {
    flag(CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN);
    ENGINE.unfollowed = 1;
  }
  if (ENGINE.unfollowed && getpid() == ENGINE.pid)
    __cilkprof_say(output.name,
                   "a signal handler without instrumentation, or the program's own malloc or the like, seems to call "
                   "instrumented functions",
                   "some work is missing or elsewhere, compile a handler with -fcilkprof");
}

static void limit_burdened(struct cilkprof_measure *measures, size_t count) {
  for (size_t i = 0; i < count && output.burdens_wrap; i++)
    if (measures[i].count)
      measures[i].burdened_span = UINT64_MAX;
}

static void write_site(struct cilkprof_writer *writer, const site_t *site, const entry_t *entries) {
  struct cilkprof_place description = __cilkprof_place_of(site->description);
  struct cilkprof_place callee = {CILKPROF_NO_OBJECT, 0};
  if (site->callee)
    callee = __cilkprof_place_of(site->callee);
  struct cilkprof_site out = {
      .object = description.object,
      .callee_object = callee.object,
      .description = description.address,
      .callee = callee.address,
      .on_work = on_work(site),
      .on_span = on_span(site, entries),
  };
  limit_burdened(&out.on_work.top_call_site, 3);
  limit_burdened(&out.on_span.top_call_site, 3);
  cilkprof_write_site(writer, &out);
}

/* The site's number stands in FOLDED, which the log does not need any more.  */
static void write_context(struct cilkprof_writer *writer, const context_t *context, const context_t *first,
                          const entry_t *entries) {
  struct cilkprof_context out = {
      .parent = context->parent < first ? CILKPROF_NO_CONTEXT : (uint32_t)(context->parent - first),
      .site = (uint32_t)context->site->folded[0],
      .on_work = total(context->on_work),
  };
  if (context->folded && !(ENGINE.flags & CILKPROF_NO_ON_SPAN))
    add(&out.on_span, &entries[context->folded - 1]);
  limit_burdened(&out.on_work, 1);
  limit_burdened(&out.on_span, 1);
  cilkprof_write_context(writer, &out);
}

static void write_regions(struct cilkprof_writer *writer) {
  for (const struct cilkprof_region *region = NULL; (region = __cilkprof_next_region(region));) {
    struct cilkprof_region out = *region;
    limit_burdened(&out.total, 1);
    if (out.total.count || out.kind & CILKPROF_REGION_PARTIAL)
      cilkprof_write_region(writer, &out);
  }
}

static void write_sites(struct cilkprof_writer *writer, const entry_t *entries) {
  uint64_t number = 0;
  for (site_t *site = ENGINE.first_site; site; site = site->next) {
    write_site(writer, site, entries);
    site->folded[0] = number++;
  }
  size_t count;
  const context_t *contexts = __cilkprof_contexts(&count);
  for (size_t i = 0; i < count; i++)
    write_context(writer, &contexts[i], contexts, entries);
}

static void write_program(struct cilkprof_writer *writer, uint64_t flags) {
  cilkprof_write_program(writer, &(struct cilkprof_program){.mode = ENGINE.mode,
                                                            .flags = flags,
                                                            .burden = ENGINE.burden,
                                                            .loop_workers = ENGINE.loop_workers,
                                                            .argc = output.argc,
                                                            .argv = output.argv});
}

static void write_run(struct cilkprof_writer *writer) {
  cilkprof_write_run(writer, &(struct cilkprof_run){
                                 .pid = (uint64_t)output.pid,
                                 .start_ns = ENGINE.start_ns,
                                 .elapsed_ns = __cilkprof_now_ns() - ENGINE.start_monotonic_ns,
                                 .units_per_second = __cilkprof_usage_units_per_second(),
                                 .burden_units = THREAD.burden,
                                 .timer_hz = ENGINE.timer_hz,
                                 .timer_cost = ENGINE.timer_cost,
                                 .preempted_strands = recorder()->clock.preempted_strands,
                                 .preempted_units = __cilkprof_ticks_to_units(recorder()->clock.preempted_ticks),
                                 .load_count = __cilkprof_object_count(),
                                 .load_addresses = __cilkprof_load_addresses(),
                             });
}

void __cilkprof_write_preamble(struct cilkprof_writer *writer, uint64_t flags) {
  cilkprof_write_begin(writer);
  write_program(writer, flags);
  write_run(writer);
  for (uint32_t i = 0; i < __cilkprof_object_count(); i++) {
    struct cilkprof_object object = __cilkprof_object(i);
    cilkprof_write_object(writer, &object);
  }
}

static void write_profile(struct cilkprof_writer *writer) {
  const entry_t *entries = NULL;
  struct cilkprof_totals totals = {.work = THREAD.foreign.work,
                                   .span = THREAD.foreign.span,
                                   .burdened_span = THREAD.foreign.burdened_span,
                                   .spawns = THREAD.loop_spawns,
                                   .syncs = THREAD.syncs};
  __cilkprof_log_sum(&entries);
  for (const site_t *site = ENGINE.first_site; site; site = site->next) {
    __cilkprof_place_of(site->description);
    if (site->callee)
      __cilkprof_place_of(site->callee);
    totals.spawns += site->flags & __CILKPROF_SITE_SPAWN ? site->count : 0;
  }
  check(&totals, entries);
  if (ENGINE.flags & CILKPROF_INCOMPLETE)
    reconcile(&totals);
  if (most_burdened(&totals) >> 64 != 0) {
    output.burdens_wrap = 1;
    totals.burdened_span = UINT64_MAX;
    flag(CILKPROF_SATURATED);
  }
  __cilkprof_usage_check(output.pid, totals.work);
  __cilkprof_write_preamble(writer, ENGINE.flags);
  cilkprof_write_totals(writer, &totals);
  __cilkprof_usage_write(writer, output.pid);
  write_sites(writer, entries);
  write_regions(writer);
  __cilkprof_whatif_write(writer, totals.work);
  __cilkprof_tree_write(writer);
}

/* A device or a pipe is written to as it is; a regular file is replaced as a whole.  */
static int replaces(void) {
  struct stat status;
  return stat(output.name, &status) < 0 || S_ISREG(status.st_mode);
}

const char *__cilkprof_output_name(void) {
  output.pid = ENGINE.pid;
  return expand_name() == 0 && replaces() ? output.name : NULL;
}

static int write_file(void) {
  struct cilkprof_writer writer = {.put = put};
  const char *name = replaces() ? output.temporary : output.name;
  output.file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (output.file < 0)
    return -1;
  write_profile(&writer);
  int failed = cilkprof_write_end(&writer) < 0 || flush() < 0;
  int error = errno;
  if (close(output.file) < 0 && !failed)
    failed = 1, error = errno;
  if (name == output.name) {
    errno = error;
    return failed ? -1 : 0;
  }
  if (!failed && rename(name, output.name) == 0)
    return 0;
  error = failed ? error : errno;
  unlink(name);
  errno = error;
  return -1;
}

int __cilkprof_output(int pid) {
  struct cilkprof_signals saved;
  output.pid = pid;
  __cilkprof_ignore_signals(&saved);
  int failed = expand_name() < 0 || write_file() < 0;
  __cilkprof_restore_signals(&saved);
  if (failed)
    __cilkprof_say(output.name[0] ? output.name : "CILKPROF_OUT", strerror(errno),
                   __cilkprof_live_path() ? "only its .live file is left" : "no profile is written");
  return failed ? -1 : 0;
}
