/* A plugin of qemu 7: how many instructions a program executes, written to the file OUT at its end.
   qemu-... -plugin count.so,out=FILE PROGRAM
   SPDX-License-Identifier: MIT

   Debian has no header of this interface: what is used of its first version is declared here.  */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block;
enum operation { ADD };
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*translated)(uint64_t id, struct block *block));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct block *block, enum operation operation, void *to,
                                                     uint64_t operand);
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*end)(uint64_t id, void *data), void *data);
extern size_t qemu_plugin_tb_n_insns(const struct block *block);

extern const int qemu_plugin_version;
const int qemu_plugin_version = 1;
extern int qemu_plugin_install(uint64_t id, const void *about, int argc, char **argv);

static uint64_t executed;
static const char *out = "/dev/stderr";

/* Called when QEMU has translated BLOCK: makes its instructions be counted whenever it runs.  */
static void translated(uint64_t id, struct block *block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(block, ADD, &executed, qemu_plugin_tb_n_insns(block));
}

/* Called when the program ends: writes the count.  */
static void end(uint64_t id, void *data) {
  (void)id;
  (void)data;
  FILE *file = fopen(out, "w");
  if (!file || fprintf(file, "%llu\n", (unsigned long long)executed) < 0 || fclose(file) != 0)
    abort();
}

/* Called by QEMU when it loads the plugin; out=FILE is its argument.  */
int qemu_plugin_install(uint64_t id, const void *about, int argc, char **argv) {
  (void)about;
  for (int i = 0; i < argc; i++)
    if (strncmp(argv[i], "out=", 4) == 0)
      out = strdup(argv[i] + 4);
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  qemu_plugin_register_atexit_cb(id, end, NULL);
  return 0;
}
