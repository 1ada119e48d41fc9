/* The speedup plot of Cilkview, through gnuplot.
   SPDX-License-Identifier: GPL-3.0-or-later

   The script and the data are always written, so that a plot can be changed by hand.  gnuplot makes the picture.  */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cilkprof-report/analysis/trials.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/support/support.h"

static const char mark[] = "# Made by cilkprof-report";

/* The files of one plot.  */
struct plot {
  const char *terminal; /* of gnuplot; NULL: only the script is wanted */
  const char *picture, *script, *data;
};

static struct plot plot_of(const char *name) {
  if (strpbrk(name, "'`") != NULL)
    fail(name, "gnuplot cannot read a name with quotes");
  static const struct {
    const char *suffix, *terminal;
  } kinds[] = {
      {".svg", "svg size 800,600 dynamic font 'sans-serif,14' background '#ffffff'"},
      {".png", "pngcairo size 1200,900 font 'sans-serif,18'"},
      {".gp", NULL},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    size_t length = strlen(name), suffix = strlen(kinds[i].suffix);
    if (length <= suffix || strcmp(name + length - suffix, kinds[i].suffix) != 0)
      continue;
    int stem = (int)(length - suffix);
    return (struct plot){kinds[i].terminal, name, format_string("%.*s.gp", stem, name),
                         format_string("%.*s.dat", stem, name)};
  }
  fail(name, "the name of a plot must end in .svg, .png or .gp");
}

/* Only the file that the user named is replaced whatever it holds.  */
static FILE *create(const char *path, bool named) {
  char line[sizeof mark] = "";
  FILE *file = fopen(path, "re");
  bool ours = file != NULL && fgets(line, sizeof line, file) != NULL && strcmp(line, mark) == 0;
  if (file != NULL)
    fclose(file);
  if (file != NULL && !ours && !named)
    fail(path, "it exists and was not made by cilkprof-report; remove it, or name another plot");
  file = fopen(path, "we");
  if (file == NULL)
    fail(path, "%s", strerror(errno));
  fprintf(file, "%s\n", mark);
  return file;
}

static void finish(FILE *file, const char *path) {
  bool wrong = ferror(file);
  if (fclose(file) != 0 || wrong)
    fail(path, "%s", strerror(errno));
}

static void write_data(const struct plot *plot, const struct model *model, unsigned most, const struct trials *trials) {
  enum { POINTS = 512 };
  unsigned step = (most + POINTS - 1) / POINTS, processors = 1;
  FILE *out = create(plot->data, false);
  fputs("# processors, upper bound, lower bound of the speedup\n", out);
  while (processors <= most) {
    fprintf(out, "%u %.6g %.6g\n", processors, speedup_upper(&model->totals, processors),
            speedup_lower(&model->totals, processors));
    processors = processors < most && processors + step > most ? most : processors + step;
  }
  fputs("\n\n# processors, measured speedup, seconds\n", out);
  for (size_t i = 0; i < trials->count; i++)
    fprintf(out, "%u %.6g %.6g\n", trials->trials[i].processors, trials->trials[i].speedup, trials->trials[i].seconds);
  finish(out, plot->data);
}

/* In other strings gnuplot would run what stands between backquotes.  A quote becomes a printer's one.  */
static void print_string(FILE *out, const char *string) {
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

static void print_title(FILE *out, const struct cilkprof_program *program) {
  char *text;
  size_t size;
  FILE *title = open_memstream(&text, &size);
  if (title == NULL)
    fail("the title of the plot", "%s", strerror(errno));
  print_command(title, program);
  fclose(title);
  text[strcspn(text, "\n")] = 0;
  print_string(out, text);
  free(text);
}

static void write_script(const struct plot *plot, const struct model *model, unsigned most,
                         const struct trials *trials) {
  double parallelism = (double)model->totals.work / (double)model->totals.span;
  FILE *out = create(plot->script, plot->terminal == NULL);
  if (plot->terminal != NULL) {
    fprintf(out, "set terminal %s\nset output ", plot->terminal);
    print_string(out, plot->picture);
    putc('\n', out);
  }
  fputs("set title ", out);
  print_title(out, &model->program);
  fprintf(out,
          " noenhanced\nset xlabel 'processors'\nset ylabel 'speedup'\nset xrange [0:%u]\nset yrange [0:%u]\n"
          "set key top left Left reverse\nset grid\nparallelism = %.6g\ndata = ",
          most, most, parallelism);
  print_string(out, plot->data);
  fputs("\nplot data index 0 using 1:3:2 with filledcurves fillcolor rgb '#dce8f4' title 'expected', \\\n"
        "     data index 0 using 1:1 with lines linewidth 2 linecolor rgb '#808080' dashtype 2 title 'linear', \\\n",
        out);
  if (parallelism < most)
    fputs("     parallelism with lines linewidth 2 linecolor rgb '#c04040' title "
          "sprintf('span law: parallelism %.2f', parallelism), \\\n",
          out);
  fprintf(out,
          "     data index 0 using 1:3 with lines linewidth 2 linecolor rgb '#2060a0' title 'lower bound from the "
          "burdened span'%s\n",
          trials->count > 0 ? ", \\" : "");
  if (trials->count > 0)
    fputs("     data index 1 using 1:2 with points pointtype 7 linecolor rgb '#000000' title 'measured'\n", out);
  finish(out, plot->script);
}

/* Returns the status of gnuplot; 127 when there is none.  */
static int run_gnuplot(const char *script) {
  int status;
  pid_t process = fork();
  if (process < 0)
    fail("gnuplot", "%s", strerror(errno));
  if (process == 0) {
    int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    dup2(nowhere, STDOUT_FILENO);
    execlp("gnuplot", "gnuplot", "--", script, (char *)NULL);
    _exit(127);
  }
  while (waitpid(process, &status, 0) < 0 && errno == EINTR)
    ;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

void print_plot(FILE *out, struct model *model, const struct options *options) {
  struct plot plot = plot_of(options->plot);
  struct trials trials = trials_read(options->trials, model);
  (void)out;
  if (model->totals.span == 0)
    fail(options->plot, "the profile has no work: there is nothing to plot");
  unsigned most = trials_processors(&trials, options->processors);
  write_data(&plot, model, most, &trials);
  write_script(&plot, model, most, &trials);
  int status = plot.terminal != NULL ? run_gnuplot(plot.script) : 0;
  if (status == 127)
    fail(plot.picture, "gnuplot is not installed; install it and run: gnuplot %s", plot.script);
  if (status != 0)
    fail(plot.picture, "gnuplot could not make it; see what it says: gnuplot %s", plot.script);
}
