# From cilkprof-report --help=all, with ARGP_HELP_FMT=rmargin=1000, to one line for every option:
# letter, long name, how it takes its argument (none, optional, required), the argument, the explanation, and what can be
# completed: words, @files, @folders, @build (a program or a profile) or nothing; by tabs.
# SPDX-License-Identifier: MIT

# Words are the argument itself, or what an explanation lists at its end, such as "Use colours: auto (as ever), never".
function completed(    list) {
  if (argument == "BUILD")
    return "@build"
  if (argument ~ /^(FILE|MAP)$/)
    return "@files"
  if (argument == "DIRS")
    return "@folders"
  if (argument ~ /^[a-z]+$/)
    return argument
  list = explanation
  sub(/^.*: /, "", list)
  gsub(/ \([^()]*\)/, "", list)
  if (takes == "none" || list !~ /^[a-z0-9_-]+(, [a-z0-9_-]+)+$/)
    return ""
  gsub(/,/, "", list)
  return list
}

function put() {
  if (letter != "" || long != "")
    print letter "\t" long "\t" takes "\t" argument "\t" explanation "\t" completed()
  letter = long = argument = explanation = ""
  takes = "none"
}

# An option with what follows its name: [=ARGUMENT], =ARGUMENT or nothing.
function take_name(name) {
  if (match(name, /\[=.*\]$/)) {
    takes = "optional"
    argument = substr(name, RSTART + 2, RLENGTH - 3)
  } else if (match(name, /=.*/)) {
    takes = "required"
    argument = substr(name, RSTART + 1)
  } else {
    RSTART = length(name) + 1
  }
  return substr(name, 1, RSTART - 1)
}

/^  +-/ {
  put()
  $0 = substr($0, match($0, /-/))
  if (match($0, /^-[^-]/)) {
    letter = substr($0, 2, 1)
    $0 = substr($0, 3)
    if (!sub(/^, /, "") && match($0, /^ [^ ]+/)) {
      takes = "required"
      argument = substr($0, 2, RLENGTH - 1)
      $0 = substr($0, RLENGTH + 1)
    }
  }
  if (match($0, /^--[^ ]+/)) {
    end = RLENGTH
    long = take_name(substr($0, 3, end - 2))
    $0 = substr($0, end + 1)
  }
  sub(/^ +/, "")
  explanation = $0
  next
}
/^  +[^ -]/ && (letter != "" || long != "") && explanation == "" {
  sub(/^ +/, "")
  explanation = $0
  next
}
END { put() }
