/* A gmon.out file: the self cost of each function, as samples of its first instruction, and the number of calls of each
   arc of the call graph.
   SPDX-License-Identifier: GPL-3.0-or-later

   Numbers of samples have 16 bits and numbers of calls have 32.  Larger numbers are split into several records, which
   gprof adds up.  gprof identifies functions by their addresses in a single program.  Loops are part of the functions
   that contain them.  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/exports/exports.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/options/options.h"
#include "cilkprof-report/support/support.h"

enum { TAG_HISTOGRAM = 0, TAG_ARC = 1, VERSION = 1, UNIT = 2 /* bytes of code in a histogram bin */ };
#define SAMPLES 4e6 /* of the whole program, approximately */

/* How costs are converted to samples, and samples to the dimension that gprof shows.  */
struct scale {
  double samples; /* samples per unit of the profile */
  uint32_t rate;  /* samples per unit of the dimension */
  char dimension[15], abbreviation;
};

/* Addresses and self costs of functions, by number.  */
struct addresses {
  uint64_t *of;   /* address in the program, 0: none */
  uint64_t *self; /* self cost */
  size_t without; /* number of functions that have a cost and no address */
};

/* Writes SIZE bytes to the gmon.out file as they are in memory.  */
static void put_gmon_bytes(FILE *out, const void *bytes, size_t size) {
  fwrite(bytes, 1, size, out);
}

/* Returns how the costs of a program of cost TOTAL are converted to samples of gmon.out: the unit, which is seconds or
   a power of a thousand instructions, because gprof prints only two decimals; and the number of samples for each unit,
   with which the whole program has about SAMPLES of them.  */
static struct scale choose_gmon_scale(const struct model *model, uint64_t total) {
  bool timed = model->run.units_per_second > 0;
  struct scale scale = {.abbreviation = timed ? 's' : 'i'};
  struct unit unit = model_unit_for_value(model, (double)total);
  double size = timed ? 1.0 / (double)model->run.units_per_second : unit.factor;
  double rate = SAMPLES / ((double)total * size);
  scale.rate = rate < 1 ? 1 : rate > 1e9 ? 1000000000 : (uint32_t)rate;
  scale.samples = size * scale.rate;
  snprintf(scale.dimension, sizeof scale.dimension, "%s", timed ? "seconds" : unit.name);
  return scale;
}

/* Writes SAMPLES samples of the instruction at ADDRESS to gmon.out, in as many records as their 16-bit numbers
   require.  */
static void put_gmon_histogram(FILE *out, uint64_t address, uint64_t samples, const struct scale *scale) {
  char tag = TAG_HISTOGRAM;
  uint64_t low = address & ~(uint64_t)(UNIT - 1), high = low + UNIT;
  uint32_t bins = 1;
  for (uint16_t part; samples > 0; samples -= part) {
    part = samples < UINT16_MAX ? (uint16_t)samples : UINT16_MAX;
    put_gmon_bytes(out, &tag, sizeof tag);
    put_gmon_bytes(out, &low, sizeof low);
    put_gmon_bytes(out, &high, sizeof high);
    put_gmon_bytes(out, &bins, sizeof bins);
    put_gmon_bytes(out, &scale->rate, sizeof scale->rate);
    put_gmon_bytes(out, scale->dimension, sizeof scale->dimension);
    put_gmon_bytes(out, &scale->abbreviation, sizeof scale->abbreviation);
    put_gmon_bytes(out, &part, sizeof part);
  }
}

/* Writes COUNT calls from the function at address FROM to the one at address TO, in as many records of gmon.out as
   their 32-bit numbers require.  */
static void put_gmon_arc(FILE *out, uint64_t from, uint64_t to, uint64_t count) {
  char tag = TAG_ARC;
  for (uint32_t part; count > 0; count -= part) {
    part = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
    put_gmon_bytes(out, &tag, sizeof tag);
    put_gmon_bytes(out, &from, sizeof from);
    put_gmon_bytes(out, &to, sizeof to);
    put_gmon_bytes(out, &part, sizeof part);
  }
}

/* Returns the addresses that functions have in the program, and their self costs, in work or span as WEIGHT says.
   Loops are added to the functions that contain them.  The caller frees the arrays.  */
static struct addresses find_gmon_addresses(const struct model *model, enum weight weight) {
  struct addresses addresses = {
      .of = allocate(model->functions.count, sizeof *addresses.of),
      .self = allocate(model->functions.count, sizeof *addresses.self),
  };
  const struct function **known = exported_functions(model);
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i], *shown = known[i];
    uint64_t self = weight == WEIGHT_SPAN ? function->self_on_span : function->self;
    if (shown->place.holder == model->program_file)
      addresses.of[i] = shown->place.address;
    else
      addresses.without += function->self > 0 && !function->merged;
    model_add_saturating(&addresses.self[shown->number], self);
  }
  free(known);
  return addresses;
}

/* Prints a gmon.out file for gprof: the self costs of functions as samples, and the calls of each call site.  Functions
   outside the program itself are left out, with a note.  */
void print_gmon(FILE *out, struct model *model, const struct options *options) {
  struct {
    char cookie[4];
    uint32_t version;
    char spare[12];
  } header = {{'g', 'm', 'o', 'n'}, VERSION, {0}};
  uint64_t total = options->weight == WEIGHT_SPAN ? model->totals.span : model_run_work(model);
  struct scale scale = choose_gmon_scale(model, total > 0 ? total : 1);
  struct addresses addresses = find_gmon_addresses(model, options->weight);
  put_gmon_bytes(out, &header, sizeof header);
  for (size_t i = 0; i < model->functions.count; i++)
    if (addresses.of[i] != 0)
      put_gmon_histogram(out, addresses.of[i], (uint64_t)llround((double)addresses.self[i] * scale.samples), &scale);
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller != NULL && !is_model_loop_site(site) && addresses.of[site->caller->number] != 0 &&
        addresses.of[site->callee->number] != 0)
      put_gmon_arc(out, addresses.of[site->caller->number], addresses.of[site->callee->number],
                   site->measured->on_work.local.count);
  }
  if (addresses.without > 0)
    note("--format=gmon", "%zu functions of shared libraries are left out: gprof cannot show them", addresses.without);
  free(addresses.of);
  free(addresses.self);
}
