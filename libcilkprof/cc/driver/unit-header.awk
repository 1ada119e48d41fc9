# Makes the header that every instrumented unit includes first: the events, safe from the macros of the command line.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A user may define anything with -D or in a file given by -include: -Dgrain=64, -Dstatic=.  So each word of the events
# that is not reserved loses its meaning as a macro before them and gets it back behind them.

{
  text = text $0 "\n"
}

END {
  while (from = index(text, "/*")) {
    rest = substr(text, from)
    text = substr(text, 1, from - 1) substr(rest, index(rest, "*/") + 2)
  }
  gsub(/"[^"]*"/, "", text)
  gsub(/[^A-Za-z0-9_]+/, " ", text)
  count = split(text, words, " ")
  for (i = 1; i <= count; i++)
    if (words[i] ~ /^[A-Za-z]/ && words[i] !~ /^CILKPROF_/ && words[i] != "defined" && !seen[words[i]]++)
      names[++total] = words[i]

  print "/* Made by cilkprof's build: what -fcilkprof compiles into every unit.  */"
  print "#ifndef __CILKPROF_UNIT_H\n#define __CILKPROF_UNIT_H\n#pragma GCC system_header"
  for (i = 1; i <= total; i++)
    printf "#pragma push_macro(\"%s\")\n#undef %s\n", names[i], names[i]
  print "#include \"events.h\""
  for (i = 1; i <= total; i++)
    printf "#pragma pop_macro(\"%s\")\n", names[i]
  print "typedef char __cilkprof_unit[sizeof(&__cilkprof_compile_with_fcilkprof)];" # preprocessed, for other compilers
  print "#endif"
}
