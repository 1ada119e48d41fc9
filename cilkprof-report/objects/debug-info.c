/* The process that reads debugging information, with libdw.
   SPDX-License-Identifier: GPL-3.0-or-later

   BFD, which demangles names elsewhere in the report, could do this too.  This table compares both for looking up the
   lines of all 200,000 functions in the program of `make bench-report', 284 MB with 200 units, on an Arm Neoverse-V1:

                 user time   peak memory
     libbfd 2.40    1.29 s        844 MB    reads every entry of a unit to answer for one address
     libdw 0.188    0.32 s        206 MB    reads the line table of the unit, and the file in place

   The whole report (-C) takes 2.88 s and 477 MB with libdw instead of 3.95 s and 865 MB.  Moreover, libbfd found no
   lines in files that were compiled with -gsplit-dwarf or -gz, and reported a file <artificial> for units compiled with
   -flto.  */

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <string.h>
#include "cilkprof-report/objects/debug-info.h"
#include "cilkprof-report/objects/inlined.h"
#include "cilkprof-report/support/sort.h"
#include "cilkprof-report/support/support.h"

/* Lowers the limit of RESOURCE for the process that reads debugging information to MOST, if it is higher.  */
static void lower_debug_info_limit(int resource, rlim_t most) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) == 0 && (limits.rlim_cur == RLIM_INFINITY || limits.rlim_cur > most)) {
    limits.rlim_cur = most;
    setrlimit(resource, &limits);
  }
}

/* Returns the size in bytes of the data of the process that reads debugging information, which is this one, or 0 if it
   is unknown.  */
static rlim_t debug_info_data_bytes(void) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "re");
  if (file == NULL || fscanf(file, "%*u %*u %*u %*u %*u %lu", &pages) != 1)
    pages = 0;
  if (file != NULL)
    fclose(file);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Limits the resources of the process for reading the debugging information of a file of SIZE bytes.  It may take 64 *
   SIZE bytes of memory and 64 MB more, and 10 seconds plus one for each MB.  */
static void limit_debug_info_resources(uint64_t size) {
  rlim_t data = debug_info_data_bytes();
  lower_debug_info_limit(RLIMIT_CORE, 0);
  lower_debug_info_limit(RLIMIT_CPU, 10 + size / 1000000);
  if (data > 0)
    lower_debug_info_limit(RLIMIT_DATA, data + 64 * size + (64 << 20));
}

/* Redirects standard output and standard error to /dev/null.  Libraries may print complaints about a file, and a pager
   waits until no process has its input open for writing.  */
static void silence_debug_info_process(void) {
  int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0)
    return;
  dup2(nowhere, STDERR_FILENO);
  dup2(nowhere, STDOUT_FILENO);
}

/* Opens the debugging information of OBJECT.  Returns NULL if it has none.  Ends the process if the file was replaced
   since OBJECT was opened.  */
static Dwarf *open_unchanged_debug_info(const struct object *object) {
  struct stat status;
  int file = open_regular_file(object->path, &status);
  if (file < 0 || status.st_dev != object->status.st_dev || status.st_ino != object->status.st_ino ||
      status.st_size != object->status.st_size || object_modified_ns(&status) != object_modified_ns(&object->status))
    _exit(1);
  return dwarf_begin(file, DWARF_C_READ);
}

/* Ends the process that reads debugging information, for lack of memory, without the exit handlers and buffers that it
   inherited from the report.  */
__attribute__((noreturn)) static void end_debug_info_process(void) {
  _exit(1);
}

/* A range of addresses of one unit.  It is read from the unit, because not all compilers write .debug_aranges.  */
struct address_range {
  Dwarf_Addr start, end;
  Dwarf_Off unit;
};

struct address_ranges {
  struct address_range *ranges; /* sorted by START */
  size_t count, room;
};

/* Adds RANGE, a range of addresses of a unit, to RANGES.  Ends the process if there is no memory.  */
static void add_dwarf_range(struct address_ranges *ranges, struct address_range range) {
  if (ranges->count == ranges->room) {
    ranges->room = 2 * ranges->room + 64;
    ranges->ranges = reallocarray(ranges->ranges, ranges->room, sizeof *ranges->ranges);
  }
  if (ranges->ranges == NULL)
    end_debug_info_process();
  ranges->ranges[ranges->count++] = range;
}

