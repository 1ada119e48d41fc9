/* Embeds the template, style and scripts of the page from html/.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/html/html.h"

#define EMBED(symbol, file)                                                                                            \
  __asm__(".pushsection .rodata\n.globl " #symbol "\n" #symbol ":\n.incbin \"cilkprof-report/html/" file "\"\n"        \
          ".byte 0\n.popsection")

EMBED(html_page, "page.html");
EMBED(html_style, "style.css");
EMBED(html_icicle, "icicle.js");
EMBED(html_timeline, "timeline.js");
EMBED(html_waste, "waste.js");
EMBED(html_script, "script.js");
