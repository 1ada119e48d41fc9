/* Makes a program with site descriptions and a profile of it from one text, for the tests of the report.
   SPDX-License-Identifier: GPL-3.0-or-later

     make-profile program TEXT [OBJECT]      C source of the program, or of object number OBJECT, to standard output
     make-profile profile TEXT FILE...       the profile to standard output; FILE... are the objects as they were built

   profile-text.h lists the statements of the text.  */

#include <stdio.h>
#include <string.h>
#include "test/report/built.h"
#include "test/report/profile-text.h"

/* Prints SIZE BYTES as a directive of the assembler, in a string of C.  */
static void test_report_print_bytes(const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    printf("%s%u", i > 0 ? "," : "\\n .byte ", ((const unsigned char *)bytes)[i]);
}

/* Prints the C source of object number OBJECT: its site descriptions and functions, and main in the program.  */
static void test_report_print_program(unsigned object) {
  size_t skipped = text.loaded ? offsetof(struct cilkprof_description, magic) : 0;
  printf("__asm__(\".section " CILKPROF_DESCRIPTION_SECTION ",\\\"%s\\\"", text.loaded ? "a" : "");
  for (size_t i = 0; i < text.described_count; i++) {
    const struct described *site = &text.described[i];
    if (site->object != object)
      continue;
    printf("\\n .balign 8");
    test_report_print_bytes((const char *)&site->fixed + skipped, sizeof site->fixed - skipped);
    for (int s = 0; s < 4; s++)
      test_report_print_bytes(site->strings[s], strlen(site->strings[s]) + 1);
  }
  printf("\\n .balign 8\\n .previous\\n\");\n");
  for (size_t i = 0; i < text.declared_count; i++)
    if (text.declared[i].object == object)
      printf("%s void %s(void);\n%s void %s(void) { __asm__ volatile(\"\"); }\n",
             text.declared[i].is_static ? "__attribute__((used)) static" : "", text.declared[i].name,
             text.declared[i].is_static ? "static" : "", text.declared[i].name);
  if (object == 0)
    printf("int main(void) { return 0; }\n");
}

/* Returns the address of the symbol NAME in the object BUILT.  Exits if there is none.  */
static uint64_t test_report_address_of(const struct built *built, const char *name) {
  uint64_t address = test_report_built_symbol(built, name);
  if (address == 0)
    test_report_die("no symbol", name);
  return address;
}

/* Writes all sites that have been measured; BUILT are the objects with their descriptions and callees.  */
static void test_report_write_sites(struct cilkprof_writer *writer, const struct built *built) {
  for (size_t i = 0; i < text.measured_count; i++) {
    const struct measured *measured = &text.measured[i];
    const struct described *described = &text.described[measured->described];
    uint64_t section =
        test_report_built_section(&built[described->object], CILKPROF_DESCRIPTION_SECTION); /* 0: not loaded */
    if (!measured->present)
      continue;
    struct cilkprof_site site = {
        .object = described->object,
        .callee_object = measured->callee_object < 0 ? CILKPROF_NO_OBJECT : (uint32_t)measured->callee_object,
        .description = described->fixed.site + section,
        .callee =
            measured->callee_object < 0 ? 0 : test_report_address_of(&built[measured->callee_object], measured->callee),
        .on_work = measured->on_work,
        .on_span = measured->on_span,
    };
    cilkprof_write_site(writer, &site);
  }
}

/* Writes ROOT and its sites.  The work and span of ROOT are the sums of those of its sites.  */
static void test_report_write_root(struct cilkprof_writer *writer, struct cilkprof_root *root) {
  for (size_t i = 0; i < root->site_count; i++) {
    root->totals.work += root->sites[i].on_work.local.work;
    root->totals.span += root->sites[i].on_span.local.span;
  }
  cilkprof_write_root(writer, root);
  for (size_t i = 0; i < root->site_count; i++)
    cilkprof_write_root_site(writer, &root->sites[i]);
}

/* Writes the profile to standard output; FILES are the COUNT objects.  Exits if that fails.  */
static void test_report_write_profile(char **files, uint32_t count) {
  struct cilkprof_writer writer = {.put = test_report_put_in_file, .closure = stdout};
  struct built built[MAX_OBJECTS];
  uint64_t loads[MAX_OBJECTS] = {0};
  text.program.argv = text.command;
  text.run.pid = 4711;
  text.run.start_ns = UINT64_C(4000000000000000000);
  text.run.load_count = count;
  text.run.load_addresses = loads;
  for (size_t i = 0; i < text.measured_count; i++) {
    text.totals.work += text.measured[i].on_work.local.work;
    text.totals.span += text.measured[i].on_span.local.span;
  }
  cilkprof_write_begin(&writer);
  cilkprof_write_program(&writer, &text.program);
  cilkprof_write_run(&writer, &text.run);
  for (uint32_t i = 0; i < count; i++) {
    built[i] = test_report_built_open(files[i]);
    cilkprof_write_object(&writer, &built[i].object);
  }
  cilkprof_write_totals(&writer, &text.totals);
  if (text.usage.units_per_second > 0)
    cilkprof_write_usage(&writer, &text.usage);
  if (text.workers.workers > 0)
    cilkprof_write_workers(&writer, &text.workers);
  test_report_write_sites(&writer, built);
  for (size_t i = 0; i < text.loop_count; i++)
    cilkprof_write_loop(&writer, &text.loops[i]);
  for (size_t i = 0; i < text.estimate_count; i++)
    cilkprof_write_estimate(&writer, &text.estimates[i]);
  for (size_t i = 0; i < text.region_count; i++)
    cilkprof_write_region(&writer, &text.regions[i]);
  for (size_t i = 0; i < text.whatif_count; i++)
    cilkprof_write_whatif(&writer, &text.whatifs[i]);
  for (size_t i = 0; i < text.context_count; i++)
    cilkprof_write_context(&writer, &text.contexts[i]);
  if (text.node_count > 0)
    cilkprof_write_tree(
        &writer, &(struct cilkprof_tree){.flags = text.tree_flags | (text.count_count > 0 ? CILKPROF_TREE_COUNTED : 0),
                                         .units_per_second = text.run.units_per_second,
                                         .tolerance = 50,
                                         .node_count = text.node_count,
                                         .child_count = text.child_count,
                                         .name_count = text.node_count,
                                         .nodes = text.nodes,
                                         .children = text.children,
                                         .names = text.names,
                                         .count_count = text.count_count,
                                         .counts = text.counts});
  for (size_t i = 0; i < text.root_count; i++)
    test_report_write_root(&writer, &text.roots[i]);
  if (cilkprof_write_end(&writer) != 0 || fflush(stdout) != 0)
    test_report_die("cannot write", "standard output");
}

/* Prints the source or writes the profile, as the first argument says.  The text may change the mode and the other
   values that are set first.  */
int main(int argc, char **argv) {
  text.program.mode = CILKPROF_MODE_COUNT;
  text.program.burden = 15000;
  text.program.loop_workers = 16;
  if (argc < 3)
    test_report_die("usage", "make-profile program TEXT [OBJECT] | profile TEXT FILE...");
  test_report_read_text(argv[2]);
  if (strcmp(argv[1], "program") == 0)
    test_report_print_program((unsigned)test_report_number(argc > 3 ? argv[3] : "0"));
  else
    test_report_write_profile(argv + 3, (uint32_t)(argc - 3 < MAX_OBJECTS ? argc - 3 : MAX_OBJECTS));
  return 0;
}
