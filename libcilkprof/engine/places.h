/* Where the records of functions and sites are in memory.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PLACES_H
#define CILKPROF_PLACES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

/* Where records are in a parallel run: in one of PLACES places.  Other workers have theirs of all objects at the same
   distance from these, a multiple of DISTANCE (engine/workers/recorder.c).  */
enum { RECORD_PLACES = 256 };
#define RECORDS_FIRST    ((uint64_t)3 << 44) /* programs are elsewhere, and so is what AddressSanitizer needs */
#define RECORDS_PLACE    ((uint64_t)1 << 26)
#define RECORDS_DISTANCE (RECORDS_PLACE * (RECORD_PLACES + 1))

/* Maps BYTES of zeroed memory AT an address, if there is nothing else; anywhere if that is 0.  Returns NULL if there is
   none.  It asks the system itself.  */
static inline char *map_records_at(uint64_t at, size_t bytes) {
  long result, how = MAP_PRIVATE | MAP_ANONYMOUS | (at ? MAP_FIXED_NOREPLACE | MAP_NORESERVE : 0);
#if defined(__aarch64__)
  register long number __asm__("x8") = SYS_mmap, address __asm__("x0") = (long)at, size __asm__("x1") = (long)bytes;
  register long protection __asm__("x2") = PROT_READ | PROT_WRITE, flags __asm__("x3") = how;
  register long file __asm__("x4") = -1, offset __asm__("x5") = 0;
  __asm__ volatile("svc 0"
                   : "+r"(address)
                   : "r"(number), "r"(size), "r"(protection), "r"(flags), "r"(file), "r"(offset)
                   : "memory");
  result = address;
#elif defined(__x86_64__)
  register long flags __asm__("r10") = how, file __asm__("r8") = -1, offset __asm__("r9") = 0;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(SYS_mmap), "D"(at), "S"(bytes), "d"((long)(PROT_READ | PROT_WRITE)), "r"(flags), "r"(file),
                     "r"(offset)
                   : "rcx", "r11", "memory");
#endif
  return (unsigned long)result > -4096UL ? NULL : (char *)result;
}

#endif
