/* cilkprof cc, cilkprof c++ and cilkprof fortran: compile a program for profiling, or to run in parallel.
   SPDX-License-Identifier: MIT  */

#include <string.h>

#include "libcilkprof/command/command.h"

/* Becomes PROFILING, the compiler that instruments, or with the option --parallel PARALLEL, the one that makes a Cilk
   program run in parallel.  */
__attribute__((noreturn)) static void compile(const char *profiling, const char *parallel, char **argv) {
  struct arguments arguments = {0};
  bool runs_parallel = false;
  add_command_argument(&arguments, profiling);
  for (char **word = argv + 1; *word != NULL; word++)
    if (strcmp(*word, "--parallel") == 0)
      runs_parallel = true;
    else
      add_command_argument(&arguments, *word);
  if (runs_parallel)
    add_command_argument(&arguments, "-fcilkplus");
  become_command_tool(runs_parallel ? parallel : profiling, &arguments);
}

/* Becomes the C compiler, with the arguments that the command was given.  Does not return.  */
int compile_c(int argc, char **argv) {
  (void)argc;
  compile("bin/cilkprof-cc", "lib/cilkprof/bin/cc", argv);
}

/* Becomes the C++ compiler, with the arguments that the command was given.  Does not return.  */
int compile_cxx(int argc, char **argv) {
  (void)argc;
  compile("bin/cilkprof-c++", "lib/cilkprof/bin/c++", argv);
}

/* Becomes the Fortran compiler, with the arguments that the command was given.  Does not return.  */
int compile_fortran(int argc, char **argv) {
  (void)argc;
  compile("bin/cilkprof-fortran", "lib/cilkprof/bin/gfortran", argv);
}
