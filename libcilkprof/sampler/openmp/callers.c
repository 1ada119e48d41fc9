/* From where OpenMP's runtime is called, by functions of it that are wrapped: it may not know, or tell, otherwise.
   SPDX-License-Identifier: MIT  */

#include <link.h>

#include "libcilkprof/sampler/openmp/openmp.h"

__thread const void *openmp_loop_caller, *openmp_task_body, *openmp_lock_caller;
__thread bool openmp_lock_noted;
static uintptr_t runtime_begin, runtime_end; /* the code of OpenMP's runtime */

/* Callback of dl_iterate_phdr: notes where the object INFO is if the code at INSIDE is of it, and returns 1 then.  */
static int note_runtime(struct dl_phdr_info *info, size_t size, void *inside) {
  uintptr_t begin = UINTPTR_MAX, end = 0, code = (uintptr_t)inside;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    uintptr_t at = info->dlpi_addr + part->p_vaddr;
    if (part->p_type != PT_LOAD)
      continue;
    begin = at < begin ? at : begin;
    end = at + part->p_memsz > end ? at + part->p_memsz : end;
  }
  if (code < begin || code >= end)
    return 0;
  runtime_begin = begin;
  runtime_end = end;
  return 1;
}

void openmp_runtime_is_at(const void *code) {
  dl_iterate_phdr(note_runtime, (void *)(uintptr_t)code);
}

bool is_openmp_runtime(const void *code) {
  return (uintptr_t)code >= runtime_begin && (uintptr_t)code < runtime_end;
}
