/* The report as one page for a browser.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_HTML_H
#define CILKPROF_REPORT_HTML_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"

/* html.c: writes the file that the options name, and nothing to OUT.  */
void print_html(FILE *out, struct model *model, const struct options *options);

/* assets.c: the files of html/, each ended by a zero byte.  */
extern const char html_page[], html_style[], html_icicle[], html_waste[], html_script[];

/* data.c: all that the page shows, as JSON.  */
void html_print_data(FILE *out, struct model *model, const struct options *options);
/* Lines as a list of strings, a member of an object.  */
void html_print_lines(FILE *out, const char *text, size_t size);
/* waste-data.c: of a parallel run, a member of the former.  */
void html_print_waste(FILE *out, const struct model *model, const struct options *options);

/* A box of an icicle graph: the calls of a site, below those of another box.  */
struct box {
  uint32_t parent; /* an earlier box, NO_CONTEXT: none */
  uint32_t site;   /* of the model */
  uint64_t count;
  uint64_t work, span;         /* of these calls, for their parallelism */
  double work_size, span_size; /* how wide it is: its work, and its span on the span, within its parent's */
};

struct boxes {
  struct box *boxes; /* parents first */
  size_t count, room;
  bool measured; /* they are calling contexts; else they are put together from call sites */
};

/* boxes.c: the calling contexts that are worth a box.  Where there are none, the call sites, each below the
   function that makes the call, where that is reached first.  */
struct boxes boxes_make(const struct model *model);

#endif
