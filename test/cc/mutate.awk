# Mutations of a program: in each, one to three tokens are deleted, doubled, exchanged, replaced or added.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# awk -v seed=N -v count=N -v prefix=TEXT -v suffix=.c -f mutate.awk FILE writes PREFIX0.c, PREFIX1.c, ...  The same seed
# gives the same files with every awk.

BEGIN { tokens = 0 }

# Returns a number from 0 to BELOW - 1.
function any(below) {
  seed = (seed * 1103 + 12347) % 1000003
  return int(seed / 1000003 * below)
}

# Returns a token: of the program, or one that a keyword looks at.
function some_token() {
  return any(2) ? token[any(tokens)] : spare[any(spares) + 1]
}

function mutate(    at, other, kind, kept) {
  at = any(tokens)
  kind = any(5)
  if (kind == 0) token[at] = ""
  else if (kind == 1) token[at] = token[at] " " token[at]
  else if (kind == 2) {
    other = any(4) ? (at + 1) % tokens : any(tokens)
    kept = token[at]; token[at] = token[other]; token[other] = kept
  } else if (kind == 3) token[at] = some_token()
  else token[at] = token[at] " " some_token()
}

# A line that includes a file stays as it is.
/^ *# *include/ {
  token[tokens] = ""
  space[tokens++] = between $0 "\n"
  between = ""
  next
}
{
  rest = $0
  while (match(rest, /[A-Za-z_][A-Za-z_0-9]*|[0-9][0-9A-Za-z_.]*|"([^"\\]|\\.)*"|'([^'\\]|\\.)*'|::|->|\+\+|--|<<|>>|&&|[|][|]|[-+*\/%<>=!&|^]=|[^ \t]/)) {
    space[tokens] = between substr(rest, 1, RSTART - 1)
    between = ""
    token[tokens++] = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
  }
  between = between rest "\n"
}
END {
  spares = split("cilk_spawn cilk_sync cilk_for cilk_scope ( ) { } [ ] ; , = < > :: . -> & * ~ : ? # 0 int void auto return if else " \
                 "for while do switch case default break continue goto try catch throw new delete sizeof template class struct " \
                 "operator const static constexpr co_return _Pragma(\"omp\") __attribute__((noinline)) 1.5 \"text\"", spare, " ")
  for (i = 0; i < tokens; i++) was[i] = token[i]
  for (n = 0; n < count; n++) {
    for (i = 0; i < tokens; i++) token[i] = was[i]
    for (i = any(3); i >= 0; i--) mutate()
    file = prefix n suffix
    for (i = 0; i < tokens; i++) printf "%s%s", space[i], token[i] >file
    printf "%s", between >file
    close(file)
  }
}
