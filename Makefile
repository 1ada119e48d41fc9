# cilkprof: build, test, install.   make help
# SPDX-License-Identifier: MIT

# That of the commit: tags are vX.Y.  A release has it in a file.  What follows RELEASE has no tag yet.
RELEASE := 0.1
VERSION := $(or $(shell cat VERSION 2>/dev/null),$(patsubst v%,%,$(shell [ -e .git ] && git describe --tags --match 'v[0-9]*' 2>/dev/null)),\
  $(RELEASE)$(addprefix -g,$(shell [ -e .git ] && git rev-parse --short HEAD 2>/dev/null)))
BUILD   := build
PREFIX  := /usr/local
DESTDIR :=

CC  = gcc
CXX = g++

CFLAGS   = -O2 -g
# Of the plugins: they take little of a compilation, and most of our own is theirs.  To debug them: CXXFLAGS='-O0 -g'.
CXXFLAGS = -O1
WARNINGS := -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef $(if $(CI),-Werror)
C_WARNINGS := $(WARNINGS) -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
C_STANDARD := -std=gnu11

# What a program links must not take its landing pads away: a linker keeps the mark of them only where every object has it.
# Return addresses are not signed: that would cost two instructions in every event.
LANDING_PADS := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null)),-fcf-protection=full,-mbranch-protection=bti)

# One short line a file; V=1 shows the commands, -s nothing.  $(call short,WHAT,FILE) begins a recipe; of STEPS files, it
# counts them.
$(if $(V),,.SILENT:)
short = $(if $(V)$(findstring s,$(firstword -$(MAKEFLAGS))),,$(info $(if $(STEPS),[$(words $(eval DONE += .)$(DONE))/$(STEPS)])  $(1) $(2)))

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all
all:

# Every folder says in its rules.mk what it adds to these.
ALL            :=# what `make` builds
UNBUILT        :=# what it cannot build here: a quoted line for each
OBJECTS        :=# object files, for their dependencies
INSTALL_STEPS  :=# shell commands of `make install`
INSTALLED      :=# files that `make uninstall` removes
PROGRAMS       :=# those of them that are compiled and run
INSTALLED_DIRS :=# folders that it removes when they are empty

# $(call part,NAME,FILES,MISSING[,SETTING]): what cannot be built where a header is MISSING does not keep the rest from it.
define part
$(if $(3),UNBUILT += "$(1) is not built: no $(3); run: make setup$(4)",ALL += $(2))
endef
# $(call lacks,HEADER...): those that the compiler does not find.
lacks = $(strip $(foreach header,$(1),$(if $(shell echo '#include <$(header)>' | $(CC) -DPACKAGE -E - >/dev/null 2>&1 && echo found),,$(header))))

# What holds the version includes this: a commit makes no more than that anew.
VERSION_HEADER := $(BUILD)/version.h

# $(call unsupported,COMPILER): a quoted line on what it is, or compiles for, if that is not supported.
unsupported = $(call unsupported_as,$(1),$(strip $(shell $(1) -std=c11 -E -P -x c .setup/supported.h 2>/dev/null)))
unsupported_as = $(if $(2),"$(1) ($(shell $(1) -dumpmachine 2>/dev/null)) $(2)")
UNSUPPORTED := $(or $(call unsupported,$(CC)),$(call unsupported,$(CXX)))

include fmt/rules.mk libcilkprof/rules.mk cilkprof-report/rules.mk man/rules.mk completions/rules.mk test/rules.mk .debian/packages.mk

# Then nothing is built.
$(if $(UNSUPPORTED),$(eval ALL :=)$(eval UNBUILT := $$(UNSUPPORTED)))
say_unbuilt = $(if $(UNBUILT),printf 'cilkprof: %s\n' $(UNBUILT) >&2; exit 1)
.PHONY: demo-programs
all: $(ALL)
demo-programs: $(DEMO_PROGRAMS)
all demo-programs:
	@$(say_unbuilt)

$(VERSION_HEADER): $(if $(shell grep -sF '"$(VERSION)"' $(VERSION_HEADER)),,always)
	@mkdir -p $(@D)
	@echo '#define CILKPROF_VERSION "$(VERSION)"' >$@
.PHONY: always

# -MD, not -MMD: the events are a system header.
$(BUILD)/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(OBJECT_FLAGS) -c $< -o $@

-include $(OBJECTS:.o=.d)

