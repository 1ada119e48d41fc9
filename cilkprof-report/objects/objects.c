/* Executables and shared libraries: opens them, and reads build-ids and sections.
   SPDX-License-Identifier: GPL-3.0-or-later

   The files are untrusted.  libelf checks its headers, and descriptions.c checks site descriptions.  */

#include <errno.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cilkprof-report/objects/objects.h"
#include "cilkprof-report/support/support.h"

/* Opens the ELF file PATH, and sets *OPENED to its descriptor and *STATUS to its status.  Returns NULL and sets *WRONG
   to a message if it is not an ELF file or cannot be opened.  */
static Elf *open_elf_file(const char *path, int *opened, struct stat *status, const char **wrong) {
  elf_version(EV_CURRENT);
  int descriptor = *opened = open_regular_file(path, status);
  if (descriptor < 0) {
    *wrong = errno == EINVAL ? "not an ELF program or library" : strerror(errno);
    return NULL;
  }
  GElf_Ehdr header;
  errno = 0;
  Elf *elf = elf_begin(descriptor, ELF_C_READ, NULL);
  check_memory_result(elf);
  if (elf == NULL || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, &header) == NULL) {
    *wrong = status->st_size == 0 ? "the file is empty: it is neither a program nor a profile; build the program again"
                                  : "not an ELF program or library";
    elf_end(elf);
    close(descriptor);
    return NULL;
  }
  return elf;
}

/* Sets the build-id of OBJECT, if the note SECTION has it.  */
static void read_object_build_id(struct object *object, Elf_Scn *section) {
  errno = 0;
  Elf_Data *data = elf_getdata(section, NULL);
  check_memory_result(data);
  GElf_Nhdr header;
  size_t name, description, next;
  for (size_t offset = 0; data != NULL && (next = gelf_getnote(data, offset, &header, &name, &description)) > 0;
       offset = next)
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == sizeof "GNU" &&
        memcmp((const char *)data->d_buf + name, "GNU", sizeof "GNU") == 0) {
      object->build_id = memcpy(allocate(header.n_descsz, 1), (const char *)data->d_buf + description, header.n_descsz);
      object->build_id_size = header.n_descsz;
      return;
    }
}

/* Extends the range of addresses from *START to *END by the section with this HEADER.  Sections of one kind are
   adjacent.  */
static void extend_object_section_range(uint64_t *start, uint64_t *end, const GElf_Shdr *header) {
  uint64_t last = header->sh_addr + header->sh_size;
  *start = *start == *end || header->sh_addr < *start ? header->sh_addr : *start;
  *end = last > *end ? last : *end;
}

/* Keeps the notes in SECTION, the last of which ends with a zero byte, in OBJECT.  */
static void read_object_notes(struct object *object, Elf_Scn *section) {
  errno = 0;
  Elf_Data *data = elf_getdata(section, NULL);
  check_memory_result(data);
  if (data == NULL || data->d_buf == NULL || data->d_size == 0 || ((const char *)data->d_buf)[data->d_size - 1] != 0)
    return;
  object->notes = memcpy(allocate(data->d_size, 1), data->d_buf, data->d_size);
  object->notes_size = data->d_size;
}

/* Records what SECTION tells about OBJECT: the build-id, whether it has symbols, lines and code, and where the runtime
   and linkage code are.  NAME, that of the section, may be NULL.  */
static void read_object_section_header(struct object *object, Elf_Scn *section, const GElf_Shdr *header,
                                       const char *name) {
  if (header->sh_type == SHT_NOTE && object->build_id == NULL)
    read_object_build_id(object, section);
  if (header->sh_type == SHT_SYMTAB && header->sh_size > 0)
    object->has_symbols = true;
  if (header->sh_type == SHT_NOBITS && header->sh_flags & SHF_EXECINSTR)
    object->is_emptied = true;
  if (name != NULL && strcmp(name, ".debug_line") == 0)
    object->has_lines = true;
  if (name != NULL && strcmp(name, CILKPROF_NOTES_SECTION) == 0 && header->sh_type == SHT_PROGBITS)
    read_object_notes(object, section);
  if (name != NULL && strcmp(name, "cilkprof_runtime") == 0)
    extend_object_section_range(&object->runtime_start, &object->runtime_end, header);
  if (name != NULL && strcmp(name, "cilkprof_engine") == 0)
    extend_object_section_range(&object->engine_start, &object->engine_end, header);
  if (name != NULL && strncmp(name, ".plt", strlen(".plt")) == 0)
    extend_object_section_range(&object->linkage_start, &object->linkage_end, header);
}

struct object *object_open(const char *path, const char **wrong) {
  struct stat status;
  int descriptor;
  Elf *elf = open_elf_file(path, &descriptor, &status, wrong);
  if (elf == NULL)
    return NULL;
  struct object *object = allocate(1, sizeof *object);
  object->path = path;
  object->elf = elf;
  object->status = status;
  object->descriptor = descriptor;
  size_t names;
  bool named = elf_getshdrstrndx(elf, &names) == 0;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
    GElf_Shdr header;
    errno = 0;
    const GElf_Shdr *found = gelf_getshdr(section, &header);
    check_memory_result(found);
    if (found != NULL)
      read_object_section_header(object, section, &header, named ? elf_strptr(elf, names, header.sh_name) : NULL);
  }
  return object;
}

void object_close(struct object *object) {
  elf_end(object->elf);
  object->elf = NULL;
  close(object->descriptor);
  object->descriptor = -1;
}

char *format_object_build_id(const uint8_t *bytes, size_t size) {
  if (size == 0)
    return format_string("none");
  char *text = allocate(2 * size + 1, 1);
  for (size_t i = 0; i < size; i++)
    snprintf(text + 2 * i, 3, "%02x", bytes[i]);
  return text;
}
