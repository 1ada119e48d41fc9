/* What the formats of findings share: workflow annotations, SARIF and Markdown.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_EXPORTED_FINDINGS_H
#define CILKPROF_REPORT_EXPORTED_FINDINGS_H

#include "cilkprof-report/analysis/gate.h"
#include "cilkprof-report/analysis/verdict.h"

/* A line of a source.  */
struct exported_place {
  char *file; /* NULL: unknown */
  uint32_t line;
};

/* finding-places.c */
/* Returns the path of the source FILE: relative to the current folder if it is found below that.  Allocated.  */
char *exported_source_path(const struct model *model, const struct options *options, const char *file);
/* Stores in *PLACE the line that FINDING is about, or that of main if it is about the whole program or NULL.  Returns
   whether it is known.  */
bool exported_finding_place(const struct model *model, const struct options *options, const struct finding *finding,
                            struct exported_place *place);

/* github.c: prints an annotation for each rule of GATE that is broken.  */
void print_github_gate(FILE *out, const struct gate *gate, struct model *model, const struct options *options);

#endif
