/* Finds object files by their build-ids: the objects of a profile, and separate debugging information of stripped
   programs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Names only tell where to look; the build-id or checksum of a file decides.  The directories are those in which gdb
   looks.  */

#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include "cilkprof-report/objects/debuginfod.h"
#include "cilkprof-report/objects/find.h"
#include "cilkprof-report/support/names.h"
#include "cilkprof-report/support/support.h"

bool is_same_object_build(const struct object *file, const struct cilkprof_object *object) {
  return file->build_id_size > 0 && file->build_id_size == object->build_id_size &&
         memcmp(file->build_id, object->build_id, file->build_id_size) == 0;
}

/* The file that is searched for: a program or library, or its separate debugging information.  */
struct wanted {
  struct cilkprof_object object;
  bool debug;
  uint32_t checksum; /* of a file without a build-id */
};

/* Returns whether the CRC of the object file FILE, as a link to separate debugging information has it, is WANTED.  */
static bool has_object_checksum(const struct object *file, uint32_t wanted) {
  static uint8_t bytes[1 << 16];
  uLong checksum = crc32(0, NULL, 0);
  ssize_t size;
  for (off_t at = 0; (size = pread(file->descriptor, bytes, sizeof bytes, at)) > 0; at += size)
    checksum = crc32(checksum, bytes, (uInt)size);
  return size == 0 && checksum == wanted;
}

/* Returns whether FILE has the contents and the build-id or checksum that are WANTED.  */
static bool is_wanted_object(const struct object *file, const struct wanted *wanted) {
  if (wanted->debug ? !file->has_symbols && !file->has_lines : file->is_emptied)
    return false;
  return wanted->object.build_id_size > 0 ? is_same_object_build(file, &wanted->object)
                                          : has_object_checksum(file, wanted->checksum);
}

/* Returns PATH, which may be NULL, if that file is the one WANTED; otherwise frees PATH and returns NULL.  */
static char *take_wanted_object_path(char *path, const struct wanted *wanted) {
  const char *wrong;
  struct object *file = path != NULL ? object_open(path, &wrong) : NULL;
  bool right = file != NULL && is_wanted_object(file, wanted);
  if (file != NULL)
    object_close(file);
  if (right)
    return path;
  free(path);
  return NULL;
}

/* Searches for the WANTED object file as INNER/NAME in each of FOLDERS, which are separated by colons.  Returns the
   path, or NULL.  Allocated.  */
static char *search_folders_for_object(const char *folders, const char *inner, const char *name,
                                       const struct wanted *wanted) {
  char *found = NULL;
  for (const char *end; found == NULL && *folders != 0; folders = *end != 0 ? end + 1 : end) {
    end = strchrnul(folders, ':');
    if (end > folders)
      found = take_wanted_object_path(format_string("%.*s/%s/%s", (int)(end - folders), folders, inner, name), wanted);
  }
  return found;
}

/* Searches FOLDERS for the WANTED object file by a name made from its build-id: the first two digits, a slash, the
   other digits and SUFFIX.  Returns the path, or NULL.  Allocated.  */
static char *search_object_by_build_id(const char *folders, const char *suffix, const struct wanted *wanted) {
  if (wanted->object.build_id_size < 2)
    return NULL;
  char *id = format_object_build_id(wanted->object.build_id, wanted->object.build_id_size);
  char *name = format_string("%.2s/%s%s", id, id + 2, suffix);
  char *found = search_folders_for_object(folders, ".build-id", name, wanted);
  free(name);
  free(id);
  return found;
}

/* Searches for the WANTED object file where programs usually are: at the recorded path, in the current directory,
   beside the file PROFILE, and in the current directory under the compiler's default name.  Returns the path, or NULL.
   Allocated.  */
static char *search_usual_object_paths(const char *profile, const struct wanted *wanted) {
  const char *path = wanted->object.path, *name = base_name(path);
  char *found = take_wanted_object_path(format_string("%s", path), wanted);
  if (found == NULL)
    found = take_wanted_object_path(format_string("./%s", name), wanted);
  if (found == NULL)
    found =
        take_wanted_object_path(format_string("%.*s%s", (int)(base_name(profile) - profile), profile, name), wanted);
  return found != NULL ? found : take_wanted_object_path(format_string("a.out"), wanted);
}

