/* The command line of cilkprof-report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OPTIONS_H
#define CILKPROF_REPORT_OPTIONS_H

#include "cilkprof-report/options/symspec.h"
#include "cilkprof-report/support/terminal.h"

/* The parts of the report, as a set.  */
enum section {
  SECTION_VERDICT = 1 << 0,
  SECTION_SUMMARY = 1 << 1,
  SECTION_FLAT = 1 << 2,
  SECTION_GRAPH = 1 << 3,
  SECTION_SITES = 1 << 4,
  SECTION_COUNTS = 1 << 6,
  SECTION_SOURCE = 1 << 7,
  SECTION_FUNCTION_ORDER = 1 << 8,
  SECTION_FILE_ORDER = 1 << 9,
  SECTION_INFO = 1 << 10,
  SECTION_SUM = 1 << 11,
  SECTION_CRITICAL_PATH = 1 << 12,
  SECTION_WHATIF = 1 << 13,
  SECTION_CONTEXTS = 1 << 14,
  SECTION_PLOT = 1 << 15,
  SECTION_HTML = 1 << 17,
  SECTION_REGIONS = 1 << 16,
  SECTION_TRIALS = 1 << 18,
  SECTION_WASTE = 1 << 19,
  SECTION_TOP_DOWN = 1 << 20,
  SECTION_BOTTOM_UP = 1 << 21,
  SECTION_EMULATION = 1 << 22,
};

/* Those of parallel runs.  */
enum { SECTIONS_OF_SAMPLES = SECTION_WASTE | SECTION_TOP_DOWN | SECTION_BOTTOM_UP };

/* What is shown where a format shows one thing.  */
enum weight {
  WEIGHT_WORK,
  WEIGHT_SPAN,
  WEIGHT_CALLS,
  WEIGHT_IDLENESS, /* from here on of parallel runs */
  WEIGHT_OVERHEAD,
  WEIGHT_WAITING,
  WEIGHTS
};

/* What has a row in comma-separated values.  */
enum csv_rows { CSV_SITES, CSV_REGIONS, CSV_WHATIFS, CSV_USAGE, CSV_TRIALS, CSV_WASTE, CSV_EMULATION };

/* Sections inside of sections, in OpenMP's loops.  */
enum section_nesting {
  NESTING_SHARED, /* each has a team of its own; threads share the processors as a system makes them */
  NESTING_SERIAL, /* each has one thread: OpenMP's default */
  NESTING_PINNED, /* each has a team, whose threads are bound to processors in turn, and not preempted */
};

struct options {
  const char *program; /* NULL: the one that the profile names */
  char **profiles;
  size_t profile_count;
  unsigned sections; /* to print */
  unsigned named;    /* that the command line mentions, with or without "no" */
  struct filter filters[FILTER_KINDS];

  unsigned processors;      /* for which the verdict is */
  unsigned *processor_list; /* all that were asked for */
  size_t processor_count, processor_room;
  unsigned asked_processors; /* the same, 0 when it is only this machine's number */
  unsigned width;            /* of the index of the call graph */
  unsigned terminal_width;   /* that lines are to fit; 0: as wide as they are */
  unsigned table_length;     /* of the lines that are called most */
  unsigned least_count;      /* of executions that are worth a line */
  double least_share;        /* of the work or the span, in percent, that makes a calling context worth a line */
  double least_effort[2];    /* likewise of the effort of a parallel run: top-down and bottom-up */
  unsigned debug;            /* how much to tell of what is read */
  int demangle_style;
  enum csv_rows csv_rows;

  bool whatif_auto;       /* only the commands that answer what-if */
  bool synthesize;        /* run programs that do what is emulated */
  bool calibrate;         /* measure what emulations take runtime systems to cost, and nothing else */
  bool brief;             /* no explanations */
  bool unused;            /* also what was never called */
  bool force;             /* also what does not match */
  bool recover;           /* also what is left of damaged profiles */
  bool traditional;       /* the call graph first, with BSD's headings */
  bool gprof_columns;     /* no others */
  bool by_line;           /* calls from different lines apart */
  bool print_path;        /* whole names of files */
  unsigned top;           /* rows of a table; 0: all */
  bool wide;              /* all columns, however narrow the terminal is */
  bool full_names;        /* names of functions with their template arguments */
  bool inline_file_names; /* beside the names of functions */
  bool all_lines;         /* annotate every line */
  bool separate_files;    /* for annotated sources */
  bool no_static;         /* static functions belong to those before them */
  bool static_graph;      /* also calls that were never made */
  bool only_functions;    /* nothing that has no name */
  bool fold_recursion;    /* in contexts of parallel runs, a function below itself is the one above */

  const char **source_folders; /* ended by NULL */
  size_t source_folder_count, source_folder_room;
  const char *debug_folders; /* with what was stripped off programs */
  const char *symbol_table;  /* instead of the program's; or NULL */
  const char *plot;          /* file of the speedup plot */
  const char *html;          /* file of the page */
  const char *schedules;     /* to emulate, or NULL */
  const char *overheads;     /* of these, or NULL */
  const char *cachegrind;    /* a file of valgrind's, or NULL */
  enum section_nesting nesting;
  const char *trials; /* file of running times; or NULL */
  const char *root;   /* that the report is of; NULL: the first one; empty: the whole program */
  const char **gate;  /* texts of rules */
  size_t gate_count, gate_room;
  const char *reference; /* build that the gate compares with; or NULL */
  bool color;            /* in the output */
  bool no_pager;         /* even on a terminal */
  enum color color_when; /* it was asked for */
  const char *output;    /* file; NULL: standard output */
  const char *format;    /* of an export, or NULL */
  bool format_needs_places;
  enum weight weight; /* that it shows */
  bool weight_asked;
  bool diff;        /* compare the two builds that are named instead of program and profiles */
  char **arguments; /* without options */
  size_t argument_count;
  const char *file_mapping; /* which object file has which function */
};

/* Exits with status 1 when the command line is wrong, with 0 after --help and --version.  */
struct options options_read(int argc, char **argv);

const char *weight_name(enum weight weight);

/* Whether anything was asked for but what the profiles are, and their sum.  */
bool options_need_model(const struct options *options);

/* Whether anything that was asked for needs to know where functions are defined.  */
bool options_need_places(const struct options *options);

#endif