# What this machine lacks is installed, by the names that its system has for it: setup fails when something stays missing;
# demo, check and bench go on with what there is.  SETUP=no leaves the machine alone.
GCC_MAJOR = $(shell gcc -dumpversion 2>/dev/null | cut -d. -f1)
SETUP     = yes
SETUP_LOG = $(BUILD)/setup.log
install_needs = SETUP='$(SETUP)' SETUP_LOG='$(SETUP_LOG)' CC='$(CC)' CXX='$(CXX)' .setup/install
# $(call apt,PACKAGES): installs those of Debian that are missing, or says how and fails.
apt = $(install_needs) packages $(1)

.PHONY: setup setup-check try-setup try-setup-check demo check bench install uninstall clean help
setup:
	@$(install_needs) compiler build
setup-check:
	@$(install_needs) compiler build check
try-setup:
	@$(install_needs) compiler build || true
try-setup-check:
	@$(install_needs) compiler build check || true

# What it needs and no more, on all processors unless -j says how many.
demo: try-setup
	@steps=$$($(MAKE) -n V= demo-programs 2>/dev/null | grep -c '^  [A-Z]'); \
	$(MAKE) --no-print-directory $(JOBS) STEPS=$$steps demo-programs >&2
	@$(MAKE) --no-print-directory run-demo
JOBS = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

check: try-setup-check
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory run-check

bench: try-setup
	@$(MAKE) --no-print-directory all >&2
	@$(MAKE) --no-print-directory run-bench

# Debugging information is not installed, unless by STRIP= (for distributions, which keep it apart).
STRIP = strip
install: all
	@set -e; $(INSTALL_STEPS)
	@$(if $(STRIP),$(STRIP) --strip-debug $(addprefix $(DESTDIR)$(PREFIX)/,$(filter %.a %.o %.so $(PROGRAMS),$(INSTALLED))))
	@echo 'cilkprof $(VERSION) is installed in $(DESTDIR)$(PREFIX); make uninstall$(INSTALL_PLACE) removes it'
	@case ":$$PATH:" in *':$(PREFIX)/bin:'*) bin= ;; *) bin='$(PREFIX)/bin:' ;; esac; \
	echo "to use it: PATH=\"$(PREFIX)/lib/cilkprof/bin:$$bin\$$PATH\"; cc -O2 -fcilkplus -fcilkprof prog.c -o prog; man cilkprof"
INSTALL_PLACE = $(if $(filter-out file,$(origin PREFIX)), PREFIX=$(PREFIX))$(if $(DESTDIR), DESTDIR=$(DESTDIR))

uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,$(INSTALLED))
	-rmdir $(addprefix $(DESTDIR)$(PREFIX)/,$(INSTALLED_DIRS)) 2>/dev/null || true

clean:
	rm -rf $(BUILD)

help:
	@echo 'make                  build everything into $(BUILD)/; V=1 shows the commands'
	@echo 'make setup            install what the build needs (setup-check: and the tests)'
	@echo 'make demo             set up, profile a quicksort, print the report'
	@echo 'make install          PREFIX=$(PREFIX) DESTDIR=$(DESTDIR); STRIP= keeps debugging'
	@echo 'make uninstall, make clean'
	@echo 'make deb, make dist   Debian packages; a release'
	@echo
	@echo 'Tests (SETUP=no: install nothing, go on with what is there):'
	@echo 'make check            all tests; TESTS="test/report/flat.t ..." for some'
	@echo 'make check-changed SINCE=main   tests of the files that have changed since then'
	@echo 'make check-long       all variants, and 10,000 random programs'
	@echo 'make check-packages   Debian packages, built with instrumentation (1 hour)'
	@echo 'make check-html       the page of --html, in Chromium'
	@echo 'make check-gcc N=14   with another version of gcc'
	@echo 'make check-other      for the other processor, aarch64 or x86-64, with qemu'
	@echo 'make check-suite, check-deb SUITE=trixie   on a bare Debian of that release'
	@echo 'make check-valgrind, make coverage, make analyze'
	@echo 'make fuzz             libFuzzer and AFL++, for FUZZ_S=60 seconds'
	@echo 'make verdicts         verdicts on programs with planted faults; CASES="kmeans-*"'
	@echo
	@echo 'Measurements:'
	@echo 'make bench            what profiling costs'
	@echo 'make bench-parallel   speedups of parallel programs'
	@echo 'make bench-parallel-profile  what profiles of parallel runs cost and measure'
	@echo 'make bench-std        parallel algorithms of standard C++, and on TBB'
	@echo 'make bench-emulate    predicted speedups against real ones; SAMPLES=300'
	@echo 'make bench-samples    what sampling costs'
	@echo 'make bench-inflation  causes of work that takes longer in parallel'
	@echo 'make bench-report     what the report costs for a million call sites'
	@echo 'make instructions     instructions per call, on both processors'
	@echo 'make pictures         man/page.png and man/speedup.svg, with Chromium'