/* What is known of the lines of the sources.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_ANNOTATIONS_H
#define CILKPROF_REPORT_ANNOTATIONS_H

#include "cilkprof-report/model/outermost.h"
#include "cilkprof-report/model/source-order.h"
#include "cilkprof-report/names/sources.h"
#include "cilkprof-report/options/options.h"

/* A line that holds call sites or is the first of a function.  */
struct annotation {
  const char *file; /* as the compiler knew it */
  uint32_t line;
  bool is_function;                /* it only is the first line of one */
  uint64_t calls;                  /* made there, or of the function */
  uint64_t work;                   /* of these calls, or of the function; nothing is counted twice */
  struct cilkprof_measure on_work; /* of these calls, for their parallelism */
  struct cilkprof_measure on_span; /* of those that are on the span; of a function, of those from outside */
  uint64_t local_span;             /* their local span on the span, and that of a function's calls from outside */
};

/* The lines of one source.  */
struct annotated_file {
  const char *file;
  const struct annotation *lines; /* each with one or more annotations: the first tells most */
  size_t count;
};

/* Those of all sources, made file by file: a large program has a million.  */
struct annotations {
  struct source_order order;
  struct names left_out;  /* headers of the system that nobody asked for */
  uint64_t left_out_span; /* that calls there hold themselves */
  struct nesting nesting;
  struct annotation *lines; /* of the file that was asked for last */
  size_t count, room;
  const struct site **sites; /* of its last line */
  size_t site_room;
};

/* What is known of several call sites of one line.  */
struct annotation annotation_of(struct nesting *nesting, const struct site *const *sites, size_t count);

/* All lines of the functions that the options admit, those of headers of the system where the options name functions
   that are defined there; the user's files first.  */
struct annotations annotations_make(const struct model *model, const struct options *options);
/* The next file, until another one is asked for; false when there is none.  */
bool annotations_next(struct annotations *annotations, struct annotated_file *file);
void annotations_free(struct annotations *annotations);

/* Protects the sources of the program from being overwritten by an output.  */
void sources_keep(const struct model *model, const struct options *options);

#endif
