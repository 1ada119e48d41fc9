# Tests of faults: what is preloaded into the programs that they hit.  The figures of a whole run are printed at its end.
# SPDX-License-Identifier: MIT

FAULT_LIBRARIES := $(BUILD)/test/faults/no-memory.so
$(FAULT_LIBRARIES): $(BUILD)/%.so: %.c
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) -O1 -g $(filter-out -Wmissing-prototypes,$(C_WARNINGS)) -shared -fPIC $< -o $@
TEST_PROGRAMS += $(FAULT_LIBRARIES)
