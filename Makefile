# Everything a person needs: `make` lists it. Each step does only what is not done yet.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory
export PATH := $(CURDIR)/.tools/node_modules/.bin:$(HOME)/.cargo/bin:$(PATH)

UI_BUILT := ui/dist/index.html
UI_PACKAGES := ui/node_modules/.package-lock.json
TEST_PACKAGES := tests/node_modules/.package-lock.json
UI_SOURCES := $(shell find ui/src ui/public -type f 2>/dev/null) ui/index.html ui/package.json ui/vite.config.ts ui/compressed_files.ts ui/pdf_resources.ts ui/svelte.config.js ui/tsconfig.json
# Tests that go on for longer hang, and are ended.
STUCK := 45m
# The compiler that lints: clippy is done when the tests are built, and dependencies are not checked besides.
LINTED := RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
IN_MEMORY = TMPDIR=$(shell .ci/test-directory)
RUN_TESTS = $(LINTED) $(IN_MEMORY) timeout --verbose --foreground $(STUCK) cargo test --locked --workspace
# Tests of these suites wait as much as they compute.
TWICE_AS_MANY := RUST_TEST_THREADS=$(shell echo $$((2 * $$(nproc))))
# The quick ones first. One after the other: they keep two processors busy.
SUITES := test-unit test-http test-cli test-crash test-desktop test-e2e
# The program with its tests: a plain build has fewer features in its dependencies, and would build them anew.
BUILD_FOR_TESTS := $(LINTED) cargo test --locked --workspace --all-targets --no-run
# Without a locale, Chromium reads no file whose name has other letters than those of ASCII.
TEST_IN_NODE = LANG=$(or $(LANG),C.UTF-8) $(IN_MEMORY) node --test --test-reporter=spec --test-timeout=600000 --test-force-exit
# Tests that count the files of the data directory, or whose path is a directory there.
OF_THE_DISK := $(addprefix --skip ,an_upload_that_breaks_off_leaves_nothing a_client_that_hangs_up_at_the_end_leaves_all_or_nothing a_part_of_a_path_may_be_a_file the_trash_is_purged_as_far_as_somebody_may a_revert_brings_the_former_bytes_back bytes_that_nobody_shows_leave_the_public_tree an_import_is_taken_back_also_where_former_bytes_are_lost)
# Tests of the command line that name nothing of Linux: no permissions, no signals but Ctrl+C, no path of a socket.
OF_WINDOWS := serve:: disk_names:: ocfl:: data_directory::one_program check::every_damage check::a_sound check::a_running rebuild:: resumable_upload:: hostile_files:: derivatives::products derivatives::crashes derivatives::bounds::a_file_that_takes_more_time watch::described watch::once watch::subfolders watch::twins watch::after::files
DISPLAY_FOUND := $(DISPLAY)$(WAYLAND_DISPLAY)

.PHONY: help run serve ui test test-bucket lint lint-ui doc unused licences audit test-ui built-for-tests test-rust $(SUITES) torture screenshots workbench check-macos check-windows test-windows mutants bench package package-windows install-build install-window install-test install-test-rust clean

help: ## List what there is to make
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | while IFS=$$'\t' read -r name what; do printf '  make %-20s %s\n' "$$name" "$$what"; done

run: ## Install what is missing, build, and open the window (where there is no display: serve)
ifneq ($(DISPLAY_FOUND),)
run: install-window $(UI_BUILT)
	cargo build --locked --release
	target/release/isolario $(ARGS)
else
run: serve
endif

serve: install-build $(UI_BUILT) ## Build the server alone, without WebKit, and serve
	@echo "No window: this builds and starts the server alone. The same UI is at the address that it prints."
	cargo build --locked --release --package isolario-headless
	target/release/isolario-headless serve $(ARGS)

ui: install-build $(UI_BUILT) ## Build the UI

test: install-test install-test-rust lint-ui licences test-ui lint $(SUITES) ## Install what is missing and run every check and test

lint: lint-ui built-for-tests ## Formatting, clippy, types of the UI
	cargo fmt --all --check

lint-ui: $(UI_PACKAGES)
	npm --prefix ui run lint & style=$$!; npm --prefix ui run check; wait $$style

doc: install-window ## The documentation of all crates, without a warning
	RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --document-private-items

unused: install-build ## Dependencies that no source names; builds cargo-machete into .tools first
	cargo install --quiet --locked --debug --root .tools cargo-machete@0.9.2
	.tools/bin/cargo-machete --with-metadata

licences: install-build $(TEST_PACKAGES) ## Licences and origins of everything that is built in
	.ci/licences ui/package-lock.json tests/package-lock.json

audit: install-build ## Known weaknesses of what is built in; asks the internet; builds cargo-deny into .tools first
	cargo install --quiet --locked --debug --root .tools cargo-deny@0.20.2
	.tools/bin/cargo-deny --locked check advisories
	npm --prefix ui audit
	npm --prefix tests audit

test-ui: $(UI_PACKAGES) ## Unit tests of the UI
	npm --prefix ui run test

built-for-tests: install-window install-test-rust $(UI_BUILT) $(TEST_PACKAGES)
	$(BUILD_FOR_TESTS)

