/* The plugin that gcc loads.  It loads the one that was built for this version of gcc, from the folder gcc-VERSION
   beside it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Plugins fit one version of GCC only, and so do its headers.  What this file uses of them is the same in all.  */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct plugin_name_args {
  char *base_name;
  const char *full_name;
};

struct plugin_gcc_version {
  const char *basever, *datestamp, *devphase, *revision, *configuration_arguments;
};

#define TARGET "--target=" /* what gcc was configured with to say which system it compiles for */

typedef int initializer(struct plugin_name_args *arguments, struct plugin_gcc_version *version);
extern int plugin_is_GPL_compatible;
extern initializer plugin_init;
int plugin_is_GPL_compatible;

/* Reports why the plugin at PATH cannot be loaded by the RUNNING gcc, and ends it: the plugin is missing, or was built
   for a gcc that compiles for another system, or for another release of it, which has other functions.  */
static void refuse_to_load_plugin(const char *path, const struct plugin_gcc_version *running) {
  const char *why = dlerror(), *version = running->basever, *target = strstr(running->configuration_arguments, TARGET);
  target = target ? target + strlen(TARGET) : BUILT_FOR;
  int major = atoi(version), length = (int)strcspn(target, " ");
  if (access(path, F_OK) == 0 && (length != (int)strlen(BUILT_FOR) || strncmp(target, BUILT_FOR, (size_t)length) != 0))
    fprintf(stderr,
            "gcc: error: -fcilkprof: cilkprof was built for gcc %d for %s, but this is gcc %s for %.*s (%s); rebuild "
            "or reinstall cilkprof for it\n",
            major, BUILT_FOR, version, length, target, why);
  else if (access(path, F_OK) == 0)
    fprintf(stderr,
            "gcc: error: -fcilkprof: cilkprof was built for another release of gcc %d, but this is gcc %s (%s); "
            "rebuild or reinstall cilkprof for it\n",
            major, version, why);
  else
    fprintf(
        stderr,
        "gcc: error: -fcilkprof: cilkprof has no plugin for gcc %d (no %s); install the package cilkprof-gcc-%d, or "
        "build it with PLUGIN_CXX=g++-%d\n",
        major, path, major, major);
  exit(1);
}

/* Loads the plugin of the same name that was built for this major VERSION of gcc, from the folder gcc-VERSION beside
   this one, and starts it with ARGUMENTS.  Ends the compiler if that fails; else returns 0.  */
int plugin_init(struct plugin_name_args *arguments, struct plugin_gcc_version *version) {
  const char *name = strrchr(arguments->full_name, '/');
  int folder = name ? (int)(name - arguments->full_name) : 0, major = atoi(version->basever);
  char path[4096];
  snprintf(path, sizeof path, "%.*s/gcc-%d%s", folder, arguments->full_name, major, name ? name : "");
  void *plugin = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  initializer *start = plugin ? (initializer *)dlsym(plugin, "plugin_init") : NULL;
  if (!start)
    refuse_to_load_plugin(path, version);
  if (start(arguments, version) != 0)
    exit(1); /* it has printed why, and gcc would only repeat that it failed */
  return 0;
}
