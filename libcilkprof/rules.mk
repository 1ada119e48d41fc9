# libcilkprof: what an instrumented program links, and in cc/ the compiler's side.
# SPDX-License-Identifier: MIT

LIB := $(BUILD)/lib/cilkprof

# The engine.  It is never instrumented and calls only libc; -fno-plt etc. are the user's business, speed is ours.
# Of -g there are the lines: a link copies it all into each program.
LINKED_DEBUG = $(if $(filter -g,$(CFLAGS)),-g1)
ENGINE_FLAGS := $(LANDING_PADS) $(LINKED_DEBUG) -O3 -fno-tree-slp-vectorize -fPIC -ftls-model=initial-exec -fvisibility=hidden -D_GNU_SOURCE
RECORDS := $(BUILD)/libcilkprof/engine/profile/records.o
WORKERS_RECORDS := $(BUILD)/workers/libcilkprof/engine/profile/records.o
ENGINE_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/mode_whatif.c %/mode_parallel.c %/mode_parallel_count.c libcilkprof/engine/workers/% %/records.c,\
  $(wildcard libcilkprof/common/*.c libcilkprof/engine/*.c libcilkprof/engine/*/*.c)))
$(ENGINE_OBJECTS) $(RECORDS): OBJECT_FLAGS = $(ENGINE_FLAGS)
# Some of it runs before anything else does: it may call nothing.
$(RECORDS): OBJECT_FLAGS += -fno-stack-protector -fno-tree-loop-distribute-patterns $(RECORDS_FLAGS)
OBJECTS += $(ENGINE_OBJECTS) $(RECORDS)
# What is profiled is sampled.
ENGINE_SAMPLER := $(patsubst %.c,$(BUILD)/%.o,$(wildcard libcilkprof/sampler/*.c))

# Our code has a section of its own in the program, by which samples in it are told from the program's.
runtime_section = $(OBJCOPY) --rename-section .text=cilkprof_runtime
engine_section  = $(OBJCOPY) $(foreach part,.text .text.unlikely .text.hot .text.startup .text.exit,--rename-section $(part)=cilkprof_engine)

# In the archive it is one object: a program refers to its mode alone in a way that brings in objects (cc/back/link.cc), and
# libraries that are loaded later may need what it does not.  But the modes are by themselves, and what only a program that
# was linked with -fcilkprof refers to.
BY_ITSELF := $(addprefix %/,mode_count.o mode_hybrid.o mode_clock.o mode_whatif.o mode_parallel.o mode_parallel_count.o ending.o regions.o standalone.o)
define engine_archive
$(call short,AR,$@)
mkdir -p $(@D)
rm -f $@
$(CC) -r -nostdlib $(filter-out $(BY_ITSELF),$^) -o $@.o
$(engine_section) $@.o
$(AR) rcs $@ $@.o $(filter $(BY_ITSELF),$^)
$(own_names) $@
rm -f $@.o
endef
# The program may have functions that are called as some of the C library's (common/own_calls.c).  Our handlers of signals are
# not the program's (runtime/handlers.c).
OBJCOPY   = $(shell $(CC) -print-prog-name=objcopy)
OWN_NAMES := libcilkprof/common/own-names
own_names = $(OBJCOPY) --redefine-syms=$(OWN_NAMES)
COMMA := ,
# $(call shared_library,OPTION...): links what it depends on, under such names.
define shared_library
$(call short,LD,$@)
@mkdir -p $(@D)
$(CC) -r -nostdlib -Wl,-z,muldefs $(filter %.o,$^) -o $@.o
$(own_names) $@.o
$(if $(findstring $(LIB)/libcilkprof.so,$@)$(findstring $(LIB)/libcilkprof-whatif.so,$@),$(engine_section) $@.o)
$(CC) -shared -Wl,-soname,$(@F) -Wl,-z,defs $(1) $@.o -o $@
rm -f $@.o
endef

$(LIB)/libcilkprof.a: $(ENGINE_OBJECTS) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
	$(engine_archive)

# The same engine with lanes beside the span, for code that was compiled with -fcilkprof=whatif.
WHATIF_OBJECTS := $(ENGINE_OBJECTS:$(BUILD)/%=$(BUILD)/whatif/%) $(BUILD)/whatif/libcilkprof/engine/time/mode_whatif.o
$(WHATIF_OBJECTS): $(BUILD)/whatif/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(ENGINE_FLAGS) -D__CILKPROF_WHATIF -c $< -o $@
OBJECTS += $(WHATIF_OBJECTS)

$(LIB)/libcilkprof-whatif.a: $(WHATIF_OBJECTS) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
	$(engine_archive)

# The same engine for all workers of a parallel run, for code that was compiled with -fcilkprof=parallel or parallel-count.
WORKERS_OBJECTS := $(patsubst %,$(BUILD)/workers/%,$(patsubst $(BUILD)/%,%,$(filter-out %/mode_count.o %/mode_hybrid.o %/mode_clock.o,$(ENGINE_OBJECTS))) \
  $(patsubst %.c,%.o,$(wildcard libcilkprof/engine/time/mode_parallel*.c) $(wildcard libcilkprof/engine/workers/*.c)))
$(WORKERS_OBJECTS) $(WORKERS_RECORDS): $(BUILD)/workers/%.o: %.c
	$(call short,CC,$<)
	@mkdir -p $(@D)
	$(CC) $(C_STANDARD) $(CFLAGS) $(C_WARNINGS) -MD -MP -I. $(ENGINE_FLAGS) $(WORKER_FLAGS) -D__CILKPROF_PARALLEL -c $< -o $@
OBJECTS += $(WORKERS_OBJECTS) $(WORKERS_RECORDS)
$(WORKERS_RECORDS): WORKER_FLAGS = -fno-stack-protector -fno-tree-loop-distribute-patterns $(RECORDS_FLAGS)
# Exceptions of children are thrown through it, and it has something to do then.
%/engine/workers/spawn.o %/engine/workers/waits.o %/engine/workers/unrecorded.o: WORKER_FLAGS = -fexceptions
$(LIB)/libcilkprof-workers.a: $(WORKERS_OBJECTS) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
	$(engine_archive)

# For instrumented libraries in a program that is not: the archive serves all others.
$(LIB)/libcilkprof.so: $(filter-out %/ending.o %/regions.o %/standalone.o,$(ENGINE_OBJECTS)) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
$(LIB)/libcilkprof-whatif.so: $(filter-out %/ending.o %/regions.o %/standalone.o,$(WHATIF_OBJECTS)) $(ENGINE_SAMPLER) $(FMT_WRITER_OBJECTS)
# A library that is opened and closed again and again goes on with one profile: the engine is not unloaded with it.
$(LIB)/libcilkprof.so $(LIB)/libcilkprof-whatif.so:
	$(call shared_library,-Wl$(COMMA)-z$(COMMA)nodelete -Wl$(COMMA)-z$(COMMA)start-stop-visibility=hidden)

# The runtime that runs Cilk in parallel.  As the engine it is one object in the archive; what is of C++ is by itself, for
# programs of C++ alone.  Shared libraries share one runtime, and bring the part of C++ with them.
PARALLEL_FLAGS   := $(LANDING_PADS) $(LINKED_DEBUG) -O2 -fPIC -ftls-model=initial-exec -fvisibility=hidden -fexceptions -D_GNU_SOURCE
PARALLEL_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(filter-out %/ending.c %/locks.c %/handlers.c %/cilkrts.c,$(wildcard libcilkprof/runtime/*.c libcilkprof/sampler/*.c)))
PARALLEL_WRAPS   := $(addprefix $(BUILD)/libcilkprof/runtime/,ending.o locks.o handlers.o)
PARALLEL_SHARES  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard libcilkprof/common/*.c)) $(addprefix $(BUILD)/fmt/,write.o checksum.o)
PARALLEL_C++     := $(BUILD)/libcilkprof/runtime/exceptions.o
$(PARALLEL_OBJECTS) $(PARALLEL_WRAPS): OBJECT_FLAGS = $(PARALLEL_FLAGS)
$(BUILD)/libcilkprof/runtime/api.o: OBJECT_FLAGS += -D__cilkprof_parallel__ -I$(LIB)/include
$(BUILD)/libcilkprof/runtime/api.o: | $(addprefix $(LIB)/include/,cilk/cilk_api.h cilk/common.h cilkprof/parallel.h)
$(PARALLEL_C++): libcilkprof/runtime/exceptions.cc
	$(call short,CXX,$<)
	@mkdir -p $(@D)
	$(CXX) -std=gnu++11 $(CXXFLAGS) $(WARNINGS) -MD -MP -I. $(PARALLEL_FLAGS) -c $< -o $@
OBJECTS += $(PARALLEL_OBJECTS) $(PARALLEL_WRAPS) $(PARALLEL_C++)

# What it shares with the engine is not seen by who links both.
$(LIB)/libcilkprof-parallel.a: $(PARALLEL_OBJECTS) $(PARALLEL_SHARES) $(LIB)/libcilkprof-parallel-c++.a
	$(call short,AR,$@)
	rm -f $@
	$(CC) -r -nostdlib $(PARALLEL_OBJECTS) $(PARALLEL_SHARES) -o $@.names.o
	$(own_names) $@.names.o
	$(CC) -r -nostdlib $@.names.o -o $@.o
	$(runtime_section) --localize-hidden $@.o
	cp $(LIB)/libcilkprof-parallel-c++.a $@
	$(AR) rcs $@ $@.o
	rm -f $@.o $@.names.o
# The part of C++; and what becomes of some calls of the program, for samples.
$(LIB)/libcilkprof-parallel-c++.a: $(PARALLEL_C++)
$(LIB)/libcilkprof-parallel-wraps.a: $(PARALLEL_WRAPS)
$(LIB)/libcilkprof-parallel-c++.a $(LIB)/libcilkprof-parallel-wraps.a:
	$(call short,AR,$@)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^
	$(runtime_section) $@
# Its workers run in it until the program ends: it is never unloaded.
$(LIB)/libcilkprof-parallel.so: $(PARALLEL_OBJECTS) $(PARALLEL_SHARES)
	$(call shared_library,-Wl$(COMMA)-z$(COMMA)nodelete)
PARALLEL := $(addprefix $(LIB)/libcilkprof-parallel,.a .so -c++.a -wraps.a)

# What samples programs of OpenMP, by what its runtime tells of their threads.
OPENMP_TOOL    := $(LIB)/libcilkprof-openmp.so
OPENMP_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard libcilkprof/sampler/openmp/*.c libcilkprof/sampler/hand/*.c libcilkprof/paths/*.c))
# What each library that is preloaded contains: the sampler, and how it is started and ended in any program.
PRELOADED_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard libcilkprof/sampler/preload/*.c))
PRELOADED         := $(PRELOADED_OBJECTS) $(filter $(BUILD)/libcilkprof/sampler/%,$(PARALLEL_OBJECTS)) $(PARALLEL_SHARES)
$(PRELOADED_OBJECTS): OBJECT_FLAGS = $(PARALLEL_FLAGS)
$(OPENMP_OBJECTS): OBJECT_FLAGS = $(PARALLEL_FLAGS)
$(OPENMP_TOOL): $(OPENMP_OBJECTS) $(PRELOADED)
	$(call shared_library,-Wl$(COMMA)-z$(COMMA)nodelete)
OBJECTS += $(OPENMP_OBJECTS) $(PRELOADED_OBJECTS)

# What samples programs of oneTBB.  It needs nothing of that library.
TBB_TOOL    := $(LIB)/libcilkprof-tbb.so
TBB_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(wildcard libcilkprof/sampler/tbb/*.c))
$(TBB_OBJECTS): OBJECT_FLAGS = $(PARALLEL_FLAGS)
$(TBB_TOOL): $(TBB_OBJECTS) $(PRELOADED)
	$(call shared_library,-Wl$(COMMA)-z$(COMMA)nodelete)
OBJECTS += $(TBB_OBJECTS)

# The runtime's functions, for programs that link it by its name or declare them by themselves: as the headers have them.
RUNTIME := $(BUILD)/libcilkprof/runtime/cilkrts.o
$(RUNTIME): OBJECT_FLAGS = $(LANDING_PADS) -O2 -fPIC -Ilibcilkprof/include
OBJECTS += $(RUNTIME)
RUNTIMES := $(addprefix $(LIB)/,libcilkrts.a libopencilk.a libopencilk-pedigrees.a)
$(RUNTIMES): $(RUNTIME)
	$(call short,AR,$@)
	@mkdir -p $(@D)
	rm -f $@
	$(AR) rcs $@ $^

# In every instrumented executable and library.
$(LIB)/records.o: $(RECORDS)
$(LIB)/records-workers.o: $(WORKERS_RECORDS)
$(LIB)/records.o $(LIB)/records-workers.o:
	@mkdir -p $(@D)
	cp $< $@

# The plugins, for every compiler that is to load them: PLUGIN_CXX='g++ g++-11'.  Their headers are GCC's: warnings in
# those are not ours.
PLUGIN_CXX = $(CXX)
major = $(shell $(1) -dumpversion 2>/dev/null | cut -d. -f1)
TESTED_GCC := $(shell sed -n 's/^.define TESTED_GCC_VERSIONS //p' libcilkprof/cc/gcc/versions.h | tr -d ,)
PLUGIN_PARTS := cc/marker-names cc/needs cc/gcc/fit cc/gcc/builtins
FRONT_PARTS := $(patsubst libcilkprof/%.cc,%,$(wildcard libcilkprof/cc/front/*.cc libcilkprof/cc/parallel/*.cc)) $(PLUGIN_PARTS) cc/gcc/front-end cc/gcc/lexer
BACK_PARTS  := $(patsubst libcilkprof/%.cc,%,$(wildcard libcilkprof/cc/back/*.cc)) $(PLUGIN_PARTS)
PLUGINS :=
# GCC's headers are ten times as long as a file of ours: they are precompiled, and the one that a file begins with is read first.
PLUGIN_HEADERS := c++-front-end front-end middle-end
plugin_header = $(if $(shell grep 'include.*c++-front-end.h' $(1)),c++-front-end,$(if $(filter libcilkprof/cc/front/% libcilkprof/cc/parallel/% libcilkprof/cc/gcc/lexer.cc,$(1)),front-end,middle-end))
# $(call plugins,COMPILER,VERSION)
define plugins
plugin_compiler_$(2) = $(1) -std=gnu++17 $$(CXXFLAGS) $$(filter-out -Wundef -Wcast-qual,$$(WARNINGS)) -fno-rtti -fno-exceptions -fPIC \
  -fvisibility=hidden -MD -MP -isystem $(shell $(1) -print-file-name=plugin 2>/dev/null)/include -I.
$(BUILD)/gcc-$(2)/libcilkprof/cc/%.o: libcilkprof/cc/%.cc $(PLUGIN_HEADERS:%=$(BUILD)/gcc-$(2)/headers/%.h.gch)
	$$(call short,CXX,$$<)
	@mkdir -p $$(@D)
	$$(plugin_compiler_$(2)) -include $(BUILD)/gcc-$(2)/headers/$$(call plugin_header,$$<).h -c $$< -o $$@
$(BUILD)/gcc-$(2)/headers/%.h.gch: libcilkprof/cc/gcc/%.h
	$$(call short,CXX,$$<)
	@mkdir -p $$(@D)
	echo '#include "$$<"' >$$(@:.gch=)
	$$(plugin_compiler_$(2)) -MF $$(@:.h.gch=.d) -x c++-header -c $$(@:.gch=) -o $$@
-include $(PLUGIN_HEADERS:%=$(BUILD)/gcc-$(2)/headers/%.d)
# make would remove them after the first build, and compile the plugins again in the second.
.SECONDARY: $(PLUGIN_HEADERS:%=$(BUILD)/gcc-$(2)/headers/%.h.gch)
$(LIB)/gcc-$(2)/cilkprof_front.so: $(FRONT_PARTS:%=$(BUILD)/gcc-$(2)/libcilkprof/%.o)
$(LIB)/gcc-$(2)/cilkprof_back.so: $(BACK_PARTS:%=$(BUILD)/gcc-$(2)/libcilkprof/%.o)
$(LIB)/gcc-$(2)/cilkprof_front.so $(LIB)/gcc-$(2)/cilkprof_back.so:
	$$(call short,LD,$$@)
	@mkdir -p $$(@D)
	$(1) -shared $$^ -o $$@
PLUGINS += $(LIB)/gcc-$(2)/cilkprof_front.so $(LIB)/gcc-$(2)/cilkprof_back.so
OBJECTS += $(patsubst %,$(BUILD)/gcc-$(2)/libcilkprof/%.o,$(sort $(FRONT_PARTS) $(BACK_PARTS)))
INSTALLED_DIRS += lib/cilkprof/gcc-$(2)
endef
$(foreach compiler,$(PLUGIN_CXX),$(eval $(call plugins,$(compiler),$(call major,$(compiler)))))

# What gcc loads, which loads the one of its version.
LOADER := $(BUILD)/libcilkprof/cc/driver/loader.o
$(LOADER): OBJECT_FLAGS = -fPIC -DBUILT_FOR='"$(shell $(CC) -dumpmachine)"'
OBJECTS += $(LOADER)
$(LIB)/cilkprof_front.so $(LIB)/cilkprof_back.so: $(LOADER)
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) -shared $^ -o $@ -ldl
PLUGINS += $(LIB)/cilkprof_front.so $(LIB)/cilkprof_back.so

# What users include, and what is included for them.
HEADERS := $(patsubst %,cilk/%.h,cilk cilk_api cilk_mutex cilk_stub cilk_undocumented cilksan cilkscale common holder \
  hyperobject_base metaprogramming monoid opadd_reducer ostream_reducer reducer reducer_arithmetic reducer_c reducer_extreme reducer_file \
  reducer_list reducer_min_max reducer_min_max_c reducer_opadd reducer_opand reducer_opmul reducer_opor reducer_opxor \
  reducer_ostream reducer_sequence reducer_string reducer_vector)
HEADERS += $(addprefix cilk/,holder opadd_reducer ostream_reducer reducer) cilkprof.h
HEADERS += $(patsubst %,cilktools/%.h,cilkscreen cilkview fake_mutex lock_guard) $(patsubst %,internal/%.h,abi cilk_fake cilk_version metacall)
HEADERS += cilk.h fake_mutex.h
# What shadows a header of the C++ library, and what that includes.
HEADERS += execution $(addprefix pstl/,parallel_backend_cilk.h cilk_chunks.h cilk_merge.h cilk_reduce.h cilk_scan.h cilk_sort.h)
# The same of oneTBB.
TBB_HEADERS := $(addprefix parallel_,for for_each invoke pipeline reduce scan sort) task task_group flow_graph partitioner collaborative_call_once
HEADERS += $(TBB_HEADERS:%=oneapi/tbb/%.h) oneapi/tbb/detail/_cilkprof.h
# Older names of some, in Cilk Plus, Cilk++ and TBB: each is a header that includes the other.
RENAMED_HEADERS := cilk/cilk_api_linux:cilk/cilk_api cilk/reducer_max:cilk/reducer_min_max cilk/reducer_min:cilk/reducer_min_max \
  cilkscreen:cilktools/cilkscreen cilkview:cilktools/cilkview reducer_max:cilk/reducer_min_max reducer_min:cilk/reducer_min_max \
  $(foreach name,$(TBB_HEADERS),tbb/$(name):oneapi/tbb/$(name)) \
  $(foreach name,cilk_mutex $(addprefix reducer_,list opadd opand opor opxor ostream string),$(name):cilk/$(name))
# Those of annotations, which need no plugin, also in a folder of their own: other compilers see no other header of ours.
ANNOTATE_HEADERS := cilkprof-annotate.h advisor-annotate.h
HEADERS += $(ANNOTATE_HEADERS)
LIB_HEADERS := $(addprefix $(LIB)/include/,$(HEADERS) $(addprefix annotate/,$(ANNOTATE_HEADERS))) $(addprefix $(LIB)/include/cilkprof/,charged.h children.h deferred.h events.h lanes.h parallel.h signals.h state.h tasks.h timing.h unit.h)
$(LIB)/include/cilkprof/unit.h: libcilkprof/cc/driver/unit-header.awk $(patsubst %,libcilkprof/abi/%.h,state lanes timing signals children deferred parallel charged events)
	@mkdir -p $(@D)
	awk -f $^ >$@
$(LIB)/include/cilkprof/%.h: libcilkprof/abi/%.h
	@mkdir -p $(@D)
	cp $< $@
# $(call renamed_header,NAME,INCLUDED)
define renamed_header
LIB_HEADERS += $(LIB)/include/$(1).h
$(LIB)/include/$(1).h: libcilkprof/rules.mk
	@mkdir -p $$(@D)
	printf '%s\n' '/* Another name of <$(2).h>.  SPDX-License-Identifier: MIT  */' '#pragma GCC system_header' '#include <$(2).h>' >$$@
endef
$(foreach pair,$(RENAMED_HEADERS),$(eval $(call renamed_header,$(firstword $(subst :, ,$(pair))),$(lastword $(subst :, ,$(pair))))))
$(LIB)/include/annotate/%: libcilkprof/include/%
	@mkdir -p $(@D)
	cp $< $@
$(LIB)/include/%: libcilkprof/include/%
	@mkdir -p $(@D)
	cp $< $@

# What the compiler loads is hidden from ccache, which knows a compiler by the file that it runs and hashes the specs
# file: both bear this stamp, so that nothing that another build of cilkprof compiled is taken for its own.
LOADED := $(PLUGINS) $(LIB_HEADERS)
STAMP = $$(cat $(LOADED) | cksum | tr ' ' .)

# The front ends: one script under several names.
MASQUERADE := cc gcc c++ g++ gfortran
FRONT_ENDS := $(addprefix $(BUILD)/bin/,cilkprof-cc cilkprof-c++ cilkprof-fortran) $(addprefix $(LIB)/bin/,$(MASQUERADE))
$(FRONT_ENDS): libcilkprof/cc/driver/cilkprof-cc.sh $(VERSION_HEADER) $(LOADED)
	@mkdir -p $(@D)
	sed "s/@STAMP@/$(STAMP)/; s/@VERSION@/$(VERSION)/" $< >$@
	chmod +x $@
$(LIB)/cilkprof.specs: libcilkprof/cc/driver/cilkprof.specs.in $(LOADED)
	@mkdir -p $(@D)
	sed "s|@LIB@|$(abspath $(LIB))|g; s/@STAMP@/$(STAMP)/" $< >$@

# The compilers whose headers for plugins are not there.
LACKING := $(foreach compiler,$(PLUGIN_CXX),$(if $(wildcard $(shell $(compiler) -print-file-name=plugin 2>/dev/null)/include/gcc-plugin.h),,$(compiler)))
NEED_PLUGINS := $(PLUGINS) $(FRONT_ENDS) $(LIB)/cilkprof.specs
LIBCILKPROF := $(addprefix $(LIB)/,libcilkprof.a libcilkprof.so libcilkprof-whatif.a libcilkprof-whatif.so libcilkprof-workers.a records.o records-workers.o cilkprof.specs) $(PARALLEL) $(OPENMP_TOOL) $(TBB_TOOL) $(RUNTIMES) $(PLUGINS) $(LIB_HEADERS) $(FRONT_ENDS)
ALL += $(filter-out $(NEED_PLUGINS),$(LIBCILKPROF))
UNTESTED := $(filter-out $(TESTED_GCC),$(foreach compiler,$(PLUGIN_CXX),$(call major,$(compiler))))
ifneq ($(UNTESTED),)
UNBUILT += "cilkprof-cc is not built: gcc $(UNTESTED) was never tested with it, gcc $(TESTED_GCC) were; run: make PLUGIN_CXX=g++-$(lastword $(TESTED_GCC))"
else
$(eval $(call part,cilkprof-cc,$(NEED_PLUGINS),$(LACKING:%=gcc-plugin.h of %),$(patsubst %, CXX=%,$(filter-out g++,$(firstword $(LACKING))))))
endif

INSTALL_STEPS += $(foreach file,$(filter-out %.specs,$(LIBCILKPROF)),\
  install -D -m $(if $(filter $(FRONT_ENDS),$(file)),755,644) $(file) $(DESTDIR)$(PREFIX)/$(file:$(BUILD)/%=%);) \
  sed "s|@LIB@|$(PREFIX)/lib/cilkprof|g; s/@STAMP@/$(STAMP)/" libcilkprof/cc/driver/cilkprof.specs.in >$(DESTDIR)$(PREFIX)/lib/cilkprof/cilkprof.specs;
INSTALLED += $(LIBCILKPROF:$(BUILD)/%=%)
INSTALLED_DIRS += lib/cilkprof/include/annotate lib/cilkprof/include/pstl lib/cilkprof/include/tbb lib/cilkprof/include/oneapi/tbb/detail lib/cilkprof/include/oneapi/tbb lib/cilkprof/include/oneapi lib/cilkprof/include/cilk lib/cilkprof/include/cilktools lib/cilkprof/include/internal lib/cilkprof/include/cilkprof lib/cilkprof/include lib/cilkprof/bin lib/cilkprof

# The commands that run programs for measuring: cilkprof-run, and cilkprof, which is all commands in one.
LAUNCHERS        := $(BUILD)/bin/cilkprof-run $(BUILD)/bin/cilkprof
LAUNCHER_OBJECTS := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard libcilkprof/launcher/*.c)))
COMMAND_OBJECTS  := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard libcilkprof/command/*.c)))
$(LAUNCHER_OBJECTS) $(COMMAND_OBJECTS): OBJECT_FLAGS = -D_GNU_SOURCE -I$(BUILD)
$(LAUNCHER_OBJECTS) $(COMMAND_OBJECTS): | $(VERSION_HEADER)
$(BUILD)/bin/cilkprof-run: $(LAUNCHER_OBJECTS)
$(BUILD)/bin/cilkprof: $(filter-out %/launcher/main.o,$(LAUNCHER_OBJECTS)) $(COMMAND_OBJECTS)
$(LAUNCHERS):
	$(call short,LD,$@)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@ -lelf
OBJECTS       += $(LAUNCHER_OBJECTS) $(COMMAND_OBJECTS)
$(eval $(call part,cilkprof-run,$(LAUNCHERS),$(call lacks,gelf.h)))
INSTALLED     += $(LAUNCHERS:$(BUILD)/%=%)
PROGRAMS      += $(LAUNCHERS:$(BUILD)/%=%)
INSTALL_STEPS += $(foreach file,$(LAUNCHERS),install -D -m 755 $(file) $(DESTDIR)$(PREFIX)/$(file:$(BUILD)/%=%);)

# For builds that find their compilers and flags through pkg-config.
PC_FILES := $(addprefix lib/pkgconfig/,cilkprof.pc cilkprof-annotate.pc)
$(PC_FILES:%=$(BUILD)/%): $(BUILD)/lib/pkgconfig/%.pc: libcilkprof/%.pc.in $(VERSION_HEADER)
	@mkdir -p $(@D)
	sed "s|@PREFIX@|$(abspath $(BUILD))|; s|@VERSION@|$(VERSION)|" $< >$@
ALL += $(PC_FILES:%=$(BUILD)/%)
INSTALL_STEPS += install -d $(DESTDIR)$(PREFIX)/lib/pkgconfig; $(foreach file,$(PC_FILES),\
  sed "s|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|" libcilkprof/$(notdir $(file)).in >$(DESTDIR)$(PREFIX)/$(file);)
INSTALLED += $(PC_FILES)

# For those of CMake.
CMAKE_FILES := $(addprefix lib/cmake/cilkprof/,cilkprofConfig.cmake cilkprofConfigVersion.cmake toolchain.cmake)
$(CMAKE_FILES:%=$(BUILD)/%): Makefile # one of them holds the version
$(BUILD)/lib/cmake/cilkprof/%.cmake: libcilkprof/cmake/%.cmake
	@mkdir -p $(@D)
	cp $< $@
$(BUILD)/lib/cmake/cilkprof/%.cmake: libcilkprof/cmake/%.cmake.in
	@mkdir -p $(@D)
	sed "s|@VERSION@|$(VERSION)|" $< >$@
ALL += $(CMAKE_FILES:%=$(BUILD)/%)
INSTALL_STEPS  += $(foreach file,$(CMAKE_FILES),install -D -m 644 $(BUILD)/$(file) $(DESTDIR)$(PREFIX)/$(file);)
INSTALLED      += $(CMAKE_FILES)
INSTALLED_DIRS += lib/cmake/cilkprof
