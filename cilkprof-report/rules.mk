# cilkprof-report: from a profile to tables.
# SPDX-License-Identifier: GPL-3.0-or-later

REPORT_SOURCES := $(sort $(wildcard cilkprof-report/*.c cilkprof-report/*/*.c))
REPORT_OBJECTS := $(REPORT_SOURCES:%.c=$(BUILD)/%.o)
REPORT         := $(BUILD)/bin/cilkprof-report
REPORT_FLAGS    = -D_GNU_SOURCE -DCILKPROF_VERSION='"$(VERSION)"'
REPORT_LIBS    := -lbfd -ldw -lelf -lz -lm

$(REPORT_OBJECTS): OBJECT_FLAGS = $(REPORT_FLAGS)
$(BUILD)/cilkprof-report/html/assets.o $(BUILD)/asan/cilkprof-report/html/assets.o: $(wildcard cilkprof-report/html/*.html cilkprof-report/html/*.css cilkprof-report/html/*.js)
$(BUILD)/cilkprof-report/emulation/synthesize.o $(BUILD)/asan/cilkprof-report/emulation/synthesize.o: cilkprof-report/emulation/synthetic.txt
$(BUILD)/cilkprof-report/emulation/calibrate-cilk.o $(BUILD)/asan/cilkprof-report/emulation/calibrate-cilk.o: cilkprof-report/emulation/cilk-costs.txt
$(BUILD)/cilkprof-report/emulation/memory-calibrate.o $(BUILD)/asan/cilkprof-report/emulation/memory-calibrate.o: cilkprof-report/emulation/memory-benchmark.txt
$(addprefix $(BUILD)/cilkprof-report/,options/options.o exports/callgrind.o html/html.o): Makefile # they hold the version

$(REPORT): $(REPORT_OBJECTS) $(FMT_OBJECTS)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ $(REPORT_LIBS)

OBJECTS       += $(REPORT_OBJECTS)
$(eval $(call part,cilkprof-report,$(REPORT),$(call lacks,bfd.h elfutils/libdw.h gelf.h zlib.h),binutils-dev libdw-dev libelf-dev zlib1g-dev))
INSTALLED     += bin/cilkprof-report
INSTALL_STEPS += install -D -m 755 $(REPORT) $(DESTDIR)$(PREFIX)/bin/cilkprof-report;
