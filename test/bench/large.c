/* A program with a million call sites and a profile of it, to measure the report with.
   SPDX-License-Identifier: GPL-3.0-or-later

     large unit               C++ source of one unit, whose namespace is unit000
     large main               C++ source of main
     large sites              the site descriptions of all units
     large profile PROGRAM    a profile, in which every site was reached

   A unit is compiled once; its copies have other numbers in the place of 000.  The call graph is that of a large
   program: most calls lead down to functions that lie later, some to the caller itself, a few back up.  Every number
   comes from the number of its site, so that the three outputs belong together.  */

#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "fmt/description.h"
#include "fmt/profile.h"

enum { UNITS = 200, FUNCTIONS = 1000, SITES = 5, ALL_FUNCTIONS = UNITS * FUNCTIONS, ALL_SITES = ALL_FUNCTIONS * SITES };

/* Prints WHAT is wrong with WHICH file or argument, and exits with status 2.  */
__attribute__((noreturn)) static void bench_die(const char *what, const char *which) {
  fprintf(stderr, "large: %s: %s\n", what, which);
  exit(2);
}

/* Returns a number that looks random and depends on VALUE alone.  */
static uint32_t bench_mix(uint32_t value) {
  value = (value ^ value >> 16) * 0x45D9F3BU;
  value = (value ^ value >> 16) * 0x45D9F3BU;
  return value ^ value >> 16;
}

/* Prints the C source of one unit of the program.  Functions have a few locals and types, so that there is as much
   debugging information as usual.  */
static void bench_print_unit(void) {
  puts("namespace unit000 {");
  puts("struct Node { Node *left, *right; long key; double values[8]; enum Color { red, black } color; };");
  puts("template <typename T> struct Span { T *first, *last; unsigned long size() const { return last - first; } };");
  for (int i = 0; i < FUNCTIONS; i++) {
    printf("struct Task_%04d { Node *node; Span<Task_%04d> tasks; int depth, limit; bool done; };\n", i, i);
    printf("__attribute__((noinline)) long work_%04d(Node *node, unsigned long count) {\n", i);
    puts("  long sum = 0;");
    printf("  Task_%04d task = {node, {nullptr, nullptr}, 0, %d, false};\n", i, i);
    puts("  for (unsigned long at = 0; at < count; at++) {");
    puts("    double value = node->values[at % 8];");
    printf("    sum += (long)value + task.limit * %dL;\n", i + 1);
    puts("    if (sum > 1000)\n      sum -= node->key;");
    puts("  }\n  task.done = true;\n  return sum + task.depth;\n}");
  }
  puts("}");
}

struct call {
  unsigned caller, callee;
  int indirect;
  enum cilkprof_site_kind kind;
  unsigned line, column;
};

/* Returns the call at SITE: most are of later functions, one in twenty is of the caller itself, one in a thousand of
   any function in the same unit.  The first site is the call of the first function, from outside.  */
static struct call bench_call_of(unsigned site) {
  struct call call = {.caller = site / SITES, .line = 12 * (site / SITES % FUNCTIONS) + 5 + site % SITES, .column = 7};
  uint32_t random = bench_mix(site), below = ALL_FUNCTIONS - call.caller - 1;
  call.callee = below > 0 ? call.caller + 1 + bench_mix(random) % (below < 5000 ? below : 5000) : call.caller;
  if (random % 20 == 0)
    call.callee = call.caller;
  if (random % 1000 == 1)
    call.callee = call.caller - call.caller % FUNCTIONS + bench_mix(random) % FUNCTIONS;
  call.kind = random % 16 == 2 ? CILKPROF_SITE_LOOP : random % 4 == 1 ? CILKPROF_SITE_SPAWN : CILKPROF_SITE_CALL;
  call.indirect = call.kind == CILKPROF_SITE_CALL && random % 100 == 3;
  if (site == 0)
    call = (struct call){.kind = CILKPROF_SITE_OUTSIDE, .line = 1, .column = 1};
  return call;
}

