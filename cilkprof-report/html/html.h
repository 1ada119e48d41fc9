/* The report as one page for a browser.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_HTML_H
#define CILKPROF_REPORT_HTML_H

#include <stdio.h>
#include "cilkprof-report/model/model.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/support/support.h"

void print_html(FILE *out, struct model *model, const struct options *options);

/* assets.c: the files of html/, each with a zero byte at its end.  */
extern const char html_page[], html_style[], html_icicle[], html_timeline[], html_waste[], html_script[];

/* data.c */
void html_print_data(FILE *out, struct model *model, const struct options *options);
void html_print_waste(FILE *out, const struct model *model, const struct options *options);
struct samples;
void html_print_slices(FILE *out, const struct samples *samples);     /* timeline-data.c */
void html_print_efficiency(FILE *out, const struct samples *samples); /* efficiency-data.c */
void html_print_inflation(FILE *out, const struct samples *samples);  /* efficiency-data.c */

/* hash.c: the SHA-256 of a text, in base64.  */
struct html_hash {
  uint32_t state[8];
  uint64_t size;           /* of what was added */
  unsigned char block[64]; /* its last SIZE % 64 bytes */
};
enum { HTML_HASH_ROOM = 45 };
void html_hash_begin(struct html_hash *hash);
void html_hash_add(struct html_hash *hash, const void *bytes, size_t size);
void html_hash_end(struct html_hash *hash, char text[static HTML_HASH_ROOM]);

/* A source file that the page cannot show.  */
struct missing_source {
  const char *file;
  const char *why; /* in two words */
};

/* The source files of a part of the page.  Initially {0}.  */
struct html_sources {
  size_t size, taken; /* bytes and number of those that it shows */
  struct missing_source *missing;
  size_t count, room; /* of MISSING */
};

/* sources.c */
bool html_take_source(struct html_sources *sources, const struct functions *functions, const char *name,
                      const struct options *options, struct file *file);
void html_print_lines(FILE *out, const char *text, size_t size);
void html_print_missing_sources(FILE *out, struct html_sources *sources);

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

/* boxes.c */
struct boxes make_html_boxes(const struct model *model);

#endif
