# A release, and packages for Debian.
# SPDX-License-Identifier: MIT
#
# Debian's tools want a folder debian/ at the top of the sources.  There the layout of the project is all that is to be
# seen, so it has another name here, and is put in its place in the copy that packages are built from.

.PHONY: dist deb check-deb

# What is committed, with the version in its name and in the file VERSION.  Sources that came as a release are packed as they are.
DIST := $(BUILD)/cilkprof-$(VERSION).tar.gz
define pack_sources
if [ -e .git ]; then mkdir -p $(BUILD); echo '$(VERSION)' >$(BUILD)/VERSION; \
  git archive --format=tar --prefix=cilkprof-$(VERSION)/ --add-file=$(BUILD)/VERSION HEAD; \
else tar -c --exclude='./build*' --transform='s|^\.|cilkprof-$(VERSION)|' --sort=name .; fi | gzip -n9
endef
dist:
	@mkdir -p $(BUILD)
	@$(pack_sources) >$(DIST)
	@echo 'cilkprof: $(DIST)'

# Packages for the release of Debian that this is, with plugins for each of its versions of gcc: DEB_GCC='12 14'.
DEB_FOLDER   = $(BUILD)/deb
DEB_VERSION  = $(subst -,+,$(VERSION))
DEB_SOURCES  = $(DEB_FOLDER)/cilkprof-$(VERSION)
available    = $(shell LC_ALL=C apt-cache policy $(1) 2>/dev/null | awk '/Candidate:/ && $$2 != "(none)" { n++ } END { print n + 0 }')
DEB_GCC      = $(foreach n,$(TESTED_GCC),$(if $(filter 3,$(call available,gcc-$(n) g++-$(n) gcc-$(n)-plugin-dev)),$(n)))
DEB_PACKAGES = build-essential debhelper lintian $(foreach n,$(DEB_GCC),g++-$(n) gcc-$(n)-plugin-dev)
deb: setup
	@$(call apt,$(DEB_PACKAGES))
	@[ -n '$(filter $(GCC_MAJOR),$(DEB_GCC))' ] || \
	  { echo 'cilkprof: no package for gcc $(GCC_MAJOR), the one of this system; tested: $(TESTED_GCC)' >&2; exit 1; }
	rm -rf $(DEB_FOLDER)
	mkdir -p $(DEB_FOLDER)
	$(pack_sources) >$(DEB_FOLDER)/cilkprof_$(DEB_VERSION).orig.tar.gz
	tar -C $(DEB_FOLDER) -xf $(DEB_FOLDER)/cilkprof_$(DEB_VERSION).orig.tar.gz
	cp -r .debian $(DEB_SOURCES)/debian
	sed -i '1s/(.*)/($(DEB_VERSION)-1)/' $(DEB_SOURCES)/debian/changelog
	{ sed 's/@DEFAULT@/$(GCC_MAJOR)/; s/@BUILD_GCC@/$(foreach n,$(DEB_GCC), g++-$(n), gcc-$(n)-plugin-dev,)/' .debian/control.in; \
	  for n in $(DEB_GCC); do sed "s/@N@/$$n/" .debian/control-gcc.in; done; } >$(DEB_SOURCES)/debian/control
	cd $(DEB_SOURCES) && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL DEB_BUILD_OPTIONS='parallel=$(shell nproc) noautodbgsym' dpkg-buildpackage -us -uc
	cd $(DEB_FOLDER) && lintian --fail-on error --suppress-tags bad-distribution-in-changes-file,bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs cilkprof_*.changes
	@ls $(DEB_FOLDER)/*.deb

# On a bare machine of a release: build them, install them, use them, upgrade them, remove them without a trace.
SUITE = $(shell . /etc/os-release && echo $$VERSION_CODENAME)
check-deb:
	test/suites/run $(SUITE) 'make deb' 'test/suites/packages'
