/* The report as one page for a browser.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_HTML_H
#define CILKPROF_REPORT_HTML_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* html.c: writes the file that the options name, and nothing to OUT.  */
void print_html(FILE *out, struct model *model, const struct options *options);

/* assets.c: the files of html/, each with a zero byte at its end.  */
extern const char html_page[], html_style[], html_icicle[], html_waste[], html_script[];

/* data.c: prints all data that the page shows, as JSON.  */
void html_print_data(FILE *out, struct model *model, const struct options *options);
/* Prints the member "lines" of an object: the lines of TEXT as an array of strings.  */
void html_print_lines(FILE *out, const char *text, size_t size);
/* waste-data.c: prints the member "waste" of this data, for samples of a parallel run.  */
void html_print_waste(FILE *out, const struct model *model, const struct options *options);

/* A box of an icicle graph: the calls of a site, below those of another box.  */
struct box {
  uint32_t parent; /* index of an earlier box; NO_CONTEXT: none */
  uint32_t site;   /* index of the site in the model */
  uint64_t count;
  uint64_t work, span;         /* of these calls, for their parallelism */
  double work_size, span_size; /* width in the two graphs: work, and span on the span, limited by the parent's */
};

struct boxes {
  struct box *boxes; /* parents precede their children */
  size_t count, room;
  bool measured; /* the boxes are calling contexts; otherwise they are derived from call sites */
};

/* boxes.c: returns boxes for the calling contexts that are wide enough to be seen.  If the profile has no contexts, the
   boxes are call sites, each below the first box of its caller.  */
struct boxes make_html_boxes(const struct model *model);

#endif
