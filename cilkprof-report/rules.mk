# cilkprof-report: from a profile to tables.
# SPDX-License-Identifier: GPL-3.0-or-later

REPORT_SOURCES := $(sort $(wildcard cilkprof-report/*.c cilkprof-report/*/*.c))
REPORT_OBJECTS := $(REPORT_SOURCES:%.c=$(BUILD)/%.o)
REPORT         := $(BUILD)/bin/cilkprof-report
REPORT_FLAGS    = -D_GNU_SOURCE -I$(BUILD)

# BFD, which demangles names, is linked as an archive, with what that needs in this version of binutils: the name of the
# library has the version in it, and an upgrade of binutils takes it away.  Where archives are not installed it is used.
there          = $(if $(filter /%,$(shell $(CC) -print-file-name=lib$(1))),$(2))
BFD_ARCHIVES   = -l:libbfd.a $(call there,sframe.a,-l:libsframe.a) -l:libiberty.a -lz $(call there,zstd.so,-Wl$(COMMA)--push-state$(COMMA)--as-needed -lzstd -Wl$(COMMA)--pop-state)
BFD            = $(shell echo 'int bfd_demangle(void); int main(void) { return bfd_demangle(); }' | \
  $(CC) -x c - -o /dev/null $(BFD_ARCHIVES) 2>/dev/null && echo '$(BFD_ARCHIVES)' || echo -lbfd)
REPORT_LIBS    = $(BFD) -ldw -lelf -lz -lm

$(REPORT_OBJECTS): OBJECT_FLAGS = $(REPORT_FLAGS)
$(BUILD)/cilkprof-report/html/assets.o $(BUILD)/asan/cilkprof-report/html/assets.o: $(wildcard cilkprof-report/html/*.html cilkprof-report/html/*.css cilkprof-report/html/*.js)
$(BUILD)/cilkprof-report/emulation/synthesize.o $(BUILD)/asan/cilkprof-report/emulation/synthesize.o: cilkprof-report/emulation/synthetic.txt
$(BUILD)/cilkprof-report/emulation/calibrate-cilk.o $(BUILD)/asan/cilkprof-report/emulation/calibrate-cilk.o: cilkprof-report/emulation/cilk-costs.txt
$(BUILD)/cilkprof-report/emulation/memory-calibrate.o $(BUILD)/asan/cilkprof-report/emulation/memory-calibrate.o: cilkprof-report/emulation/memory-benchmark.txt
$(REPORT_OBJECTS) $(REPORT_OBJECTS:$(BUILD)/%=$(BUILD)/asan/%): | $(VERSION_HEADER)

$(REPORT): $(REPORT_OBJECTS) $(FMT_OBJECTS)
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(REPORT_LIBS)

OBJECTS       += $(REPORT_OBJECTS)
$(eval $(call part,cilkprof-report,$(REPORT),$(call lacks,bfd.h elfutils/libdw.h gelf.h zlib.h)))
INSTALLED     += bin/cilkprof-report
PROGRAMS      += bin/cilkprof-report
INSTALL_STEPS += install -D -m 755 $(REPORT) $(DESTDIR)$(PREFIX)/bin/cilkprof-report;
