/* Reads the site descriptions of an object.
   SPDX-License-Identifier: GPL-3.0-or-later

   They are untrusted, and are all checked when they are read.  Their places are then known, and sorted: they are found
   by the address of their site.  */

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/objects/objects.h"
#include "cilkprof-report/support/support.h"

enum { STEP = 8 }; /* alignment of descriptions */

/* Returns the bit in BITS for OFFSET in a section of site descriptions.  There is one bit for every STEP bytes.  */
static bool has_object_description_bit(const uint8_t *bits, size_t offset) {
  return bits[offset / STEP / 8] >> (offset / STEP % 8) & 1;
}

/* Sets the bit in BITS for OFFSET in a section of site descriptions.  There is one bit for every STEP bytes.  */
static void set_object_description_bit(uint8_t *bits, size_t offset) {
  bits[offset / STEP / 8] |= (uint8_t)(1 << (offset / STEP % 8));
}

/* Returns the string at *AT in a site description and moves *AT past it.  Returns NULL if the string does not end
   before END.  */
static const char *take_object_description_string(const char **at, const char *end) {
  const char *string = *at, *zero = memchr(string, 0, (size_t)(end - string));
  if (zero != NULL)
    *at = zero + 1;
  return zero != NULL ? string : NULL;
}

/* Likewise, for a string that is optional: returns NULL if it is empty.  */
static const char *take_object_description_text(const char **at, const char *end) {
  const char *string = take_object_description_string(at, end);
  return string != NULL && *string != 0 ? string : NULL;
}

/* Reads the fixed part of the site description at AT, which has at most LEFT bytes, in the byte order of this machine.
   SWAP says that the object file has the other one.  Returns its size, or 0 if it is invalid.  Descriptions of earlier
   versions have no address of their site: they are loaded with the program, and their own address SELF is that.  */
static size_t read_object_description_head(const char *at, size_t left, bool swap, uint64_t self,
                                           struct cilkprof_description *head) {
  enum { OLD_MAGIC = 0xC11C };
  size_t before = offsetof(struct cilkprof_description, magic), size = sizeof *head;
  uint16_t magic;
  if (left < size - before)
    return 0;
  memcpy(&magic, at, sizeof magic);
  bool old = (swap ? __builtin_bswap16(magic) : magic) == OLD_MAGIC && self != 0;
  if (!old && left < size)
    return 0;
  memcpy((char *)head + (old ? before : 0), at, old ? size - before : size);
  if (swap) {
    head->site = __builtin_bswap64(head->site);
    head->magic = __builtin_bswap16(head->magic);
    head->size = __builtin_bswap32(head->size);
    head->line = __builtin_bswap32(head->line);
    head->column = __builtin_bswap32(head->column);
  }
  if (old)
    head->site = self;
  size -= old ? before : 0;
  bool valid = (old || head->magic == CILKPROF_DESCRIPTION_MAGIC) && head->kind <= CILKPROF_LOOP_LINES &&
               head->size <= left && head->size > size && head->size % STEP == 0;
  return valid ? size : 0;
}

/* Reads the site description at OFFSET of SECTION into *DESCRIPTION, and its fixed part into *HEAD.  Returns its size,
   or 0 if it is invalid.  SWAP says that the object file has the other byte order.  */
static size_t read_object_description(const struct description_section *section, size_t offset, bool swap,
                                      struct cilkprof_description *head, struct description *description) {
  const char *at = section->bytes + offset;
  uint64_t self = section->address != 0 ? section->address + offset : 0;
  size_t fixed = read_object_description_head(at, section->size - offset, swap, self, head);
  if (fixed == 0)
    return 0;
  const char *end = at + head->size;
  const char *next = at + fixed;
  description->kind = head->kind;
  description->flags = head->flags;
  description->line = head->line;
  description->column = head->column;
  description->file = take_object_description_string(&next, end);
  description->caller = description->file != NULL ? take_object_description_string(&next, end) : NULL;
  description->callee = description->caller != NULL ? take_object_description_string(&next, end) : NULL;
  description->unit = description->callee != NULL ? take_object_description_string(&next, end) : NULL;
  bool has_more = description->unit != NULL && take_object_description_string(&next, end) != NULL;
  description->library = has_more ? take_object_description_text(&next, end) : NULL;
  description->loop = has_more ? take_object_description_text(&next, end) : NULL;
  description->clock = has_more ? take_object_description_text(&next, end) : NULL;
  return description->unit != NULL ? head->size : 0;
}

/* Returns whether the STEP bytes at AT are zero, as between the site descriptions of two units.  */
static bool is_object_description_padding(const char *at) {
  static const char zeros[STEP];
  return memcmp(at, zeros, sizeof zeros) == 0;
}

/* Compares two places of descriptions by their sites, for qsort and bsearch.  */
static int compare_object_description_places(const void *a, const void *b) {
  uint64_t left = ((const struct description_place *)a)->site, right = ((const struct description_place *)b)->site;
  return (left > right) - (left < right);
}

/* Adds the place of the description of SITE, at OFFSET, to those of SECTION.  *SORTED becomes false if they are not in
   order: linkers mostly leave them so.  */
static void add_object_description_place(struct description_section *section, uint64_t site, size_t offset,
                                         bool *sorted) {
  section->places = grow_array(section->places, section->count, &section->room, sizeof *section->places);
  *sorted &= section->count == 0 || section->places[section->count - 1].site <= site;
  section->places[section->count++] = (struct description_place){site, offset};
}

