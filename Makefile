# cilkprof: build, test, install.   make help
# SPDX-License-Identifier: MIT

VERSION := 0.1
BUILD   := build
PREFIX  := /usr/local
DESTDIR :=

CC  = gcc
CXX = g++

CFLAGS   = -O2 -g
CXXFLAGS = -O2 -g
WARNINGS := -Wall -Wextra -Wshadow -Wpointer-arith -Wcast-qual -Wwrite-strings -Wundef $(if $(CI),-Werror)
C_WARNINGS := $(WARNINGS) -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition
C_STANDARD := -std=gnu11

# What a program links must not take its landing pads away: a linker keeps the mark of them only where every object has it.
# Return addresses are not signed: that would cost two instructions in every event.
LANDING_PADS := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null)),-fcf-protection=full,-mbranch-protection=bti)

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
INSTALLED_DIRS :=# folders that it removes when they are empty

# $(call part,NAME,FILES,MISSING,PACKAGES): what cannot be built where a header is MISSING does not keep the rest from it.
define part
$(if $(3),UNBUILT += "$(1) is not built: no $(3); run: apt-get install -y $(4)",ALL += $(2))
endef
# $(call lacks,HEADER...): those that the compiler does not find.
lacks = $(strip $(foreach header,$(1),$(if $(shell echo '#include <$(header)>' | $(CC) -DPACKAGE -E - >/dev/null 2>&1 && echo found),,$(header))))

include fmt/rules.mk libcilkprof/rules.mk cilkprof-report/rules.mk man/rules.mk completions/rules.mk test/rules.mk .debian/packages.mk

all: $(ALL) $(if $(UNBUILT),unbuilt)
.PHONY: unbuilt
unbuilt: $(ALL)
	@printf 'cilkprof: %s\n' $(UNBUILT) >&2; exit 1

# -MD, not -MMD: the events are a system header.
$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(OBJECT_FLAGS) -c $< -o $@

-include $(OBJECTS:.o=.d)

# What a bare Debian lacks.  The plugin's headers must be those of the compiler that loads it.
GCC_MAJOR = $(shell gcc -dumpversion 2>/dev/null | cut -d. -f1)
PACKAGES  = gcc g++ libc6-dev binutils-dev libdw-dev libelf-dev libomp-dev zlib1g-dev perl mandoc valgrind
# What only the tests need.
CHECK_PACKAGES = clang-format ccache autoconf automake libtool cmake meson ninja-build gnuplot-nox zsh fish pkgconf \
  jq libdevel-nytprof-perl protobuf-compiler libjemalloc2 libtcmalloc-minimal4 strace dwz libdebuginfod1 libtbb-dev gfortran less
MISSING   = $(shell for p in $(1); do dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || echo $$p; done)
AS_ROOT   = $(shell [ "$$(id -u)" = 0 ] && echo env || { command -v sudo >/dev/null && sudo -n true 2>/dev/null && echo sudo; })

# $(call apt,PACKAGES): installs those that are missing, or says how and fails.  SETUP=no leaves the machine alone.
SETUP     = yes
SETUP_LOG = $(BUILD)/setup.log
define apt
missing="$(strip $(call MISSING,$(1)))"; \
if [ -n "$$missing" ]; then \
  if [ '$(SETUP)' = no ] || [ -z '$(AS_ROOT)' ]; then \
    echo "cilkprof: missing packages; run: apt-get install -y $$missing" >&2; false; \
  else \
    echo "cilkprof: installing $$missing" >&2; mkdir -p $(BUILD); \
    { $(AS_ROOT) apt-get update -qq && $(AS_ROOT) apt-get install -y -qq --no-install-recommends $$missing; } >$(SETUP_LOG) 2>&1 || \
      { echo "cilkprof: apt-get failed, see $(SETUP_LOG); run: apt-get install -y $$missing" >&2; false; }; \
  fi; \
fi
endef

# setup and setup-check fail when something stays missing; demo, check and bench go on with what there is.  The compiler is
# a step of its own: make expands a recipe as a whole, and the plugin's package is known when there is a compiler.
.PHONY: setup setup-compiler setup-check try-setup try-setup-compiler try-setup-check demo check bench install uninstall clean help
try-setup-compiler try-setup try-setup-check: GO_ON = || true
setup-compiler try-setup-compiler:
	@$(call apt,$(PACKAGES)) $(GO_ON)
setup: setup-compiler
try-setup: try-setup-compiler
setup try-setup:
	@$(call apt,$(patsubst %,gcc-%-plugin-dev,$(GCC_MAJOR))) $(GO_ON)
setup-check: setup
try-setup-check: try-setup
setup-check try-setup-check:
	@$(call apt,$(CHECK_PACKAGES)) $(GO_ON)

demo: try-setup
	@$(MAKE) --no-print-directory all >&2
	@$(MAKE) --no-print-directory run-demo

check: try-setup-check
	@$(MAKE) --no-print-directory all
	@$(MAKE) --no-print-directory run-check

bench: try-setup
	@$(MAKE) --no-print-directory all >&2
	@$(MAKE) --no-print-directory run-bench

install: all
	@set -e; $(INSTALL_STEPS)
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
	@echo 'make                  build everything into $(BUILD)/'
	@echo 'make setup            install missing Debian packages (setup-check: all)'
	@echo 'make demo             set up, build, profile a quicksort, print the report'
	@echo 'make install          PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
	@echo 'make uninstall, make clean'
	@echo 'make deb, make dist   Debian packages; a release, $(DIST)'
	@echo
	@echo 'Tests (SETUP=no: install nothing, go on with what is there):'
	@echo 'make check            all tests; TESTS="test/report/flat.t ..." for some'
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