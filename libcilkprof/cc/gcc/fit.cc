/* Checks that a plugin fits the compiler that loads it.
   SPDX-License-Identifier: GPL-3.0-or-later

   A plugin has the layout of GCC's structures compiled in.  These are the same in all builds of a release, whatever
   its date and how it was configured, and mostly the same in all releases of a major version: between those it is
   options and built-in functions that are added.  So neither the date nor the release is compared, but the size of
   what grows when something is added; the compiler's symbol table has it.  */

#include <dlfcn.h>
#include <link.h>

#include "libcilkprof/cc/gcc/middle-end.h"
#include "libcilkprof/cc/gcc/fit.h"
#include "target.h"
#include "plugin-version.h"

/* Returns the size of the symbol at ADDRESS in the running compiler, or 0 if it is not known.  */
static size_t size_of_compiler_symbol(const void *address) {
  Dl_info info;
  const ElfW(Sym) *symbol = NULL;
  if (!dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol || info.dli_saddr != address)
    return 0;
  return symbol->st_size;
}

/* Returns true if the running compiler has the structures that grow between releases of GCC in the sizes with which
   this plugin was compiled.  */
static bool same_gcc_layout_p() {
  const struct {
    const void *address;
    size_t size;
  } tables[] = {
      {&global_options, sizeof global_options}, {global_trees, sizeof global_trees},
      {builtin_info, sizeof builtin_info},      {&targetm, sizeof targetm},
      {&lang_hooks, sizeof lang_hooks},
  };
  for (const auto &table : tables)
    if (size_of_compiler_symbol(table.address) != table.size)
      return false;
  return true;
}

/* Returns the system that GCC was configured with ARGUMENTS to compile for, such as x86_64-linux-gnu, after " for ".
   Returns an empty string where that is not among them: the compiler is for the system that it was built on.  */
static std::string configured_gcc_target(const char *arguments) {
  const char *option = strstr(arguments, "--target=");
  if (!option)
    return "";
  option += strlen("--target=");
  return " for " + std::string(option, strcspn(option, " "));
}

/* Returns true if this plugin fits the RUNNING compiler: the major version and the layout of its structures.  If not,
   it reports an error that says what to do.  OPTION is what the user asked for.  */
bool plugin_fits_gcc_p(const plugin_gcc_version *running, const char *option) {
  if (atoi(running->basever) == atoi(gcc_version.basever) && same_gcc_layout_p())
    return true;
  std::string built = configured_gcc_target(gcc_version.configuration_arguments);
  std::string runs = configured_gcc_target(running->configuration_arguments);
  bool alike = built == runs;
  error("%qs: cilkprof was built for gcc %s%s, but this is gcc %s%s; rebuild or reinstall cilkprof for it", option,
        gcc_version.basever, alike ? "" : built.c_str(), running->basever, alike ? "" : runs.c_str());
  return false;
}