/* Adds all ranges of addresses of UNIT to RANGES.  */
static void add_dwarf_unit_ranges(struct address_ranges *ranges, Dwarf_Die *unit) {
  Dwarf_Addr base, start, end;
  for (ptrdiff_t at = 0; (at = dwarf_ranges(unit, at, &base, &start, &end)) > 0;)
    if (start < end)
      add_dwarf_range(ranges, (struct address_range){start, end, dwarf_dieoffset(unit)});
}

/* Callback of qsort: compares two ranges of addresses by start.  */
static int compare_dwarf_ranges(const void *left, const void *right) {
  const struct address_range *a = left, *b = right;
  return a->start < b->start ? -1 : a->start > b->start;
}

/* Returns the address ranges of all units in DEBUG, sorted by start.  Allocated.  */
static struct address_ranges read_dwarf_ranges(Dwarf *debug) {
  struct address_ranges ranges = {0};
  Dwarf_Die unit;
  uint8_t type;
  for (Dwarf_CU *at = NULL; dwarf_get_units(debug, at, &at, NULL, &type, &unit, NULL) == 0;)
    if (type == DW_UT_compile || type == DW_UT_skeleton)
      add_dwarf_unit_ranges(&ranges, &unit);
  if (ranges.count > 0)
    qsort(ranges.ranges, ranges.count, sizeof *ranges.ranges, compare_dwarf_ranges);
  return ranges;
}

/* Callback of sorted_lower_bound: returns whether a range of addresses starts at ADDRESS or before it.  */
static bool is_dwarf_range_before(const void *item, const void *address) {
  return ((const struct address_range *)item)->start <= *(const uint64_t *)address;
}

/* Finds the unit in DEBUG that contains ADDRESS, and stores it in *UNIT.  RANGES are the addresses of all units,
   sorted.  Returns false if there is none.  */
static bool find_dwarf_unit(Dwarf *debug, const struct address_ranges *ranges, uint64_t address, Dwarf_Die *unit) {
  size_t after =
      sorted_lower_bound(ranges->ranges, ranges->count, sizeof *ranges->ranges, is_dwarf_range_before, &address);
  const struct address_range *range = after > 0 ? &ranges->ranges[after - 1] : NULL;
  return range != NULL && address < range->end && dwarf_offdie(debug, range->unit, unit) != NULL;
}

/* Returns the row of the line table for ADDRESS, the start of a function, or NULL.  The first row of the address is the
   line of the function; others follow if its first instruction belongs to an inlined function.  An address without a
   row has that of the address before it.  */
static Dwarf_Line *find_dwarf_line_row(Dwarf_Lines *rows, size_t count, uint64_t address) {
  size_t low = 0, high = count;
  Dwarf_Line *row = NULL;
  Dwarf_Addr at = 0;
  bool ends = false;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    bool right = dwarf_lineaddr(dwarf_onesrcline(rows, middle), &at) == 0;
    if (right && at < address)
      low = middle + 1;
    else
      high = middle;
  }
  for (size_t i = low; i < count; i++) {
    row = dwarf_onesrcline(rows, i);
    if (dwarf_lineaddr(row, &at) != 0 || at != address || dwarf_lineendsequence(row, &ends) != 0)
      break;
    if (!ends)
      return row;
  }
  row = low > 0 ? dwarf_onesrcline(rows, low - 1) : NULL;
  return row != NULL && dwarf_lineendsequence(row, &ends) == 0 && !ends ? row : NULL;
}

/* Writes the file name NAME to TO, with the directory of the compilation of UNIT if it is relative, and returns its
   length.  It is truncated to a third of the text of an answer.  */
static uint32_t put_dwarf_file_name(char *to, Dwarf_Die *unit, const char *name) {
  Dwarf_Attribute attribute;
  const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  const size_t most = sizeof(((struct line_answer *)NULL)->text) / 3;
  bool whole = name[0] == '/' || folder == NULL;
  int length = snprintf(to, most, "%s%s%s", whole ? "" : folder, whole ? "" : "/", name);
  return length < (int)most ? (uint32_t)length : (uint32_t)most - 1;
}

