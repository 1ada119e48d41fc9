/* Tables of measurements, and what differs between two.
   SPDX-License-Identifier: MIT  */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/oracle/measure.h"

enum { VALUES = sizeof(struct cilkprof_measures) / sizeof(uint64_t), TOTALS = 5 };

static const char *const value_names[VALUES] = {
    "top_call_site_count", "top_call_site_work", "top_call_site_span", "top_call_site_burdened_span",
    "top_caller_count",    "top_caller_work",    "top_caller_span",    "top_caller_burdened_span",
    "local_count",         "local_work",         "local_span",         "local_burdened_span"};
static const char *const total_names[TOTALS] = {"work", "span", "burdened_span", "spawns", "syncs"};

/* Adds the measurements MORE to TO.  */
static void oracle_add_up(struct cilkprof_measures *to, const struct cilkprof_measures *more) {
  uint64_t sum[VALUES], addend[VALUES];
  memcpy(sum, to, sizeof sum);
  memcpy(addend, more, sizeof addend);
  for (int i = 0; i < VALUES; i++)
    sum[i] += addend[i];
  memcpy(to, sum, sizeof sum);
}

/* Adds a row to TABLE, which frees NAME from now on.  */
void oracle_table_add(struct table *table, char *name, const struct cilkprof_measures *on_work,
                      const struct cilkprof_measures *on_span) {
  if (table->count == table->room) {
    table->room = table->room ? 2 * table->room : 64;
    table->rows = oracle_reallocate(table->rows, table->room * sizeof *table->rows);
  }
  table->rows[table->count++] = (struct row){name, *on_work, *on_span};
}

/* Adds a copy of ROW to TABLE, which frees its candidate from now on.  */
void oracle_table_add_whatif(struct table *table, const struct whatif_row *row) {
  table->whatifs = oracle_reallocate(table->whatifs, (table->whatif_count + 1) * sizeof *table->whatifs);
  table->whatifs[table->whatif_count++] = *row;
}