/* Puts the mangled name of FUNCTION into TEXT, which has ROOM bytes.  Returns its length.  */
static int bench_symbol_of(unsigned function, char *text, size_t room) {
  return snprintf(text, room, "_ZN7unit%03u9work_%04uEPNS_4NodeEm", function / FUNCTIONS, function % FUNCTIONS);
}

/* Returns the address that the profile has for a site.  */
static uint64_t address_of_site(unsigned site) {
  return 8 * (site + (uint64_t)1);
}

/* Puts the description of a site into BYTES and returns its size.  */
static size_t bench_describe(unsigned site, char *bytes, size_t room) {
  struct call call = bench_call_of(site);
  char file[64], caller[64], callee[64];
  snprintf(file, sizeof file, "source/unit%03u.cc", call.caller / FUNCTIONS);
  bench_symbol_of(call.caller, caller, sizeof caller);
  bench_symbol_of(call.callee, callee, sizeof callee);
  if (call.kind == CILKPROF_SITE_OUTSIDE)
    caller[0] = 0;
  if (call.kind == CILKPROF_SITE_LOOP || call.indirect)
    callee[0] = 0;
  struct cilkprof_description fixed = {.site = address_of_site(site),
                                       .magic = CILKPROF_DESCRIPTION_MAGIC,
                                       .kind = (uint8_t)call.kind,
                                       .flags = call.indirect ? CILKPROF_SITE_INDIRECT : 0,
                                       .line = call.line,
                                       .column = call.column};
  memset(bytes, 0, room);
  size_t size = sizeof fixed + (size_t)snprintf(bytes + sizeof fixed, room - sizeof fixed, "%s%c%s%c%s%c%s", file, 0,
                                                caller, 0, callee, 0, file);
  size = (size + 1 + 7) / 8 * 8;
  fixed.size = (uint32_t)size;
  memcpy(bytes, &fixed, sizeof fixed);
  return size;
}

/* Writes the descriptions of all sites to standard output: the contents of the section cilkprof_sites.  */
static void bench_print_sites(void) {
  char bytes[512];
  for (unsigned site = 0; site < ALL_SITES; site++)
    fwrite(bytes, 1, bench_describe(site, bytes, sizeof bytes), stdout);
}

static uint64_t addresses[ALL_FUNCTIONS];

/* Stores the addresses of all functions that the symbol table in SECTION lists.  STRINGS is the index of the section
   that holds their names.  */
static void bench_read_symbols(Elf *elf, Elf_Scn *section, size_t strings) {
  GElf_Sym symbol;
  unsigned unit, function;
  for (int i = 0; gelf_getsym(elf_getdata(section, NULL), i, &symbol) != NULL; i++)
    if (sscanf(elf_strptr(elf, strings, symbol.st_name), "_ZN7unit%3u9work_%4u", &unit, &function) == 2)
      addresses[unit * FUNCTIONS + function] = symbol.st_value;
}

/* Sets the build-id of OBJECT from the note in SECTION.  Exits if there is none.  */
static void bench_read_build_id(Elf_Scn *section, struct cilkprof_object *object) {
  GElf_Nhdr note;
  size_t name, description;
  Elf_Data *data = elf_getdata(section, NULL);
  if (data == NULL || gelf_getnote(data, 0, &note, &name, &description) == 0)
    bench_die("no build-id", object->path);
  object->build_id = (const uint8_t *)data->d_buf + description;
  object->build_id_size = note.n_descsz;
}

/* Reads from the program at PATH the addresses of its functions, and into OBJECT its path and build-id.  The file stays
   open, because OBJECT points into it.  Exits if PATH is not a program.  */
static void bench_open_program(const char *path, struct cilkprof_object *object) {
  size_t names;
  elf_version(EV_CURRENT);
  Elf *elf = elf_begin(open(path, O_RDONLY), ELF_C_READ, NULL);
  object->path = realpath(path, NULL);
  if (elf == NULL || object->path == NULL || elf_getshdrstrndx(elf, &names) != 0)
    bench_die("not a program", path);
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == NULL)
      continue;
    const char *name = elf_strptr(elf, names, header.sh_name);
    if (strcmp(name, ".note.gnu.build-id") == 0)
      bench_read_build_id(section, object);
    else if (header.sh_type == SHT_SYMTAB)
      bench_read_symbols(elf, section, header.sh_link);
  }
}

