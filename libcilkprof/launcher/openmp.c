/* Sampling an OpenMP program, by a tool that is loaded with it.
   SPDX-License-Identifier: MIT

   The tool is preloaded, so that what the program does before its first parallel region is sampled, too; OpenMP's
   runtime finds it by its name.  gcc's runtime has no tools interface: LLVM's has, and also provides the functions
   that gcc's programs call.  Both are preloaded by LD_PRELOAD.  */

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/launcher/launcher.h"

/* Loads the newest of the libraries whose paths match PATTERN that can be loaded, and returns its handle; NULL if there
   is none.  Debian installs several versions next to each other.  */
static void *load_newest_libomp(const char *pattern) {
  glob_t found;
  void *library = NULL;
  if (glob(pattern, 0, NULL, &found) == 0)
    for (size_t i = found.gl_pathc; i > 0 && library == NULL; i--)
      library = dlopen(found.gl_pathv[i - 1], RTLD_LAZY);
  globfree(&found);
  return library;
}

/* Loads LLVM's OpenMP runtime, which takes the place of GCC's when PROGRAM is recorded, and returns its handle.  Fails
   if there is none, or none with the interface for tools.  */
static void *load_libomp_for_program(const struct program *program) {
  static const char *const names[] = {"libomp.so.5", "libomp.so", "libiomp5.so"};
  static const char *const patterns[] = {"/usr/lib/llvm-[0-9]/lib/libomp.so*",
                                         "/usr/lib/llvm-[0-9][0-9]/lib/libomp.so*"};
  void *library = NULL;
  for (size_t i = 0; library == NULL && i < sizeof names / sizeof *names; i++)
    library = dlopen(names[i], RTLD_LAZY);
  for (size_t i = sizeof patterns / sizeof *patterns; library == NULL && i > 0; i--)
    library = load_newest_libomp(patterns[i - 1]);
  if (library == NULL)
    fail(program->name, "sampling a program that uses GCC's OpenMP needs LLVM's runtime in its place, which is not "
                        "installed; run: apt-get install -y libomp5");
  if (dlsym(library, "ompt_start_tool") == NULL)
    fail(program->name, "this libomp was built without the tools interface (OMPT); run: apt-get install -y libomp5");
  return library;
}

/* The search for a function of libgomp that LIBRARY lacks.  Other functions with similar names do not matter.  */
struct lookup {
  void *library;
  const char *libgomp;
  char *candidate;
  bool missing;
};

/* Visits a symbol of libgomp: if it is a definition of the function that libomp lacks, that function is missing,
   because libgomp would be called.  */
static void confirm_recording_libgomp_defines(const char *name, bool defined, void *data) {
  struct lookup *lookup = data;
  lookup->missing |= defined && strcmp(name, lookup->candidate) == 0;
}

/* Visits a symbol of the program or of one of its libraries: if it refers to a function of libgomp that libomp lacks,
   notes that in the lookup DATA.  */
static void check_libomp_has_symbol(const char *name, bool defined, void *data) {
  struct lookup *lookup = data;
  if (defined || lookup->missing || (strncmp(name, "GOMP_", 5) != 0 && strncmp(name, "omp_", 4) != 0))
    return;
  char *plain = strndup(name, strcspn(name, "@")); /* full symbol tables have versioned names */
  if (plain == NULL)
    fail_without_memory();
  if (dlsym(lookup->library, plain) == NULL) {
    free(lookup->candidate);
    lookup->candidate = plain;
    launcher_visit_file_symbols(lookup->libgomp, confirm_recording_libgomp_defines, lookup);
  } else
    free(plain);
}

/* Fails if PROGRAM or one of its libraries calls a function of libgomp that the libomp in LIBRARY lacks.  Such a call
   would go to libgomp, which does not know the threads of libomp.  */
static void check_libomp_replaces_libgomp(const struct program *program, void *library) {
  struct lookup lookup = {.library = library};
  for (char **path = program->libraries; path != NULL && *path != NULL; path++)
    if (strstr(*path, "/libgomp.so") != NULL)
      lookup.libgomp = *path;
  if (lookup.libgomp == NULL)
    return;
  launcher_visit_file_symbols(program->path, check_libomp_has_symbol, &lookup);
  for (char **path = program->libraries; *path != NULL; path++)
    launcher_visit_file_symbols(*path, check_libomp_has_symbol, &lookup);
  if (lookup.missing)
    fail(program->name,
         "it calls %s, which this libomp does not provide; compile it with clang -fopenmp, or install a newer libomp",
         lookup.candidate);
  free(lookup.candidate);
}

/* Returns the path from which the dynamic linker loaded LIBRARY, without symbolic links, as only that tells the version
   in most systems; empty if it is unknown.  It is never freed.  */
static const char *loaded_libomp_path(void *library) {
  struct link_map *map = NULL;
  if (dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || map == NULL)
    return "";
  const char *real = realpath(map->l_name, NULL);
  return real != NULL ? real : map->l_name;
}

/* Sets LD_PRELOAD so that the tool is loaded with PROGRAM, and libomp where the program uses libgomp, or OPTIONS say
   that it loads it later.  Returns the variable CILKPROF_PRELOADED for the program's process.  */
struct setting prepare_openmp_recording(const struct program *program, const struct options *options) {
  const char *libomp = NULL;
  if (program->gomp || (options->openmp && !program->omp)) {
    void *library = load_libomp_for_program(program);
    check_libomp_replaces_libgomp(program, library);
    libomp = loaded_libomp_path(library);
  }
  if (getenv("OMP_TOOL") != NULL && setenv("OMP_TOOL", "enabled", 1) < 0)
    fail_without_memory();
  return prepare_recording_preload("libcilkprof-openmp.so", "install cilkprof again", libomp,
                                   find_launcher_processors().share);
}
