/* Downloads files from debuginfod servers.
   SPDX-License-Identifier: GPL-3.0-or-later

   libdebuginfod needs twenty other libraries, for the network.  So it is loaded only if servers are named, and the
   report works without it.  libdwfl does so too, but that of elfutils 0.188 loads it whenever a file is not found.  */

#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
#include "cilkprof-report/objects/debuginfod.h"

/* As declared in elfutils/debuginfod.h, which need not be installed.  */
typedef void *begin_function(void);
typedef int find_function(void *client, const unsigned char *build_id, int size, char **path);
typedef void end_function(void *client);

/* Downloads the file with this build-id, of SIZE bytes, by calling FUNCTION of LIBRARY, which is libdebuginfod.
   Returns its path in the cache, or NULL.  Allocated.  */
static char *download_debuginfod_file(void *library, const char *function, const uint8_t *build_id, uint32_t size) {
  begin_function *begin = (begin_function *)dlsym(library, "debuginfod_begin");
  find_function *find = (find_function *)dlsym(library, function);
  end_function *end = (end_function *)dlsym(library, "debuginfod_end");
  void *client = begin != NULL && find != NULL && end != NULL ? begin() : NULL;
  char *path = NULL;
  if (client == NULL)
    return NULL;
  int file = find(client, build_id, (int)size, &path);
  if (file >= 0)
    close(file);
  end(client);
  return file >= 0 ? path : NULL;
}

char *debuginfod_find(enum server_file kind, const uint8_t *build_id, uint32_t size) {
  static const char *const functions[] = {
      [SERVER_EXECUTABLE] = "debuginfod_find_executable",
      [SERVER_DEBUG_INFO] = "debuginfod_find_debuginfo",
  };
  const char *servers = getenv("DEBUGINFOD_URLS");
  if (servers == NULL || servers[0] == 0 || size == 0)
    return NULL;
  void *library = dlopen("libdebuginfod.so.1", RTLD_NOW); /* never closed: whatever it starts needs it */
  return library != NULL ? download_debuginfod_file(library, functions[kind], build_id, size) : NULL;
}
