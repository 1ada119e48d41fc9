/* cilkprof-run: profiles a program compiled with -fcilkprof, after reference runs without events; samples a run of a
   parallel program; or measures the running times of a program on several numbers of processors.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/launcher/launcher.h"

/* Runs cilkprof-run: reads the command line, looks at the program, and does with it what the options say.  Returns the
   exit status.  */
int main(int argc, char **argv) {
  struct options options = launcher_options_read(argc, argv);
  struct program program = find_launched_program(options.argv);
  return launch(&program, &options);
}
