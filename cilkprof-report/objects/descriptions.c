/* Reads the site descriptions of an object.
   SPDX-License-Identifier: GPL-3.0-or-later

   They are untrusted, and are all checked when they are read.  The bits in STARTS then tell which addresses are
   valid.  */

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

/* Returns the fixed part of the site description at AT, in the byte order of this machine.  SWAP says that the object
   file has the other one.  */
static struct cilkprof_description object_description_fixed_part(const char *at, bool swap) {
  struct cilkprof_description fixed;
  memcpy(&fixed, at, sizeof fixed);
  if (swap) {
    fixed.magic = __builtin_bswap16(fixed.magic);
    fixed.size = __builtin_bswap32(fixed.size);
    fixed.line = __builtin_bswap32(fixed.line);
    fixed.column = __builtin_bswap32(fixed.column);
  }
  return fixed;
}

/* Reads the site description at AT, which has at most LEFT bytes, into *DESCRIPTION.  Returns its size, or 0 if it is
   invalid.  SWAP says that the object file has the other byte order.  */
static size_t read_object_description(const char *at, size_t left, bool swap, struct description *description) {
  if (left < sizeof(struct cilkprof_description))
    return 0;
  struct cilkprof_description fixed = object_description_fixed_part(at, swap);
  if (fixed.magic != CILKPROF_DESCRIPTION_MAGIC || fixed.kind > CILKPROF_COMPILER_FOLDER || fixed.flags > 127 ||
      fixed.size > left || fixed.size <= sizeof fixed || fixed.size % 8 != 0)
    return 0;
  const char *end = at + fixed.size;
  const char *next = at + sizeof fixed;
  description->kind = fixed.kind;
  description->flags = fixed.flags;
  description->line = fixed.line;
  description->column = fixed.column;
  description->file = take_object_description_string(&next, end);
  description->caller = description->file != NULL ? take_object_description_string(&next, end) : NULL;
  description->callee = description->caller != NULL ? take_object_description_string(&next, end) : NULL;
  description->unit = description->callee != NULL ? take_object_description_string(&next, end) : NULL;
  bool in_library = description->unit != NULL && fixed.flags & CILKPROF_SITE_AT_CALL &&
                    fixed.kind != CILKPROF_SITE_SERIAL_LOOP && take_object_description_string(&next, end) != NULL;
  description->library = in_library ? take_object_description_string(&next, end) : NULL;
  return description->unit != NULL ? fixed.size : 0;
}

/* Returns whether the STEP bytes at AT are zero, as between the site descriptions of two units.  */
static bool is_object_description_padding(const char *at) {
  static const char zeros[STEP];
  return memcmp(at, zeros, sizeof zeros) == 0;
}

/* Checks all site descriptions of SECTION, which belongs to OBJECT, and marks where they start.  Returns NULL, or an
   error message.  */
static const char *check_object_description_section(struct object *object, struct description_section *section) {
  for (size_t offset = 0, size; offset < section->size; offset += size) {
    struct description description;
    size_t left = section->size - offset;
    size = STEP;
    if (left >= STEP &&
        is_object_description_padding(section->bytes + offset)) /* padding by the linker between two units */
      continue;
    size = read_object_description(section->bytes + offset, left, object->swap, &description);
    if (size == 0)
      return format_string("section %s holds no site description at offset %zu", CILKPROF_DESCRIPTION_SECTION, offset);
    set_object_description_bit(section->starts, offset);
    object->description_count += description.kind != CILKPROF_COMPILER_FOLDER;
  }
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
  section.starts = allocate(section.size / STEP / 8 + 1, 1);
  section.reached = allocate(section.size / STEP / 8 + 1, 1);
  object->sections =
      grow_array(object->sections, object->section_count, &object->section_room, sizeof *object->sections);
  object->sections[object->section_count++] = section;
  return check_object_description_section(object, &section);
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
  read_object_description(section->bytes + offset, section->size - offset, object->swap, description);
  description->address = section->address + offset;
  description->reached = has_object_description_bit(section->reached, offset);
}

/* Reads the site description at ADDRESS of OBJECT into *DESCRIPTION, and marks it as reached: a profile has this call
   site.  Returns false if there is none.  */
bool object_reach_description(struct object *object, uint64_t address, struct description *description) {
  for (size_t i = 0; i < object->section_count; i++) {
    struct description_section *section = &object->sections[i];
    uint64_t offset = address - section->address;
    if (address < section->address || offset >= section->size || offset % STEP != 0 ||
        !has_object_description_bit(section->starts, offset))
      continue;
    set_object_description_bit(section->reached, offset);
    reread_object_description(object, section, offset, description);
    return description->kind != CILKPROF_COMPILER_FOLDER;
  }
  return false;
}

/* Reads the next description of OBJECT in WALK, a walk through all of them, into *DESCRIPTION.  Not all are of sites.
   Returns false if there are no more.  */
bool object_next_description(const struct object *object, struct description_walk *walk,
                             struct description *description) {
  for (; walk->section < object->section_count; walk->section++, walk->offset = 0) {
    const struct description_section *section = &object->sections[walk->section];
    for (; walk->offset < section->size; walk->offset += STEP)
      if (has_object_description_bit(section->starts, walk->offset)) {
        reread_object_description(object, section, walk->offset, description);
        walk->offset += STEP;
        return true;
      }
  }
  return false;
}

void object_forget_descriptions(struct object *object) {
  for (size_t i = 0; i < object->section_count; i++) {
    free(object->sections[i].bytes);
    free(object->sections[i].starts);
    free(object->sections[i].reached);
  }
  object->section_count = 0;
}
