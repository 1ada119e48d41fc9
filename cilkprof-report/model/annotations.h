/* Costs by source line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_ANNOTATIONS_H
#define CILKPROF_REPORT_ANNOTATIONS_H

#include "cilkprof-report/model/outermost.h"
#include "cilkprof-report/model/source-order.h"
#include "cilkprof-report/names/sources.h"
#include "cilkprof-report/options/options.h"

/* A line that has call sites or is the first line of a function.  */
struct annotation {
  const char *file; /* name that the compiler recorded */
  uint32_t line;
  bool is_function;                /* the line starts a function, and no calls were made in it */
  bool sampled;                    /* how many calls these are is not known */
  uint64_t calls;                  /* calls that are made in the line, or calls of the function */
  uint64_t work;                   /* work of these calls or of the function, without counting nested calls twice */
  struct cilkprof_measure on_work; /* cost of these calls, from which their parallelism is computed */
  /* Cost of the calls that are on the span; for a function, only of calls from code without instrumentation.  */
  struct cilkprof_measure on_span;
  /* Local span of these calls on the span, including calls from code without instrumentation to functions that start in
     the line.  */
  uint64_t local_span;
};

/* The lines of one source file.  */
struct annotated_file {
  const char *file;
  const struct annotation *lines; /* a line has one or more annotations, the most important one first */
  size_t count;
};

/* The annotations of all source files.  They are made file by file, because a large program has a million of them.  */
struct annotations {
  struct source_order order;
  struct names left_out;  /* system headers that the options do not select */
  uint64_t left_out_span; /* local span on the span of the calls in these headers */
  struct nesting nesting;
  struct annotation *lines; /* annotations of the current file */
  size_t count, room;
  const struct site **sites; /* sites of the line that was annotated last */
  size_t site_room;
};

/* Returns the annotation of COUNT call sites of one line.  */
struct annotation model_annotate_sites(struct nesting *nesting, const struct site *const *sites, size_t count);

/* Prepares the annotations of all functions that the options admit.  Lines in system headers are included if the
   options name functions that are defined there.  The user's files come first.  */
struct annotations model_annotations_make(const struct model *model, const struct options *options);
/* Sets *FILE to the next file, which is valid until the next call.  Returns false if there are no more files.  */
bool model_annotations_next(struct annotations *annotations, struct annotated_file *file);
void model_annotations_free(struct annotations *annotations);

/* Protects the source files of the program from being overwritten by an output.  */
void model_keep_sources(const struct model *model, const struct options *options);

#endif
