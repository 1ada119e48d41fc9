/* The command line of cilkprof-report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OPTIONS_H
#define CILKPROF_REPORT_OPTIONS_H

#include "cilkprof-report/options/section.h"
#include "cilkprof-report/options/symspec.h"
#include "cilkprof-report/support/terminal.h"

/* The metric that an export format shows if it can show only one.  */
enum weight {
  WEIGHT_WORK,
  WEIGHT_SPAN,
  WEIGHT_CALLS,
  WEIGHT_IDLENESS, /* this and the following need samples of a parallel run */
  WEIGHT_OVERHEAD,
  WEIGHT_WAITING,
  WEIGHTS
};

/* The rows of comma-separated values.  */
enum csv_rows {
  CSV_SITES,
  CSV_REGIONS,
  CSV_WHATIFS,
  CSV_USAGE,
  CSV_WORKERS,
  CSV_TRIALS,
  CSV_WASTE,
  CSV_EMULATION,
  CSV_EFFICIENCY,
  CSV_INFLATION
};
enum efficiency_by { EFFICIENCY_PROGRAM, EFFICIENCY_FUNCTIONS, EFFICIENCY_REGIONS };

/* How parallel sections inside other sections are emulated, in OpenMP loops.  */
enum section_nesting {
  NESTING_SHARED, /* each has its own team, whose threads are preempted as by an operating system */
  NESTING_SERIAL, /* each has one thread, the default of OpenMP */
  NESTING_PINNED, /* each has its own team, whose threads are bound to processors round-robin and not preempted */
};

struct options {
  const struct section_table *table;
  const char *program; /* NULL: the one that the profile names */
  char **profiles;
  size_t profile_count;
  section_set sections; /* to print */
  section_set named;    /* on the command line, by options that turn them on or off */
  bool all;             /* print tables despite --screen: --all, or an option of gprof that is about its tables */
  bool screen;          /* print the report that fits one screen in the place of sections */
  struct filter filters[FILTER_KINDS];

  unsigned processors;      /* number of processors that the verdict assumes */
  unsigned *processor_list; /* all that --processors names */
  size_t processor_count, processor_room;
  unsigned asked_processors; /* the last that --processors names, 0 without that option */
  unsigned width;            /* of the index of the call graph */
  unsigned terminal_width;   /* to which lines are fitted; 0: no limit */
  unsigned table_length;     /* of the list of lines below an annotated source */
  unsigned least_count;      /* executions below which a line is not listed */
  double least_context;      /* percent of the work and of the span below which a calling context is hidden */
  double least_top_down;     /* percent of the effort below which the top-down section hides a call path */
  double least_bottom_up;    /* percent of the effort below which the bottom-up section hides a function */
  unsigned debug;            /* verbosity of messages about the input */
  int demangle_style;
  enum csv_rows csv_rows;
  enum efficiency_by efficiency_by;

  bool whatif_auto;       /* print only the commands for what-if experiments */
  bool synthesize;        /* also run synthetic programs in addition to emulations */
  bool calibrate;         /* measure the costs of runtime systems for emulations, and do nothing else */
  bool brief;             /* do not explain the tables */
  bool unused;            /* also show functions and call sites that were never called */
  bool force;             /* accept a program that does not match, and overwrite any file */
  bool recover;           /* read the valid parts of damaged profiles */
  bool traditional;       /* print the call graph first, with the headings of BSD */
  bool gprof_columns;     /* print only the columns that gprof has */
  bool by_line;           /* separate calls from different lines */
  bool print_path;        /* print file names with their directories */
  unsigned top;           /* number of rows of a table; 0: all */
  bool wide;              /* print all columns even if the terminal is too narrow */
  bool full_names;        /* print function names with template arguments and parameters */
  bool inline_file_names; /* print file and line after a function name */
  bool all_lines;         /* annotate every line */
  bool separate_files;    /* write each annotated source to a file */
  bool no_static;         /* count a static function as part of the function before it */
  bool static_graph;      /* add calls that were never made to the call graph */
  bool only_functions;    /* leave out functions without a name */
  bool fold_recursion;    /* merge recursive calls in call paths of parallel runs */

  const char **source_folders; /* where sources are searched, terminated by NULL */
  size_t source_folder_count, source_folder_room;
  const char *debug_folders; /* where separate debugging information is searched */
  const char *symbol_table;  /* file in place of the program's symbols, or NULL */
  const char *plot;          /* file for the speedup plot */
  const char *html;          /* file for the page */
  const char *schedules;     /* to emulate, or NULL */
  const char *overheads;     /* costs for emulations, or NULL */
  const char *copies;        /* file of the samples of copies, or NULL */
  const char *cachegrind;    /* file of cachegrind or callgrind, or NULL */
  enum section_nesting nesting;
  const char *trials; /* file of running times, or NULL */
  const char *root;   /* to report on; NULL: the first one; empty: the whole program */
  const char **gate;  /* rules, as text */
  size_t gate_count, gate_room;
  const char *reference; /* build that the gate compares with, or NULL */
  bool color;            /* use colours */
  bool bars;             /* draw shares as bars as well: for the screen, on a terminal */
  bool no_pager;         /* do not start a pager on a terminal */
  enum color color_when; /* argument of --color */
  const char *output;    /* file name; NULL: standard output */
  const char *format;    /* name of an export format, or NULL */
  bool format_needs_places;
  enum weight weight; /* metric of that format */
  bool weight_asked;  /* --metric was given */
  bool diff;          /* compare two builds, which are named in place of the program and the profiles */
  char **arguments;   /* other than options */
  size_t argument_count;
  const char *file_mapping; /* file that maps functions to object files */
};

/* Parses the command line.  Exits with status 1 if it is wrong, and with status 0 after --help and --version.  */
struct options options_read(int argc, char **argv, const struct section_table *table);

const char *option_metric_name(enum weight weight);

#endif