/* Returns a measure whose burdened span is its SPAN.  */
static struct cilkprof_measure bench_measure_of(uint64_t count, uint64_t work, uint64_t span) {
  return (struct cilkprof_measure){count, work, span, span};
}

/* Returns the record of SITE in the profile: made-up values, in one of eight sites also on the span.  */
static struct cilkprof_site bench_site_of(unsigned site) {
  struct call call = bench_call_of(site);
  uint64_t count = 1 + bench_mix(site + 1) % 1000, work = count * (10 + bench_mix(site + 2) % 500);
  struct cilkprof_site made = {.callee_object = CILKPROF_NO_OBJECT, .description = address_of_site(site)};
  if (call.indirect) {
    made.callee_object = 0;
    made.callee = addresses[call.callee];
  }
  made.on_work.local = bench_measure_of(count, work, work);
  made.on_work.top_call_site = bench_measure_of(count, work * 3, work * 2);
  made.on_work.top_caller = bench_measure_of(1, work, work);
  if (bench_mix(site + 3) % 8 == 0) {
    made.on_span.local = bench_measure_of(1, work, work);
    made.on_span.top_call_site = made.on_span.top_caller = bench_measure_of(1, work, work);
  }
  return made;
}

/* Callback of the writer: writes SIZE BYTES to the stream CLOSURE.  Returns 0, or -1 if that fails.  */
static int bench_put(void *closure, const void *bytes, size_t size) {
  return fwrite(bytes, 1, size, closure) == size ? 0 : -1;
}

/* Writes a profile of the program at PATH, in which every site was reached, to standard output.  The totals are written
   before the sites, so every site is made twice.  Exits if the profile cannot be written.  */
static void bench_write_profile(const char *path) {
  static const char *const command[] = {"./large"};
  static const uint64_t loads[1];
  struct cilkprof_writer writer = {.put = bench_put, .closure = stdout};
  struct cilkprof_program program = {CILKPROF_MODE_HYBRID, 0, 15000, 16, 1, command};
  struct cilkprof_run run = {.start_ns = 1, .units_per_second = 1000000000, .load_count = 1, .load_addresses = loads};
  struct cilkprof_totals totals = {.spawns = ALL_SITES / 4, .syncs = ALL_SITES / 8};
  struct cilkprof_object object = {0};
  bench_open_program(path, &object);
  for (unsigned site = 0; site < ALL_SITES; site++) {
    struct cilkprof_site made = bench_site_of(site);
    totals.work += made.on_work.local.work;
    totals.span += made.on_span.local.span;
  }
  totals.burdened_span = totals.span + totals.span / 8;
  cilkprof_write_begin(&writer);
  cilkprof_write_program(&writer, &program);
  cilkprof_write_run(&writer, &run);
  cilkprof_write_object(&writer, &object);
  cilkprof_write_totals(&writer, &totals);
  for (unsigned site = 0; site < ALL_SITES; site++) {
    struct cilkprof_site made = bench_site_of(site);
    cilkprof_write_site(&writer, &made);
  }
  if (cilkprof_write_end(&writer) != 0)
    bench_die("cannot write", "standard output");
}

/* Prints what the first argument asks for.  Returns 1 if it cannot be written; a wrong usage exits with status 2.  */
int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "unit") == 0)
    bench_print_unit();
  else if (strcmp(what, "main") == 0)
    puts("int main() { return 0; }");
  else if (strcmp(what, "sites") == 0)
    bench_print_sites();
  else if (strcmp(what, "profile") == 0 && argc == 3)
    bench_write_profile(argv[2]);
  else
    bench_die("usage", "large unit | main | sites | profile PROGRAM");
  return fflush(stdout) != 0;
}
