/* Slots: what a compiled unit holds for each record of the engine, and how an object that is loaded gets its records.
   SPDX-License-Identifier: MIT

   Records are large and mostly zero, so objects do not contain them.  A unit has a slot of 8 bytes for each, in section
   cilkprof_slots.  It holds a few facts of the record, as a word, until the object is loaded; then the records are made
   in memory that is mapped for them, and each slot is the address of its record.  Code reads the slot where it would
   otherwise compute an address.  A word refers to other things by their distance, so it needs no relocation.

   The address of a slot identifies its site for good: descriptions of sites have it (fmt/description.h).

   A word has a kind in its first byte, flags in the next two, and a value in its last four.  Records are aligned to
   cache lines, so an address has no kind.  The compiler's plugin writes the words; it knows these numbers alone.  */

#ifndef CILKPROF_SLOTS_H
#define CILKPROF_SLOTS_H

#define __CILKPROF_SLOT_FUNCTION 1 /* flags of its site OUTSIDE; the distance to a pointer to the mode */
#define __CILKPROF_SLOT_SITE     2 /* flags; work.  It is a site of the last function or OWNER */
#define __CILKPROF_SLOT_POINT    3 /* a timing point */
/* These words are no slots.  */
#define __CILKPROF_SLOT_ADDRESS    4 /* of the function before it, or what the site before it calls: the distance */
#define __CILKPROF_SLOT_ADDRESS_AT 5 /* the same: the distance to a pointer to it */
#define __CILKPROF_SLOT_OWNER      6 /* the distance to the slot of a function, whose sites follow */
#define __CILKPROF_SLOT_KIND       63

/* A flag of a timing point.  */
#define __CILKPROF_SLOT_VARIES 1 /* its strands run code that is not counted, as no function without forks is */

/* Beside the flags of a function.  */
#define __CILKPROF_SLOT_COUNTABLE 256 /* it runs without events when it is counted, */
#define __CILKPROF_SLOT_COMPARES  512 /* and counts that: it may be a comparison function, which qsort(3) calls */

#endif
