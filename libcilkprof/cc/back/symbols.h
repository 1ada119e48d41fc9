/* The symbols of functions as the programmer wrote them.  A file that includes this defines INCLUDE_STRING first.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_CC_SYMBOLS_H
#define CILKPROF_CC_SYMBOLS_H

#include "back.h"

/* The declaration whose symbol names FUNCTION in other units: an alias of it, or FUNCTION itself.  */
tree site_decl_with_public_symbol(tree function);

/* The symbol without the suffixes that the optimisers give to copies.  It is empty for NULL_TREE.  */
std::string original_site_symbol(const char *symbol);
std::string original_site_symbol(tree function);

#endif
