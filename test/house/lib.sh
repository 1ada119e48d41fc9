# What the tests of the house share: who includes what, who calls what, and who may.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"

# Who includes what of the project: "including included", one a line.
(cd "$TOP" && grep -ro --include='*.[ch]' --include='*.cc' '#include "[^"]*"' fmt libcilkprof cilkprof-report) |
  sed 's/:#include "/ /; s/"$//' >includes

# calls FOLDER OBJECTS...: "calling called", object files without their suffix, by their paths from FOLDER.  Variables that
# all share, and tables that upper folders fill in, are no calls.
calls() {
  folder=$1
  shift
  (cd "$folder" && nm -A "$@") | sed 's/\.o:/ /' | awk '
    $NF ~ /^__cilkprof_(self|engine|nobody|host)$/ { next }
    $(NF - 1) == "U" { used[++uses] = $1 " " $NF }
    $(NF - 1) ~ /^[TDBR]$/ { where[$NF] = $1 }
    END {
      for (i = 1; i <= uses; i++) {
        split(used[i], use, " ")
        if (use[2] in where && where[use[2]] != use[1])
          print use[1], where[use[2]]
      }
    }' | sort -u
}

# upward PREFIX FOLDERS <PAIRS: those pairs of files below PREFIX in which the first knows a folder that comes later in the
# list than its own.  Folders in parentheses, (a b), stand side by side: neither knows the other.
upward() {
  awk -v prefix="$1/" -v folders="$2" '
    function height(path, parts) {
      if (index(path, prefix) != 1)
        return 0
      split(substr(path, length(prefix) + 1), parts, "/")
      folder = parts[1]
      return folder in heights ? heights[folder] : 0
    }
    BEGIN {
      count = split(folders, list, " ")
      for (i = 1; i <= count; i++) {
        if (!beside)
          level++
        beside = beside ? list[i] !~ /\)$/ : list[i] ~ /^\(/
        gsub(/[()]/, "", list[i])
        heights[list[i]] = level
      }
    }
    {
      from = height($1); from_folder = folder
      to = height($2)
      if (from > 0 && to > 0 && (to > from || to == from && from_folder != folder))
        print
    }'
}

# circles <PAIRS: the files that know each other in a circle of more than three, with the size of the circle.
circles() {
  awk '
    { reaches[$1, $2] = 1; files[$1] = files[$2] = 1 }
    END {
      for (middle in files)
        for (from in files)
          if ((from, middle) in reaches)
            for (to in files)
              if ((middle, to) in reaches)
                reaches[from, to] = 1
      for (file in files) {
        size = 0
        for (other in files)
          size += ((file, other) in reaches) && ((other, file) in reaches)
        if (size > 3)
          print file, size
      }
    }' | sort
}

engine_folders='time names whatif span roots tasks teams control workers marks tree profile run'
report_folders='support options objects names model samples emulation analysis tables (exports html) sections'