char *find_object_file(const struct cilkprof_object *object, const char *profile, const char *folders) {
  struct wanted wanted = {.object = *object};
  if (object->build_id_size == 0)
    return format_string("%s", object->path);
  char *found = search_usual_object_paths(profile, &wanted);
  if (found == NULL)
    found = search_object_by_build_id(folders, "", &wanted);
  if (found == NULL)
    found = search_object_by_build_id(folders, ".debug", &wanted);
  return found != NULL ? found
                       : take_wanted_object_path(
                             debuginfod_find(SERVER_EXECUTABLE, object->build_id, object->build_id_size), &wanted);
}

/* Reads the link to separate debugging information in the stripped file OBJECT: a file name, and a checksum after it at
   a multiple of four bytes.  Returns the name and sets *CHECKSUM, or returns NULL if there is no link.  */
static const char *read_object_debug_link(const struct object *object, uint32_t *checksum) {
  size_t names;
  if (elf_getshdrstrndx(object->elf, &names) != 0)
    return NULL;
  for (Elf_Scn *section = NULL; (section = elf_nextscn(object->elf, section)) != NULL;) {
    GElf_Shdr header;
    const char *name = gelf_getshdr(section, &header) != NULL ? elf_strptr(object->elf, names, header.sh_name) : NULL;
    if (name == NULL || strcmp(name, ".gnu_debuglink") != 0)
      continue;
    errno = 0;
    Elf_Data *data = elf_getdata(section, NULL);
    check_memory_result(data);
    size_t length = data != NULL && data->d_buf != NULL ? strnlen(data->d_buf, data->d_size) : 0;
    size_t place = (length + 4) / 4 * 4;
    if (length == 0 || place + sizeof *checksum > data->d_size)
      return NULL;
    memcpy(checksum, (const char *)data->d_buf + place, sizeof *checksum);
    return data->d_buf;
  }
  return NULL;
}

/* Searches for the file with debugging information that the link in OBJECT names: in the directory of the program, in
   .debug there, and in each of FOLDERS under the path of that directory.  Returns the path, or NULL.  Allocated.  */
static char *search_object_debug_link(const struct object *object, const char *folders) {
  struct wanted wanted = {.debug = true};
  const char *name = read_object_debug_link(object, &wanted.checksum);
  errno = 0;
  char *path = name != NULL ? realpath(object->path, NULL) : NULL;
  check_memory_result(path);
  if (path == NULL)
    return NULL;
  int folder = (int)(base_name(path) - path);
  char *found = take_wanted_object_path(format_string("%.*s%s", folder, path, name), &wanted);
  if (found == NULL)
    found = take_wanted_object_path(format_string("%.*s.debug/%s", folder, path, name), &wanted);
  if (found == NULL) {
    char *inner = format_string("%.*s", folder, path);
    found = search_folders_for_object(folders, inner, name, &wanted);
    free(inner);
  }
  free(path);
  return found;
}

/* Finds and opens the file with the symbols and lines that strip removed from OBJECT: by its build-id, by the link in
   OBJECT, or from a debuginfod server.  Returns NULL if OBJECT has both, or if no file is found.  FOLDERS are as for
   find_object_file.  */
struct object *find_object_debug_info(const struct object *object, const char *folders) {
  const char *wrong;
  struct wanted wanted = {.object = {object->path, object->build_id, (uint32_t)object->build_id_size}, .debug = true};
  if (object->has_symbols && object->has_lines)
    return NULL;
  char *path = search_object_by_build_id(folders, ".debug", &wanted);
  if (path == NULL)
    path = search_object_debug_link(object, folders);
  if (path == NULL)
    path = take_wanted_object_path(
        debuginfod_find(SERVER_DEBUG_INFO, wanted.object.build_id, wanted.object.build_id_size), &wanted);
  return path != NULL ? object_open(path, &wrong) : NULL;
}
