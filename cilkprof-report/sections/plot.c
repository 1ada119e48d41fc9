/* The speedup plot of Cilkview.  The name of the file selects the format: SVG is drawn here, others by gnuplot.
   SPDX-License-Identifier: GPL-3.0-or-later

   The script for gnuplot and its data are kept, so that users can change the plot.  */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/output.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/tables/speedup.h"

static const char mark[] = "# Made by cilkprof-report";

/* The files of a plot by gnuplot.  */
struct plot {
  const char *terminal; /* terminal of gnuplot; NULL: only the script is written */
  const char *picture, *script, *data;
};

/* Returns the files of a plot by gnuplot, whose NAME ends in .png or .gp: picture, script and data.  Fails for any
   other name, or if gnuplot could not read it.  */
static struct plot gnuplot_files_of(const char *name) {
  static const struct {
    const char *suffix, *terminal;
  } kinds[] = {
      {".png", "pngcairo size 1200,900 font 'sans-serif,18'"},
      {".gp", NULL},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(name), suffix = strlen(kinds[i].suffix);
    if (length <= suffix || strcmp(name + length - suffix, kinds[i].suffix) != 0)
      continue;
    if (strpbrk(name, "'`") != NULL)
      fail(name, "gnuplot cannot read a name with quotes");
    int stem = (int)(length - suffix);
    return (struct plot){kinds[i].terminal, name, format_string("%.*s.gp", stem, name),
                         format_string("%.*s.dat", stem, name)};
  }
  fail(name, "a plot is text, or a file whose name ends in .svg, .png or .gp");
}

/* Opens a script or data file for gnuplot and writes its first line.  A file that cilkprof-report did not make is
   replaced only if it is the one that the user NAMED, or with FORCE.  */
static FILE *create_gnuplot_file(const char *path, bool named, bool force) {
  char line[sizeof mark] = "";
  FILE *file = fopen(path, "re");
  bool ours = file != NULL && fgets(line, sizeof line, file) != NULL && strcmp(line, mark) == 0;
  if (file != NULL)
    fclose(file);
  if (file != NULL && !ours && !named && !force)
    fail(path, "it exists and was not written by cilkprof-report; remove it, or choose another name");
  file = output_open(path, force);
  fprintf(file, "%s\n", mark);
  return file;
}

/* Writes the emulated speedups to the data file for gnuplot, with a column for each schedule.  */
static void write_gnuplot_forecasts(FILE *out, const struct forecasts *forecasts) {
  fputs("\n\n# processors, emulated speedup:", out);
  for (size_t s = 0; s < forecasts->schedule_count; s++)
    fprintf(out, " %s", forecasts->schedules[s].name);
  fputs("\n", out);
  for (size_t p = 0; p < forecasts->processor_count; p++) {
    fprintf(out, "%u", forecasts->processors[p]);
    for (size_t s = 0; s < forecasts->schedule_count; s++) {
      double speedup = forecast_speedup(forecasts, forecast_at(forecasts, s, p));
      fprintf(out, speedup > 0 ? " %.6g" : " NaN", speedup);
    }
    fputs("\n", out);
  }
}

/* Writes the data file for gnuplot: the bounds of the speedup on up to MOST processors, emulated and measured
   speedups.  */
static void write_gnuplot_data(const struct plot *plot, const struct model *model, unsigned most,
                               const struct forecasts *forecasts, bool force) {
  const struct trials *trials = &model->trials;
  const struct speedup_limits limits = speedup_plot_limits(model);
  enum { POINTS = 512 };
  unsigned step = (most + POINTS - 1) / POINTS, processors = 1;
  FILE *out = create_gnuplot_file(plot->data, false, force);
  fputs("# processors, upper bound, lower bound of the speedup\n", out);
  while (processors <= most) {
    fprintf(out, "%u %.6g %.6g\n", processors, speedup_upper_bound(&limits, processors),
            speedup_lower_bound(&limits, processors));
    processors = processors < most && processors + step > most ? most : processors + step;
  }
  if (forecasts->schedule_count > 0)
    write_gnuplot_forecasts(out, forecasts);
  fputs("\n\n# processors, measured speedup, seconds\n", out);
  for (size_t i = 0; i < trials->count; i++)
    if (!trials->trials[i].copy)
      fprintf(out, "%u %.6g %.6g\n", trials->trials[i].processors, trials->trials[i].speedup,
              trials->trials[i].seconds);
  output_close(out);
}

/* Prints a string for gnuplot in single quotes.  In double quotes gnuplot would execute text between backquotes.
   Quotes and backquotes inside the string become typographic quotes.  */
static void print_gnuplot_string(FILE *out, const char *string) {
  char *escaped = escape(string);
  putc('\'', out);
  for (const char *at = escaped; *at != 0; at++)
    if (*at == '\'' || *at == '`')
      fputs("\u2019", out);
    else
      putc(*at, out);
  putc('\'', out);
  free(escaped);
}

