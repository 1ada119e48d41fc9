#!/bin/sh
# Profiles and programs that mean harm: what their names hold reaches no terminal and no spreadsheet, and what they
# name is neither written nor waited for.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/faults/lib.sh"

# hostile PROGRAM: from a text on standard input; the object paths stay those of the build.
hostile() {
  cat >"$1.txt"
  $make_profile program "$1.txt" >"$1.c" && ${CC:-cc} -Wl,--build-id "$1.c" -o "$1" &&
    $make_profile profile "$1.txt" "$1" >"$1.out" || give_up "$1"
}
clear=$(printf '\033[2J') turned=$(printf '\342\200\256') latin=$(printf '\233H')
hostile names <<EOF
mode count
command ./names${clear}x
totals 60 0 0
site outside 0 =1+1.c 3 1 - main names.c
on_work 1 30 30 30 1 30 30 30 1 10 10 10
on_span 1 30 30 30 1 30 30 30 1 10 10 10
site call 0 @SUM(A1).c 4 1 main -evil${clear}${turned}${latin}() names.c
on_work 1 20 20 20 1 20 20 20 1 20 20 20
on_span 1 20 20 20 1 20 20 20 1 20 20 20
EOF
"$report" --color=never -L -i -p -q -C --sites --critical-path --verdict --summary -r names names.out >all 2>stderr
fault 'control characters in names' 'the report is printed' test $? = 0 -a ! -s stderr
fault 'control characters in names' 'no escape sequence in the report' perl -e \
  'local $/; $_ = <>; exit(/\e|\xe2\x80\xae|[^\x20-\x7e\n\f\t]/ ? 1 : 0)' all
"$report" --csv names names.out >csv 2>stderr
fault 'a formula in a name' 'the field of the CSV begins with an apostrophe' \
  perl -e 'local $/; $_ = <>; exit !(/"\x27=1\+1.c"/ && /"\x27\@SUM/ && /"\x27-evil/)' csv
fault 'a formula in a name' 'no field begins with one' sh -c "! grep -q -e '\"[-=+@]' csv"

# A library of the profile is whatever file it names.
hostile two <<'EOF'
mode count
command ./two
totals 60 0 0
site outside 0 a.c 3 1 - main a.c
on_work 1 30 30 30 1 30 30 30 1 10 10 10
on_span 1 30 30 30 1 30 30 30 1 10 10 10
EOF
# with_library PATH: two.out with another object, of that path, which has a site.
with_library() {
  perl - "$1" <<'EOP'
my ($path) = @ARGV;
my @table = map { my $c = $_; for (1 .. 8) { $c = $c & 1 ? 0xedb88320 ^ ($c >> 1) : $c >> 1 } $c } 0 .. 255;
sub crc { my $c = 0xffffffff; $c = $table[($c ^ ord $_) & 255] ^ ($c >> 8) for split //, $_[0]; $c ^ 0xffffffff }
sub record { my ($tag, $p) = @_; my $l = pack("Q<", length $p);
  pack("L<2", $tag, crc(pack("L<", $tag) . $l . $p)) . $l . $p . "\0" x (-length($p) % 8) }
open my $in, "<:raw", "two.out"; local $/; $_ = <$in>;
my $out = substr($_, 0, 24); my ($at, $n) = (24, 0);
while ($at < length) {
  my ($tag, $sum, $length) = unpack("L<2Q<", substr($_, $at, 16));
  my $payload = substr($_, $at + 16, $length);
  $at += 16 + $length + (-$length % 8);
  if ($tag == 2) { substr($payload, 72, 8) = pack("Q<", 2); $payload .= pack("Q<", 0) }
  if ($tag == 4) { $out .= record(3, pack("L<", length $path) . $path . pack("L<", 0)); $n++;
    my @t = unpack("Q<5", $payload); $payload = pack("Q<5", $t[0] + 1, $t[1] + 1, $t[2] + 1, @t[3, 4]) }
  if ($tag == 6) { $out .= record(5, pack("L<2Q<26", 1, 0xffffffff, 8, 0, (1) x 24)); $payload = pack("Q<", $n + 1) }
  $out .= record($tag, $payload); $n++;
}
open my $file, ">:raw", "bad.out"; print $file $out;
EOP
}
mkfifo pipe
for name in "$PWD/pipe" /dev/zero /dev/stdin /proc/self/mem /etc/passwd "$PWD" "$PWD/pi%s%n" "$PWD/none"; do
  with_library "$name"
  timeout 20 "$report" -p two bad.out >got 2>stderr </dev/null
  status=$?
  fault "a profile whose library is $(echo "$name" | sed "s|$PWD/||")" 'one line, status 1, at once' \
    sh -c "test $status = 1 && test ! -s got && test \$(wc -l <stderr) = 1"
done

# The sources are what the program names: only regular files.
hostile source <<EOF
mode count
command ./source
totals 60 0 0
site call 0 $PWD/pipe 3 1 main f a.c
on_work 1 30 30 30 1 30 30 30 1 10 10 10
on_span 1 30 30 30 1 30 30 30 1 10 10 10
site call 0 /dev/zero 4 1 main f a.c
on_work 1 20 20 20 1 20 20 20 1 20 20 20
on_span 1 20 20 20 1 20 20 20 1 20 20 20
EOF
timeout 20 "$report" -A source source.out >got 2>stderr
fault 'a program whose sources are a pipe and a device' 'a line for each, status 0, at once' \
  test $? = 0 -a "$(grep -c 'source not found' stderr)" = 2
printf 'one\n\033[2Jtwo\n\n f();\n' >shown.c
hostile text <<EOF
mode count
command ./text
totals 60 0 0
site call 0 shown.c 4 1 main f a.c
on_work 1 30 30 30 1 30 30 30 1 10 10 10
on_span 1 30 30 30 1 30 30 30 1 10 10 10
EOF
"$report" -A text text.out >got 2>stderr
fault 'a source with control characters' 'they are escaped' perl -e 'local $/; $_ = <>; exit !(/\\033\[2Jtwo/ && !/\e/)' got

# Nothing is opened for writing, whatever the profile names.
if command -v strace >/dev/null && strace -o trace true 2>/dev/null; then
  with_library "$PWD/victim"
  echo untouched >victim
  strace -f -o trace -e trace=open,openat,creat,rename,unlink,mkdir "$BUILD_DIR/bin/cilkprof-report" --force -p -q -A -C -i \
    two bad.out >got 2>stderr
  fault 'a profile that names a file' 'nothing is opened for writing' \
    sh -c "! grep -v /dev/null trace | grep -q -e O_WRONLY -e O_RDWR -e O_CREAT -e rename -e unlink -e creat && grep -q victim trace"
fi

# A program that is replaced, or cut, while it is read.
cp text program
(for i in 1 2 3 4 5 6 7 8 9 10; do cp text program; head -c 5000 text >program; cp names program; done) &
cp text.out program.out
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
  "$report" -A -p program program.out >got 2>stderr
  echo "$?"
done | sort -u >statuses
wait
fault 'a program that is replaced while it is read' 'a report, or a line and status 1' sh -c '! grep -v -e "^[01]$" statuses'
finish
