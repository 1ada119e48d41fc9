/* The name that it has in Cilk++, where the class is in another namespace.
   SPDX-License-Identifier: MIT  */
#pragma GCC system_header
#include <cilktools/fake_mutex.h>

namespace cilk {

typedef ::cilkscreen::fake_mutex fake_mutex;

}