test-rust: test-unit test-http test-cli test-crash ## Tests of the program, without its window and without a browser

test-unit: built-for-tests ## Unit tests of all crates, of the headless program, and of the sources themselves
	$(RUN_TESTS) --lib --bins --test tidy --test headless
	# What must not compile: beside each example that does.
	$(RUN_TESTS) --doc

test-http: built-for-tests ## The REST interface, through the router
	$(TWICE_AS_MANY) $(RUN_TESTS) --test http

test-cli: built-for-tests ## The program itself: command line, network, full and failing disks, watched folders
	$(TWICE_AS_MANY) $(RUN_TESTS) --test cli

test-bucket: built-for-tests ## The REST interface on a bucket of a Ceph cluster that this starts, and the cluster losing parts of itself
	@.ci/install-packages ceph
	$(TWICE_AS_MANY) $(LINTED) $(IN_MEMORY) .ci/with-ceph bash -c "cargo test --locked --workspace --test http -- $(OF_THE_DISK) && \
	    cargo test --locked --workspace --test distributed -- --nocapture"

test-crash: built-for-tests ## The program killed and its power cut, and what is left judged
	$(RUN_TESTS) --test crash

torture: install-window install-test-rust $(UI_BUILT) ## Kill the server under load and judge what is left, ROUNDS times, and cut its power CUTS times; SEED repeats the choices
	ROUNDS=$(or $(ROUNDS),200) CUTS=$(or $(CUTS),500) $(if $(SEED),SEED=$(SEED)) cargo test --locked --test crash -- --nocapture

test-desktop: install-test built-for-tests ## The real window, driven under a display of its own
	$(TEST_IN_NODE) --test-concurrency=1 tests/desktop/

test-e2e: install-test built-for-tests ## The UI in a browser
	# Every file has a server and a browser of its own, and waits more than it computes.
	$(TEST_IN_NODE) --test-concurrency=3 tests/e2e/

screenshots: install-test built-for-tests ## Pictures of every screen in docs/screenshots, light and dark, in three sizes; those of the guide in docs/images
	node tests/screenshots/take.mjs

workbench: install-build $(UI_BUILT) ## Run the integration tests of Islandora Workbench, whose source lies in SOURCE
	$(LINTED) cargo build --locked --package isolario-headless
	.ci/workbench $(SOURCE)

check-macos check-windows: check-%: install-build ## Compile the server for macOS, or all for Windows, as far as Debian can: nothing is linked or run
	@.ci/install-packages foreign
	.ci/compile-for $* check --package isolario-headless $(if $(filter windows,$*),--package isolario)

test-windows: built-for-tests ## The server built for Windows, and tried by Wine
	@.ci/install-packages foreign wine
	.ci/compile-for windows build --package isolario-headless
	.ci/with-wine .ci/compile-for windows test --package isolario-platform --lib
	$(TWICE_AS_MANY) $(LINTED) $(IN_MEMORY) .ci/with-wine cargo test --locked --workspace --test cli -- $(OF_WINDOWS)

mutants: install-window $(UI_BUILT) ## Break every decision of the policy, one at a time, and look whether the tables notice; ONLY=may_purge for those of one function, FROM=may_set from there on
	$(if $(ONLY),ONLY='$(ONLY)') $(if $(FROM),FROM='$(FROM)') .ci/mutants target/mutants

bench: install-window $(UI_BUILT) $(TEST_PACKAGES) ## Measure the speed beside the limits of this machine; NODES=, FILES=, ROUNDS=, SECONDS=, ONLY=reads,writes,uploads,workbench,tables,watched,downloads,bucket,thumbnails,tiles,followed,scale,searches,frames
	@.ci/install-packages bench ceph
	cargo bench --locked --bench speed

package: install-window $(UI_BUILT) ## A .deb with menu entry, icon and a systemd unit that is off
	ui/node_modules/.bin/tauri build --bundles deb --ci -- --locked
	@ls target/release/bundle/deb/*.deb

package-windows: install-build $(UI_BUILT) ## An installer of the program for Windows
	@.ci/install-packages foreign nsis
	.ci/compile-for windows build --release --package isolario --package isolario-headless
	@.ci/package-windows target/foreign/x86_64-pc-windows-gnu/release

install-build:
	@.ci/install-packages build
	@.ci/install-rust
	@.ci/install-node

install-window: install-build
	@.ci/install-packages window

install-test: install-window
	@.ci/install-packages test
	@.ci/install-viewers

install-test-rust: install-build
	@.ci/install-packages test-rust
	@.ci/install-validators

$(UI_PACKAGES): ui/package-lock.json | install-build
	cd ui && npm ci --no-fund --no-audit
	@touch $@

$(TEST_PACKAGES): tests/package-lock.json | install-build
	cd tests && npm ci --no-fund --no-audit
	@touch $@

$(UI_BUILT): $(UI_PACKAGES) $(UI_SOURCES)
	npm --prefix ui run build
	@touch $@

clean: ## Remove everything that was built
	rm -rf target ui/dist ui/dist-gzip ui/node_modules tests/node_modules .tools gen permissions