/* Checks all site descriptions of SECTION, which belongs to OBJECT, and finds their places.  Returns NULL, or an error
   message.  */
static const char *check_object_description_section(struct object *object, struct description_section *section) {
  bool sorted = true;
  for (size_t offset = 0, size; offset < section->size; offset += size) {
    struct description description;
    struct cilkprof_description head;
    size_t left = section->size - offset;
    size = read_object_description(section, offset, object->swap, &head, &description);
    if (size == 0 && left >= STEP && is_object_description_padding(section->bytes + offset)) {
      size = STEP; /* padding by the linker between two units */
      continue;
    }
    if (size == 0)
      return format_string("section %s holds no site description at offset %zu", CILKPROF_DESCRIPTION_SECTION, offset);
    add_object_description_place(section, head.kind < CILKPROF_COMPILER_FOLDER ? head.site : 0, offset, &sorted);
    object->description_count += head.kind < CILKPROF_COMPILER_FOLDER;
  }
  if (!sorted)
    qsort(section->places, section->count, sizeof *section->places, compare_object_description_places);
  return NULL;
}

/* Reads the contents of the section with this HEADER into SECTION.  Does so without libelf, which would keep them in
   memory as long as the file is open.  Returns false if they cannot be read.  */
static bool read_object_section_bytes(int descriptor, const GElf_Shdr *header, struct description_section *section) {
  off_t end = lseek(descriptor, 0, SEEK_END);
  if (header->sh_type == SHT_NOBITS || end < 0 || header->sh_offset > (uint64_t)end ||
      header->sh_size > (uint64_t)end - header->sh_offset)
    return false;
  section->bytes = reallocate(NULL, header->sh_size, 1);
  while (section->size < header->sh_size) {
    ssize_t count = pread(descriptor, section->bytes + section->size, header->sh_size - section->size,
                          (off_t)(header->sh_offset + section->size));
    if (count <= 0)
      return false;
    section->size += (size_t)count;
  }
  return true;
}

/* Reads the section of site descriptions with this HEADER, adds it to OBJECT, and checks it.  Returns NULL, or an error
   message.  */
static const char *read_object_description_section(struct object *object, const GElf_Shdr *header) {
  struct description_section section = {.address = header->sh_addr};
  if (!read_object_section_bytes(object->descriptor, header, &section))
    return format_string("section %s cannot be read", CILKPROF_DESCRIPTION_SECTION);
  section.reached = allocate(section.size / STEP / 8 + 1, 1);
  object->sections =
      grow_array(object->sections, object->section_count, &object->section_room, sizeof *object->sections);
  object->sections[object->section_count] = section;
  return check_object_description_section(object, &object->sections[object->section_count++]);
}

const char *object_read_descriptions(struct object *object) {
  GElf_Ehdr ehdr;
  size_t names;
  if (gelf_getehdr(object->elf, &ehdr) == NULL || elf_getshdrstrndx(object->elf, &names) != 0)
    return "its section headers cannot be read";
  object->swap = ehdr.e_ident[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section)) != NULL;) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(object->elf, names, header.sh_name) : NULL;
    if (name == NULL || strcmp(name, CILKPROF_DESCRIPTION_SECTION) != 0)
      continue;
    const char *wrong = read_object_description_section(object, &header);
    if (wrong != NULL)
      return wrong;
  }
  return NULL;
}

/* Reads the site description at OFFSET of SECTION, which was checked before, into *DESCRIPTION.  */
static void reread_object_description(const struct object *object, const struct description_section *section,
                                      size_t offset, struct description *description) {
  struct cilkprof_description head;
  read_object_description(section, offset, object->swap, &head, description);
  description->reached = has_object_description_bit(section->reached, offset);
}

/* Reads the description of the site of OBJECT that profiles have as SITE into *DESCRIPTION, and marks it as reached: a
   profile has this call site.  Returns false if there is none.  */
bool object_reach_description(struct object *object, uint64_t site, struct description *description) {
  struct description_place wanted = {.site = site};
  for (size_t i = 0; i < object->section_count && site != 0; i++) {
    struct description_section *section = &object->sections[i];
    const struct description_place *place =
        section->count > 0
            ? bsearch(&wanted, section->places, section->count, sizeof wanted, compare_object_description_places)
            : NULL;
    if (place == NULL)
      continue;
    set_object_description_bit(section->reached, place->offset);
    reread_object_description(object, section, place->offset, description);
    return true;
  }
  return false;
}

/* Reads the next description of OBJECT in WALK, a walk through all of them, into *DESCRIPTION.  Not all are of sites.
   Returns false if there are no more.  */
bool object_next_description(const struct object *object, struct description_walk *walk,
                             struct description *description) {
  for (; walk->section < object->section_count; walk->section++, walk->place = 0) {
    const struct description_section *section = &object->sections[walk->section];
    if (walk->place < section->count) {
      reread_object_description(object, section, section->places[walk->place++].offset, description);
      return true;
    }
  }
  return false;
}

void object_forget_descriptions(struct object *object) {
  for (size_t i = 0; i < object->section_count; i++) {
    free(object->sections[i].bytes);
    free(object->sections[i].places);
    free(object->sections[i].reached);
  }
  object->section_count = 0;
}
