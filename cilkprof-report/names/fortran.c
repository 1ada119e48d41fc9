/* Names of procedures of Fortran, from the symbols that gfortran gives them.
   SPDX-License-Identifier: GPL-3.0-or-later

     __solver_MOD_sweep  solver::sweep, of a module
     norm_               norm, which is in no module
     flux.3              flux, which another procedure contains
     MAIN__              the main program

   The first form is plain to see (support/names.c).  Programs of C may have functions of the other forms: they are
   taken for Fortran's if the program has functions of the first form, or a main program of Fortran.  */

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/names/fortran.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

static const char main_symbol[] = "MAIN__";

bool are_fortran_functions(const struct functions *functions) {
  for (size_t i = 0; i < functions->count; i++) {
    const char *symbol = functions->list[i]->symbol;
    char *name = fortran_module_procedure_name(symbol);
    free(name);
    if (name != NULL || strcmp(symbol, main_symbol) == 0)
      return true;
  }
  return false;
}

bool is_fortran_function_source(const char *file) {
  static const char *const endings[] = {"f", "for", "ftn", "fpp", "f90", "f95", "f03", "f08", NULL};
  const char *dot = file != NULL ? strrchr(base_name(file), '.') : NULL;
  if (dot == NULL)
    return false;
  for (const char *const *ending = endings; *ending != NULL; ending++)
    if (strcasecmp(dot + 1, *ending) == 0)
      return true;
  return false;
}

/* Returns the length of SYMBOL without the number that GCC appends to the names of contained procedures.  */
static size_t contained_function_name_length(const char *symbol) {
  size_t length = strlen(symbol), end = length;
  while (end > 0 && isdigit((unsigned char)symbol[end - 1]))
    end--;
  return end > 1 && end < length && symbol[end - 1] == '.' ? end - 1 : length;
}

/* Returns whether SYMBOL is that of a procedure in no module: a name in lower case, and an underscore.  */
static bool is_external_function_name(const char *symbol) {
  size_t length = strlen(symbol);
  if (length < 2 || symbol[length - 1] != '_' || !islower((unsigned char)symbol[0]))
    return false;
  for (size_t i = 0; i < length; i++)
    if (!islower((unsigned char)symbol[i]) && !isdigit((unsigned char)symbol[i]) && symbol[i] != '_')
      return false;
  return true;
}

char *fortran_function_name(const char *symbol) {
  size_t length = contained_function_name_length(symbol);
  if (strcmp(symbol, main_symbol) == 0)
    return format_string("main program");
  if (symbol[length] != 0 && strncmp(symbol, "_", 1) != 0)
    return format_string("%.*s", (int)length, symbol);
  return is_external_function_name(symbol) ? format_string("%.*s", (int)strlen(symbol) - 1, symbol) : NULL;
}
