/* The program: its path, and what it was compiled for.
   SPDX-License-Identifier: MIT  */

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmt/description.h"
#include "libcilkprof/launcher/launcher.h"

/* Returns true if PATH is a regular file that this user may execute.  */
static bool is_launchable_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* Fails because the program at PATH cannot be executed for the reason ERROR, with the status that says whether it is
   there.  */
void fail_to_execute(const char *path, int error) {
  bool is_there = access(path, F_OK) == 0;
  set_launcher_failure_status(is_there ? LAUNCH_CANNOT_EXECUTE : LAUNCH_NOT_FOUND);
  fail(path, "%s", error == ENOENT && is_there ? "its interpreter or dynamic linker is not there" : strerror(error));
}

/* Fails if FILE is a source file, as its name ends, and says how to compile it.  */
void refuse_source_file(const char *file) {
  static const struct {
    const char *suffixes, *compiler;
  } languages[] = {{" c ", "cc"},
                   {" C cc cp cpp CPP cxx c++ ", "c++"},
                   {" f F for FOR f90 F90 f95 F95 f03 F03 f08 F08 ", "fortran -fopenmp"}};
  const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file, *dot = strrchr(name, '.');
  char suffix[8];
  if (dot == NULL || dot == name || snprintf(suffix, sizeof suffix, " %s ", dot + 1) >= (int)sizeof suffix ||
      access(file, F_OK) != 0)
    return;
  for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
    if (strstr(languages[i].suffixes, suffix) != NULL) {
      set_launcher_failure_status(LAUNCH_CANNOT_EXECUTE);
      fail(file, "a source file; compile it first: cilkprof %s -O2 -g %s -o %.*s", languages[i].compiler, file,
           (int)(dot - name), name);
    }
}

/* Returns the path of the program NAME, found in PATH as by a shell.  A name with a slash is the path.  Returns NULL if
   there is no memory; fails if the program is not found.  */
static char *find_launched_program_in_path(const char *name) {
  if (strchr(name, '/') != NULL)
    return strdup(name);
  const char *folders = getenv("PATH");
  for (const char *at = folders != NULL ? folders : "/usr/local/bin:/usr/bin:/bin"; at != NULL;) {
    size_t length = strcspn(at, ":");
    char *path = NULL;
    if (asprintf(&path, "%.*s%s%s", (int)length, at, length > 0 ? "/" : "./", name) < 0)
      return NULL;
    if (is_launchable_file(path))
      return path;
    free(path);
    at = at[length] == ':' ? at + length + 1 : NULL;
  }
  set_launcher_failure_status(LAUNCH_NOT_FOUND);
  fail(name, "not found in PATH; name its folder, as in ./%s", name);
}

/* Looks for main in the site description at AT, in a section of which LEFT bytes are left: if the description is that
   of the entry of main, or of Fortran's main program, notes in PROGRAM whether main exists without events.  Returns the
   size of the description, or 0 if it is invalid.  */
static size_t inspect_launched_description(const char *at, size_t left, struct program *program) {
  struct cilkprof_description fixed;
  if (left < sizeof fixed)
    return 0;
  memcpy(&fixed, at, sizeof fixed);
  if (fixed.magic != CILKPROF_DESCRIPTION_MAGIC || fixed.size > left || fixed.size < sizeof fixed ||
      fixed.size % 8 != 0)
    return 0;
  const char *end = at + fixed.size, *string = at + sizeof fixed;
  for (int i = 0; i < 2 && string != NULL; i++) { /* skip the file and the caller */
    string = memchr(string, 0, (size_t)(end - string));
    string = string != NULL ? string + 1 : NULL;
  }
  if (fixed.kind == CILKPROF_SITE_OUTSIDE && string != NULL && memchr(string, 0, (size_t)(end - string)) != NULL &&
      (strcmp(string, "main") == 0 || strcmp(string, "MAIN__") == 0))
    program->main = fixed.flags & CILKPROF_SITE_BARE ? MAIN_BARE : MAIN_COUNTED;
  return fixed.size;
}

/* Looks through the sections of the program's file for site descriptions, which tell about main, and for that of the
   Cilk runtime.  Returns true if there are site descriptions: the program was compiled with -fcilkprof.  */
static bool inspect_launched_sections(Elf *elf, struct program *program) {
  size_t names;
  bool found = false;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return false;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
    Elf_Data *data;
    if (name == NULL || strcmp(name, CILKPROF_DESCRIPTION_SECTION) != 0) {
      program->cilk |= name != NULL && strcmp(name, "cilkprof_runtime") == 0;
      continue;
    }
    found = true;
    if ((data = elf_rawdata(section, NULL)) == NULL || data->d_buf == NULL)
      continue;
    for (size_t at = 0, size = 1; at < data->d_size && size > 0; at += size)
      size = inspect_launched_description((const char *)data->d_buf + at, data->d_size - at, program);
  }
  return found;
}