/* Puts a source location, LINE of the file NAME of UNIT, into ANSWER.  */
static void put_dwarf_location(struct line_answer *answer, Dwarf_Die *unit, const char *name, uint32_t line) {
  answer->file_length = put_dwarf_file_name(answer->text, unit, name);
  answer->line = line;
}

/* Puts the file and line of ROW of the line table of UNIT into ANSWER.  ROW may be NULL, which leaves ANSWER as it
   is.  */
static void put_dwarf_line_row(struct line_answer *answer, Dwarf_Die *unit, Dwarf_Line *row) {
  const char *name = row != NULL ? dwarf_linesrc(row, NULL, NULL) : NULL;
  int line;
  if (name != NULL && dwarf_lineno(row, &line) == 0)
    put_dwarf_location(answer, unit, name, (uint32_t)line);
}

/* Puts the function at the depth of QUESTION, which is inlined or contains the others, into ANSWER.  Its source
   location is that of the instruction for the innermost function, and that of the inlined call for the others.  Returns
   the length of the name.  */
static size_t put_dwarf_frame(struct line_answer *answer, Dwarf_Die *unit, struct inlined *inlined,
                              const struct line_question *question) {
  struct inlined_frame frame, inner;
  unsigned depth = (unsigned)question->depth - 1;
  if (depth == 0)
    put_dwarf_line_row(answer, unit, dwarf_getsrc_die(unit, question->address));
  else if (find_inlined_dwarf_frame(inlined, unit, question->address, depth - 1, &inner) && inner.call_file != NULL)
    put_dwarf_location(answer, unit, inner.call_file, inner.call_line);
  if (!find_inlined_dwarf_frame(inlined, unit, question->address, depth, &frame))
    return 0;
  answer->defined = frame.defined;
  answer->inlined = frame.call_file != NULL;
  answer->is_static = frame.is_static;
  if (frame.defined_file != NULL)
    answer->defined_length = put_dwarf_file_name(answer->text + answer->file_length, unit, frame.defined_file);
  size_t before = answer->file_length + answer->defined_length;
  size_t length = frame.name != NULL ? strlen(frame.name) : 0, room = sizeof answer->text - before;
  length = length < room ? length : room;
  memcpy(answer->text + before, frame.name != NULL ? frame.name : "", length);
  return length;
}

/* Looks up the address of QUESTION in the debugging information DEBUG, fills in ANSWER, and returns the size of ANSWER
   in bytes.  */
static size_t find_dwarf_answer(Dwarf *debug, const struct address_ranges *ranges, struct inlined *inlined,
                                const struct line_question *question, struct line_answer *answer) {
  Dwarf_Die unit;
  Dwarf_Lines *rows;
  size_t count, name = 0;
  bool found = find_dwarf_unit(debug, ranges, question->address, &unit);
  if (found && question->depth > 0)
    name = put_dwarf_frame(answer, &unit, inlined, question);
  else if (found && dwarf_getsrclines(&unit, &rows, &count) == 0)
    put_dwarf_line_row(answer, &unit, find_dwarf_line_row(rows, count, question->address));
  return offsetof(struct line_answer, text) + answer->file_length + answer->defined_length + name;
}

/* Answers questions about the debugging information of OBJECT, in a process of its own, until the other end of SOCKET
   is closed; then ends that process.  */
void debug_info_serve(const struct object *object, int socket) {
  static struct line_answer answer;
  struct line_question question;
  struct inlined inlined = {0};
  limit_debug_info_resources((uint64_t)object->status.st_size);
  silence_debug_info_process();
  errno = 0;
  Dwarf *debug = open_unchanged_debug_info(object);
  if (debug != NULL) /* the file has debugging information */
    dwarf_new_oom_handler(debug, end_debug_info_process);
  struct address_ranges ranges = read_dwarf_ranges(debug);
  if (errno == ENOMEM)
    end_debug_info_process();
  while (recv(socket, &question, sizeof question, 0) == sizeof question) {
    memset(&answer, 0, offsetof(struct line_answer, text));
    size_t size = find_dwarf_answer(debug, &ranges, &inlined, &question, &answer);
    if (errno == ENOMEM)
      end_debug_info_process(); /* the answer may be wrong */
    if (send(socket, &answer, size, MSG_NOSIGNAL) < 0)
      break;
  }
  _exit(0);
}
