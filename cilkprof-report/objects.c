/* Executables and shared libraries: their build-id and their site descriptions.
   SPDX-License-Identifier: GPL-3.0-or-later

   The files are untrusted: libelf checks its own headers, the descriptions are checked here.  */

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/objects.h"
#include "cilkprof-report/support.h"

static Elf *open_elf(const char *path, struct stat *status, const char **wrong) {
  elf_version(EV_CURRENT);
  int descriptor = file_open(path, status);
  if (descriptor < 0) {
    *wrong = errno == EINVAL ? "not an ELF program or library" : strerror(errno);
    return NULL;
  }
  GElf_Ehdr header;
  Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL);
  if (elf == NULL || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL) {
    *wrong = "not an ELF program or library";
    elf_end(elf);
    close(descriptor);
    return NULL;
  }
  return elf;
}

/* The build-id is a note of its own name and type; SECTION holds notes.  */
static void find_build_id(struct object *object, Elf_Scn *section) {
  Elf_Data *data = elf_getdata(section, NULL);
  GElf_Nhdr header;
  size_t name, description, next;
  for (size_t offset = 0; data != NULL && (next = gelf_getnote(data, offset, &header, &name, &description)) > 0;
       offset = next)
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof "GNU" &&
        memcmp((const char *)data->d_buf + name, "GNU", sizeof "GNU") == 0) {
      object->build_id = (const uint8_t *)data->d_buf + description;
      object->build_id_size = header.n_descsz;
      return;
    }
}

/* Takes the next string of a description, or returns NULL when it has no end before END.  */
static const char *take_string(const char **at, const char *end) {
  const char *string = *at, *zero = memchr(string, 0, (size_t)(end - string));
  if (zero != NULL)
    *at = zero + 1;
  return zero != NULL ? string : NULL;
}

/* The fixed part of a description, in this machine's byte order.  */
static struct cilkprof_description fixed_part(const char *at, bool swap) {
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

/* Reads the description at AT.  Returns its size, or 0 when it is not one.  */
static size_t read_description(const char *at, size_t left, bool swap, struct description *description) {
  if (left < sizeof(struct cilkprof_description))
    return 0;
  struct cilkprof_description fixed = fixed_part(at, swap);
  if (fixed.magic != CILKPROF_DESCRIPTION_MAGIC || fixed.kind > CILKPROF_SITE_OUTSIDE || fixed.flags > 15 ||
      fixed.size > left || fixed.size <= sizeof fixed || fixed.size % 8 != 0)
    return 0;
  const char *end = at + fixed.size;
  const char *next = at + sizeof fixed;
  description->kind = fixed.kind;
  description->flags = fixed.flags;
  description->line = fixed.line;
  description->column = fixed.column;
  description->file = take_string(&next, end);
  description->caller = description->file != NULL ? take_string(&next, end) : NULL;
  description->callee = description->caller != NULL ? take_string(&next, end) : NULL;
  description->unit = description->callee != NULL ? take_string(&next, end) : NULL;
  return description->unit != NULL ? fixed.size : 0;
}

static bool is_zero(const char *at) {
  static const char zeros[8];
  return memcmp(at, zeros, sizeof zeros) == 0;
}

static const char *read_section(struct object *object, Elf_Scn *section, const GElf_Shdr *header, bool swap,
                                size_t *room) {
  Elf_Data *data = elf_rawdata(section, NULL);
  if (data == NULL || data->d_buf == NULL)
    return format_string("section %s cannot be read: %s", CILKPROF_DESCRIPTION_SECTION, elf_errmsg(-1));
  const char *bytes = data->d_buf;
  for (size_t offset = 0, size; offset < data->d_size; offset += size) {
    struct description description = {.address = header->sh_addr + offset};
    size = 8;
    if (data->d_size - offset >= 8 && is_zero(bytes + offset)) /* the linker's padding between two units */
      continue;
    size = read_description(bytes + offset, data->d_size - offset, swap, &description);
    if (size == 0)
      return format_string("section %s holds no site description at offset %zu", CILKPROF_DESCRIPTION_SECTION, offset);
    object->descriptions = grow(object->descriptions, object->description_count, room, sizeof description);
    object->descriptions[object->description_count++] = description;
  }
  return NULL;
}

struct object *object_open(const char *path, const char **wrong) {
  struct stat status;
  Elf *elf = open_elf(path, &status, wrong);
  if (elf == NULL)
    return NULL;
  struct object *object = allocate(1, sizeof *object);
  object->path = path;
  object->elf = elf;
  object->status = status;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section)) != NULL;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == NULL)
      continue;
    if (header.sh_type == SHT_NOTE && object->build_id == NULL)
      find_build_id(object, section);
    if (header.sh_type == SHT_SYMTAB && header.sh_size > 0)
      object->has_symbols = true;
  }
  return object;
}

const char *object_read_descriptions(struct object *object) {
  GElf_Ehdr ehdr;
  size_t names, room = 0;
  bool found = false;
  if (gelf_getehdr(object->elf, &ehdr) == NULL || elf_getshdrstrndx(object->elf, &names) != 0)
    return "its section headers cannot be read";
  bool swap = ehdr.e_ident[EI_DATA] != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB);
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section)) != NULL;) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(object->elf, names, header.sh_name) : NULL;
    if (name == NULL || strcmp(name, CILKPROF_DESCRIPTION_SECTION) != 0)
      continue;
    found = true;
    const char *wrong = read_section(object, section, &header, swap, &room);
    if (wrong != NULL)
      return wrong;
  }
  return found ? NULL
               : "has no call sites (no section " CILKPROF_DESCRIPTION_SECTION "): was it compiled with -fcilkprof?";
}

struct description *object_description(const struct object *object, uint64_t address) {
  size_t low = 0, high = object->description_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (object->descriptions[middle].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  bool found = low < object->description_count && object->descriptions[low].address == address;
  return found ? &object->descriptions[low] : NULL;
}

char *format_build_id(const uint8_t *bytes, size_t size) {
  if (size == 0)
    return format_string("none");
  char *text = allocate(2 * size + 1, 1);
  for (size_t i = 0; i < size; i++)
    snprintf(text + 2 * i, 3, "%02x", bytes[i]);
  return text;
}