/* Visits a symbol of the program's file, and notes in the program DATA which parallel runtime it belongs to, or that
   the program records its annotations.  Some symbols of the Cilk runtime exist even in stripped programs; static ones
   have its section.  */
static void inspect_launched_symbol(const char *name, bool defined, void *data) {
  struct program *program = data;
  if (strncmp(name, "__cilkprof_r_", 13) == 0)
    program->cilk = true;
  if (defined && strcmp(name, "__cilkprof_standalone") == 0)
    program->annotated = true;
  if (defined && (strcmp(name, "GOMP_parallel") == 0 || strcmp(name, "__kmpc_fork_call") == 0))
    program->omp_inside = true;
}

/* Visits a symbol of the file of an instrumented program, and notes in the program DATA for which mode it was
   compiled.  */
static void inspect_launched_mode(const char *name, bool defined, void *data) {
  static const char prefix[] = "__cilkprof_mode_";
  struct program *program = data;
  (void)defined;
  const char *mode = name + strlen(prefix);
  if (strncmp(name, prefix, strlen(prefix)) == 0)
    program->mode = strcmp(mode, "whatif") == 0         ? MODE_WHATIF
                    : strncmp(mode, "parallel", 8) == 0 ? MODE_WORKERS
                                                        : MODE_OTHER;
}

/* Returns the path of the dynamic linker that the program's file names, for the caller to free; NULL if the program is
   static.  */
static char *launched_dynamic_linker(Elf *elf) {
  size_t count, size = 0;
  const char *file = elf_rawfile(elf, &size);
  GElf_Phdr header;
  if (elf_getphdrnum(elf, &count) != 0 || file == NULL)
    return NULL;
  for (size_t i = 0; i < count; i++)
    if (gelf_getphdr(elf, (int)i, &header) != NULL && header.p_type == PT_INTERP && header.p_offset < size &&
        memchr(file + header.p_offset, 0, size - header.p_offset) != NULL)
      return strdup(file + header.p_offset);
  return NULL;
}

/* Visits a section of the program's file or of a library, and notes in the program DATA whether it is that of forks by
   hand.  */
static void inspect_launched_section(const char *name, bool defined, void *data) {
  struct program *program = data;
  program->hand |= defined && strcmp(name, "cilkprof_forks") == 0;
}

/* Finds out from the ELF file of PROGRAM what it was compiled for, and its mode if it is instrumented, else its
   libraries and parallel runtimes.  */
static void inspect_launched_file(Elf *elf, struct program *program) {
#ifdef __x86_64__
  enum { OWN = EM_X86_64 };
#else
  enum { OWN = EM_AARCH64 };
#endif
  GElf_Ehdr header;
  program->other = gelf_getehdr(elf, &header) != NULL && header.e_machine != OWN;
  program->instrumented = inspect_launched_sections(elf, program);
  if (program->instrumented) {
    launcher_visit_symbols(elf, inspect_launched_mode, program);
    return;
  }
  launcher_visit_symbols(elf, inspect_launched_symbol, program);
  char *linker = launched_dynamic_linker(elf);
  if (linker != NULL)
    find_launched_libraries(program, linker);
  launcher_visit_file_sections(program->path, inspect_launched_section, program);
  for (char **library = program->libraries; library != NULL && *library != NULL && !program->hand; library++)
    launcher_visit_file_sections(*library, inspect_launched_section, program);
  free(linker);
}

/* Fails if PROGRAM is not a file that this user may execute and read.  Returns a descriptor of it, and notes whose
   rights it has.  */
static int open_launched_program(struct program *program) {
  int file = open(program->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe would block */
  if (file < 0)
    fail_to_execute(program->path, errno);
  struct stat status = {0};
  bool known = fstat(file, &status) == 0;
  program->privileged = (status.st_mode & S_ISUID && status.st_uid != getuid()) ||
                        (status.st_mode & S_ISGID && status.st_gid != getgid());
  if (is_launchable_file(program->path))
    return file;
  set_launcher_failure_status(LAUNCH_CANNOT_EXECUTE);
  if (known && S_ISDIR(status.st_mode))
    fail(program->path, "a folder; name the program in it");
  fail(program->path, "not an executable file; name the program that was linked");
}

/* Finds the program that ARGV names, and what it was compiled for.  Fails if it is not an executable file.  A script
   has neither instrumentation nor libraries.  */
struct program find_launched_program(char **argv) {
  refuse_source_file(argv[0]);
  struct program program = {
      .name = argv[0], .path = find_launched_program_in_path(argv[0]), .argv = argv, .main = MAIN_UNKNOWN};
  if (program.path == NULL)
    fail(argv[0], "%s", strerror(errno));
  int file = open_launched_program(&program);
  elf_version(EV_CURRENT);
  Elf *elf = elf_begin(file, ELF_C_READ, NULL);
  if (elf == NULL)
    fail(program.path, "%s", elf_errmsg(-1));
  if (elf_kind(elf) == ELF_K_ELF)
    inspect_launched_file(elf, &program);
  elf_end(elf);
  close(file);
  return program;
}
