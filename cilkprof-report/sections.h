/* The sections of the report, one file each.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SECTIONS_H
#define CILKPROF_REPORT_SECTIONS_H

#include <stdio.h>
#include "cilkprof-report/model.h"
#include "cilkprof-report/options.h"

void print_summary(FILE *out, const struct model *model, const struct options *options);
void print_flat(FILE *out, const struct model *model, const struct options *options);
void print_graph(FILE *out, struct model *model, const struct options *options);
void print_sites(FILE *out, const struct model *model, const struct options *options);
void print_csv(FILE *out, const struct model *model);

/* What a function costs per invocation of its own, over its span: the parallelism in its row.  */
struct cilkprof_measure function_measure(const struct function *function);

/* In both lists a function stands that was called or that has work; with -z every one.  */
bool function_is_listed(const struct function *function, const struct options *options);

#endif