/* Writes the rest of gnuplot's plot command: the lines of emulated speedups and the measured points.  */
static void write_gnuplot_lines(FILE *out, const struct model *model, const struct forecasts *forecasts) {
  for (size_t s = 0; s < forecasts->schedule_count; s++) {
    const char *dashes = forecasts->schedules[s].kind == SCHEDULE_GREEDY ? " dashtype 3" : "";
    fprintf(out, ", \\\n     data index 1 using 1:%zu with linespoints%s title ", s + 2, dashes);
    print_gnuplot_string(out, forecasts->schedules[s].name);
  }
  if (model->trials.count > 0)
    fprintf(out, ", \\\n     data index %d using 1:2 with points pointtype 7 linecolor rgb '#000000' title 'measured'",
            forecasts->schedule_count > 0 ? 2 : 1);
  fputs("\n", out);
}

/* Writes the script with which gnuplot draws the speedup plot for up to MOST processors.  */
static void write_gnuplot_script(const struct plot *plot, const struct model *model, unsigned most,
                                 const struct forecasts *forecasts, bool force) {
  const struct speedup_limits limits = speedup_plot_limits(model);
  double parallelism = (double)limits.totals.work / (double)limits.totals.span;
  FILE *out = create_gnuplot_file(plot->script, plot->terminal == NULL, force);
  if (plot->terminal != NULL) {
    fprintf(out, "set terminal %s\nif (!exists(\"picture\")) picture = ", plot->terminal);
    print_gnuplot_string(out, plot->picture);
    fputs("\nset output picture\n", out);
  }
  char *title = table_program_command_text(&model->program);
  fputs("set title ", out);
  print_gnuplot_string(out, title);
  free(title);
  fprintf(out,
          " noenhanced\nset xlabel 'processors'\nset ylabel 'speedup'\nset xrange [0:%u]\nset yrange [0:%u]\n"
          "set key top left Left reverse\nset grid\nparallelism = %.6g\ndata = ",
          most, most, parallelism);
  print_gnuplot_string(out, plot->data);
  if (forecasts->schedule_count > 0 && most > MAX_LINEAR)
    fprintf(out, "\nset logscale xy 2\nset xrange [1:%u]\nset yrange [0.5:%u]", most, most);
  fputs("\nplot data index 0 using 1:3:2 with filledcurves fillcolor rgb '#dce8f4' title 'expected', \\\n"
        "     data index 0 using 1:1 with lines linewidth 2 linecolor rgb '#808080' dashtype 2 title 'linear', \\\n",
        out);
  if (parallelism < most)
    fputs("     parallelism with lines linewidth 2 linecolor rgb '#c04040' title "
          "sprintf('span law: parallelism %.2f', parallelism), \\\n",
          out);
  fputs("     data index 0 using 1:3 with lines linewidth 2 linecolor rgb '#2060a0' title 'lower bound from the "
        "burdened span'",
        out);
  write_gnuplot_lines(out, model, forecasts);
  output_close(out);
}

/* Runs gnuplot on SCRIPT and lets it write to PICTURE.  Returns its exit status; 127 if it is not installed.  */
static int run_gnuplot(const char *script, FILE *picture) {
  int status;
  pid_t process = fork();
  if (process < 0)
    fail("gnuplot", "%s", strerror(errno));
  if (process == 0) {
    dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
    dup2(fileno(picture), STDOUT_FILENO);
    const char *file = script[0] == '-' ? format_string("./%s", script) : script; /* otherwise it would be an option */
    execlp("gnuplot", "gnuplot", "-e", "picture = '/dev/stdout'", file, (char *)NULL);
    _exit(127);
  }
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* Draws the picture of PLOT by running gnuplot on its script.  Fails if gnuplot is not installed or fails.  FORCE lets
   it overwrite the picture.  */
static void draw_gnuplot_picture(const struct plot *plot, bool force) {
  FILE *picture = output_open(plot->picture, force);
  int status = run_gnuplot(plot->script, picture);
  if (status == 127)
    fail(plot->picture, "gnuplot is not installed; install it and run: gnuplot %s; or name an .svg", plot->script);
  if (status != 0)
    fail(plot->picture, "gnuplot could not make it; see what it says: gnuplot %s", plot->script);
  output_close(picture);
}

/* Returns whether the plot called NAME is an SVG file, which needs no gnuplot.  Standard output is one.  */
static bool is_plot_svg(const char *name) {
  size_t length = strlen(name);
  return output_is_standard(name) || (length > 4 && strcmp(name + length - 4, ".svg") == 0);
}

/* Writes the files of --plot: an SVG, or a script and data for gnuplot and the picture that it draws.  Only the plot as
   text is printed to OUT.  */
void print_plot(FILE *out, struct model *model, const struct options *options) {
  bool text = strcmp(options->plot, "text") == 0, svg = !text && is_plot_svg(options->plot);
  struct plot plot = svg || text ? (struct plot){0} : gnuplot_files_of(options->plot);
  if (speedup_plot_limits(model).totals.span == 0)
    fail(options->plot, "the profile contains no work: there is nothing to plot");
  if (text) {
    print_plot_text(out, model, speedup_plot_processors(model, options), options);
    return;
  }
  if (svg) {
    write_plot_svg(model, speedup_plot_processors(model, options), options);
    return;
  }
  unsigned most = speedup_plot_processors(model, options);
  struct forecasts forecasts = forecasts_of_analysed_model(model, options, NULL);
  write_gnuplot_data(&plot, model, most, &forecasts, options->force);
  write_gnuplot_script(&plot, model, most, &forecasts, options->force);
  if (plot.terminal != NULL)
    draw_gnuplot_picture(&plot, options->force);
}
