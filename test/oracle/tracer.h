/* The trace of the run, and the numbers that functions and sites have in it: what the events in tracer.c need.
   SPDX-License-Identifier: MIT  */

#ifndef ORACLE_TRACER_H
#define ORACLE_TRACER_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "libcilkprof/abi/state.h"
#include "fmt/description.h"

typedef struct __cilkprof_site site_t;
typedef struct __cilkprof_function function_t;
typedef struct __cilkprof_frame frame_t;
typedef struct __cilkprof_block block_t;
typedef uint64_t work_t;

extern const char __ehdr_start[];

enum { MAX_FRAMES = 1 << 20 };

static struct {
  FILE *file;
  uint64_t functions, sites, invocations; /* numbered so far */
  frame_t *frames, *top;                  /* the stack of open invocations */
} trace;

/* Opens the trace, and makes room for the stack.  Called at the first event, as the engine starts then too.  Aborts if
   that fails.  */
static void tracer_start(void) {
  const char *name = getenv("CILKPROF_TRACE");
  trace.file = fopen(name ? name : "/dev/null", "w");
  trace.frames = mmap(NULL, MAX_FRAMES * sizeof(frame_t), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!trace.file || trace.frames == MAP_FAILED) {
    perror("CILKPROF_TRACE");
    abort();
  }
  trace.top = trace.frames;
}

/* Closes the trace, after the program's own exit handlers and destructors.  Aborts if not all could be written.  */
static __attribute__((destructor(101))) void tracer_finish(void) {
  if (trace.file && fclose(trace.file) != 0) {
    perror("CILKPROF_TRACE");
    abort();
  }
  trace.file = NULL;
}

/* Returns ADDRESS relative to the beginning of the executable; 0 for NULL.  */
static uint64_t tracer_relative(const void *address) {
  return address ? (uint64_t)address - (uint64_t)__ehdr_start : 0;
}

/* Returns the mapped file of the executable, which alone has the descriptions of sites; NULL if it cannot be
   mapped.  */
static const char *tracer_own_file(void) {
  static const char *bytes;
  if (!bytes) {
    FILE *file = fopen("/proc/self/exe", "r");
    if (!file || fseek(file, 0, SEEK_END) != 0)
      abort();
    bytes = mmap(NULL, (size_t)ftell(file), PROT_READ, MAP_PRIVATE, fileno(file), 0);
    fclose(file);
  }
  return bytes == MAP_FAILED ? NULL : bytes;
}

/* Returns the description of the site whose slot is SLOT, from the executable's file.  Aborts if there is none.  */
static const struct cilkprof_description *tracer_describe(const void *slot) {
  const char *file = tracer_own_file();
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
  const Elf64_Phdr *first = (const Elf64_Phdr *)(file + header->e_phoff);
  while (first->p_type != PT_LOAD || first->p_offset != 0)
    first++;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
  const char *names = file + sections[header->e_shstrndx].sh_offset;
  for (int s = 0; s < header->e_shnum; s++)
    if (!strcmp(names + sections[s].sh_name, CILKPROF_DESCRIPTION_SECTION))
      for (size_t at = 0; at < sections[s].sh_size;) {
        const struct cilkprof_description *each = (const void *)(file + sections[s].sh_offset + at);
        if (each->site == tracer_relative(slot) + first->p_vaddr)
          return each;
        at += each->size;
      }
  abort();
}

/* Returns the number of FUNCTION, which is written to the trace when it is first used.  It is kept in a field of the
   record that otherwise only the engine uses.  */
static uint64_t tracer_function_number(function_t *function) {
  if (!function->open) {
    function->open = ++trace.functions;
    fprintf(trace.file, "F %lu %lx\n", function->open, tracer_relative(function->address));
  }
  return function->open;
}

/* Returns the number of SITE, which is written to the trace when it is first used.  */
static uint64_t tracer_site_number(site_t *site) {
  if (site->count)
    return site->count;
  uint64_t function = tracer_function_number(site->function);
  site->count = ++trace.sites;
  const struct cilkprof_description *head = tracer_describe(site->description);
  fprintf(trace.file, "S %lu %lu %u %u %u %u %lx\n", site->count, function, head->kind, head->flags, head->line,
          head->column, tracer_relative(site->callee));
  const char *string = (const char *)(head + 1);
  for (int i = 0; i < 4; i++, string += strlen(string) + 1)
    fprintf(trace.file, "%s\n", string);
  return site->count;
}

#endif