/* Callback of qsort: compares two rows by name.  */
static int oracle_compare_rows(const void *a, const void *b) {
  return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

/* Sorts the rows of TABLE by name, and adds up those of the same name: the compiler may make several sites of one.  */
void oracle_table_sort(struct table *table) {
  qsort(table->rows, table->count, sizeof *table->rows, oracle_compare_rows);
  size_t kept = 0;
  for (size_t i = 1; i < table->count; i++) {
    struct row *last = &table->rows[kept], *row = &table->rows[i];
    if (strcmp(last->name, row->name) != 0) {
      table->rows[++kept] = *row;
      continue;
    }
    oracle_add_up(&last->on_work, &row->on_work);
    oracle_add_up(&last->on_span, &row->on_span);
    free(row->name);
  }
  if (table->count)
    table->count = kept + 1;
}

/* Prints which measurements of the site NAME differ.  Returns how many.  */
static int oracle_compare_values(const char *name, const char *which, const struct cilkprof_measures *wanted,
                                 const struct cilkprof_measures *got) {
  uint64_t want[VALUES], have[VALUES];
  int differences = 0;
  memcpy(want, wanted, sizeof want);
  memcpy(have, got, sizeof have);
  for (int i = 0; i < VALUES; i++)
    if (want[i] != have[i]) {
      printf("%s: %s_%s: oracle %" PRIu64 ", engine %" PRIu64 "\n", name, which, value_names[i], want[i], have[i]);
      differences++;
    }
  return differences;
}

/* Prints which totals differ.  Returns how many.  */
static int oracle_compare_totals(const struct cilkprof_totals *wanted, const struct cilkprof_totals *got) {
  uint64_t want[TOTALS], have[TOTALS];
  int differences = 0;
  memcpy(want, wanted, sizeof want);
  memcpy(have, got, sizeof have);
  for (int i = 0; i < TOTALS; i++)
    if (want[i] != have[i]) {
      printf("program: %s: oracle %" PRIu64 ", engine %" PRIu64 "\n", total_names[i], want[i], have[i]);
      differences++;
    }
  return differences;
}

/* Compares a region's own values, and prints them if they differ.  Returns whether they do.  */
static int oracle_compare_own(const struct cilkprof_measure *wanted, const struct cilkprof_measure *got) {
  if (!memcmp(wanted, got, sizeof *wanted))
    return 0;
  printf("region's own: oracle %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 ", engine %" PRIu64 " %" PRIu64 " %" PRIu64
         " %" PRIu64 "\n",
         wanted->count, wanted->work, wanted->span, wanted->burdened_span, got->count, got->work, got->span,
         got->burdened_span);
  return 1;
}

/* Prints what-if I of TABLE, which is that of WHO.  */
static void oracle_print_whatif(const char *who, const struct table *table, size_t i) {
  if (i >= table->whatif_count) {
    printf("what-if: %s: none\n", who);
    return;
  }
  const struct whatif_row *row = &table->whatifs[i];
  printf("what-if: %s: %s / %" PRIu64 ": count %" PRIu64 " work %" PRIu64 " span %" PRIu64 "\n", who, row->candidate,
         row->faster, row->count, row->work, row->span);
}

/* Prints which what-ifs differ.  Returns how many.  */
static int oracle_compare_whatifs(const struct table *wanted, const struct table *got) {
  size_t count = wanted->whatif_count > got->whatif_count ? wanted->whatif_count : got->whatif_count;
  int differences = 0;
  for (size_t i = 0; i < count; i++) {
    if (i < wanted->whatif_count && i < got->whatif_count) {
      const struct whatif_row *a = &wanted->whatifs[i], *b = &got->whatifs[i];
      if (!strcmp(a->candidate, b->candidate) && a->faster == b->faster && a->count == b->count && a->work == b->work &&
          a->span == b->span)
        continue;
    }
    oracle_print_whatif("oracle", wanted, i);
    oracle_print_whatif("engine", got, i);
    differences++;
  }
  return differences;
}

/* Prints what differs between WANTED, the oracle's table, and GOT, the engine's; both are sorted.  Returns how many
   values and rows do.  */
int oracle_table_compare(const struct table *wanted, const struct table *got) {
  int differences = oracle_compare_totals(&wanted->totals, &got->totals) + oracle_compare_own(&wanted->own, &got->own) +
                    oracle_compare_whatifs(wanted, got);
  size_t i = 0, j = 0;
  while (i < wanted->count || j < got->count) {
    int order = i == wanted->count ? 1 : j == got->count ? -1 : strcmp(wanted->rows[i].name, got->rows[j].name);
    if (order == 0) {
      differences +=
          oracle_compare_values(wanted->rows[i].name, "on_work", &wanted->rows[i].on_work, &got->rows[j].on_work) +
          oracle_compare_values(wanted->rows[i].name, "on_span", &wanted->rows[i].on_span, &got->rows[j].on_span);
      i++, j++;
    } else {
      printf("%s: only the %s has it\n", order < 0 ? wanted->rows[i].name : got->rows[j].name,
             order < 0 ? "oracle" : "engine");
      differences++;
      if (order < 0)
        i++;
      else
        j++;
    }
  }
  return differences;
}

/* Prints MEASURES on the current line.  */
static void oracle_print_values(const struct cilkprof_measures *measures) {
  uint64_t values[VALUES];
  memcpy(values, measures, sizeof values);
  for (int i = 0; i < VALUES; i++)
    printf("%s%" PRIu64, i % 4 ? " " : "  ", values[i]);
}

/* Prints TABLE, for a run that is not compared with a profile.  */
void oracle_table_print(const struct table *table) {
  printf("work %" PRIu64 " span %" PRIu64 " burdened_span %" PRIu64 " spawns %" PRIu64 " syncs %" PRIu64 "\n",
         table->totals.work, table->totals.span, table->totals.burdened_span, table->totals.spawns,
         table->totals.syncs);
  for (size_t i = 0; i < table->count; i++) {
    printf("%s\n  work:", table->rows[i].name);
    oracle_print_values(&table->rows[i].on_work);
    printf("\n  span:");
    oracle_print_values(&table->rows[i].on_span);
    putchar('\n');
  }
  for (size_t i = 0; i < table->whatif_count; i++)
    oracle_print_whatif("oracle", table, i);
}

/* Frees the rows and what-ifs of TABLE.  */
void oracle_table_free(struct table *table) {
  for (size_t i = 0; i < table->count; i++)
    free(table->rows[i].name);
  free(table->rows);
  for (size_t i = 0; i < table->whatif_count; i++)
    free(table->whatifs[i].candidate);
  free(table->whatifs);
}
