/* A flame graph as SVG: each frame is as wide as the metric of its function and callees, on top of its caller.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/exports/stacks.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/table.h"

enum { WIDTH = 1200, MARGIN = 10, ROW = 18, HEAD = 40, LETTER = 7 /* pixels */ };
#define LEAST_WIDTH 0.3 /* pixels: narrower frames are left out */

/* The calls of a function by the same caller.  */
struct frame {
  uint32_t parent; /* an earlier frame, or NO_CONTEXT */
  const struct function *function;
  uint64_t total; /* of the function and its callees */
  uint64_t left;  /* where the frame begins, in units of the metric */
  uint64_t used;  /* how much of the frame those on top of it take so far */
  unsigned depth;
};

struct flames {
  struct frame *frames; /* parents come first */
  size_t count;
  uint64_t total;
  unsigned depth; /* of the highest frame */
};

/* Returns whether the frame at PLACE of ARRAY has the parent and the function of KEY, a frame.  */
static bool is_same_flamegraph_frame(const void *array, size_t place, const void *key) {
  const struct frame *frame = (const struct frame *)array + place, *wanted = key;
  return frame->parent == wanted->parent && frame->function == wanted->function;
}

/* Makes the frames of STACKS for the metric WEIGHT: stacks of the same functions are one frame.  */
static struct flames make_flames(const struct stacks *stacks, enum weight weight) {
  struct flames flames = {.frames = allocate(stacks->count, sizeof *flames.frames)};
  uint32_t *frame_of = allocate(stacks->count, sizeof *frame_of);
  struct table table = {0};
  for (size_t i = 0; i < stacks->count; i++) {
    const struct stack *stack = &stacks->stacks[i];
    struct frame frame = {.parent = stack->parent != NO_CONTEXT ? frame_of[stack->parent] : NO_CONTEXT,
                          .function = stack->function};
    uint64_t hash = ((uint64_t)frame.parent << 32 | frame.function->number) * 0x9e3779b97f4a7c15;
    size_t place = hash_table_find(&table, hash, is_same_flamegraph_frame, flames.frames, &frame, flames.count);
    if (place == flames.count) {
      frame.depth = frame.parent != NO_CONTEXT ? flames.frames[frame.parent].depth + 1 : 1;
      flames.frames[flames.count++] = frame;
    }
    flames.frames[place].total += stack->values[weight];
    frame_of[i] = (uint32_t)place;
  }
  hash_table_free(&table);
  free(frame_of);
  return flames;
}

/* Adds the values of frames to those below them, and places each on top of its parent, beside those that came
   before.  */
static void place_flames(struct flames *flames) {
  for (size_t i = flames->count; i-- > 0;) {
    const struct frame *frame = &flames->frames[i];
    *(frame->parent != NO_CONTEXT ? &flames->frames[frame->parent].total : &flames->total) += frame->total;
  }
  uint64_t used = 0;
  for (size_t i = 0; i < flames->count; i++) {
    struct frame *frame = &flames->frames[i];
    struct frame *parent = frame->parent != NO_CONTEXT ? &flames->frames[frame->parent] : NULL;
    uint64_t *taken = parent != NULL ? &parent->used : &used;
    frame->left = (parent != NULL ? parent->left : 0) + *taken;
    *taken += frame->total;
    if (frame->total > 0 && frame->depth > flames->depth)
      flames->depth = frame->depth;
  }
}

/* Prints a frame of the width of VALUE from LEFT on, at DEPTH, with NAME.  Its colour follows from the name, so that a
   function has the same one everywhere.  */
static void print_flame(FILE *out, const struct flames *flames, const char *name, uint64_t left, uint64_t value,
                        unsigned depth, const char *unit) {
  double scale = flames->total > 0 ? (WIDTH - 2.0 * MARGIN) / (double)flames->total : 0;
  double x = MARGIN + scale * (double)left, width = scale * (double)value;
  unsigned hash = 5381, y = HEAD + (flames->depth - depth) * ROW;
  if (width < LEAST_WIDTH)
    return;
  for (const char *at = name; *at != 0; at++)
    hash = hash * 33 + (unsigned char)*at;
  fputs("<g><title>", out);
  print_escaped_markup_text(out, name);
  fprintf(out, ": %llu %s, %.2f%%</title>", (unsigned long long)value, unit,
          flames->total > 0 ? 100 * (double)value / (double)flames->total : 0);
  fprintf(out, "<rect x=\"%.1f\" y=\"%u\" width=\"%.1f\" height=\"%d\" fill=\"hsl(%u, %u%%, %u%%)\"/>", x, y, width,
          ROW - 1, 10 + hash % 40, 70 + hash / 40 % 25, 60 + hash / 1000 % 15);
  int letters = (int)((width - 6) / LETTER);
  if (letters >= 3) {
    char *shown =
        strlen(name) <= (size_t)letters ? format_string("%s", name) : format_string("%.*s..", letters - 2, name);
    fprintf(out, "<text x=\"%.1f\" y=\"%u\">", x + 3, y + ROW - 5);
    print_escaped_markup_text(out, shown);
    fputs("</text>", out);
    free(shown);
  }
  fputs("</g>\n", out);
}

/* Prints the calling contexts as a flame graph of the metric that --metric names.  It needs no scripts: a browser shows
   the whole name and value of a frame when the mouse is over it.  */
void print_flamegraph(FILE *out, struct model *model, const struct options *options) {
  struct stacks stacks = make_export_stacks(model, options);
  struct flames flames = make_flames(&stacks, options->weight);
  const char *unit = export_stacks_unit(&stacks, options->weight), *metric = option_metric_name(options->weight);
  place_flames(&flames);
  unsigned height = HEAD + (flames.depth + 1) * ROW + MARGIN;
  fprintf(out,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%u\" viewBox=\"0 0 %d %u\">\n"
          "<style>text { font: 12px monospace; pointer-events: none } .title { font: 600 15px sans-serif }</style>\n"
          "<rect width=\"%d\" height=\"%u\" fill=\"#ffffff\"/>\n<text class=\"title\" x=\"%d\" y=\"24\">",
          WIDTH, height, WIDTH, height, WIDTH, height, MARGIN);
  print_escaped_markup_text(out, base_name(stacks.path));
  fprintf(out, ": %s</text>\n", metric);
  print_flame(out, &flames, "all", 0, flames.total, 0, unit);
  for (size_t i = 0; i < flames.count; i++) {
    const struct frame *frame = &flames.frames[i];
    print_flame(out, &flames, frame->function->brief_name, frame->left, frame->total, frame->depth, unit);
  }
  fputs("</svg>\n", out);
  free(flames.frames);
  free(stacks.stacks);
}
