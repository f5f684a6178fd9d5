# RMSNorm, cuaderno de trabajo. Una regla por flecha del diseño:
#   capítulos -> fuentes (tangle) -> programas -> outputs -> figuras -> libro
#
#   make chapter-04        extrae y compila el programa del capítulo 4
#   make run figures book  ejecuta todo, dibuja y teje el libro
#   make test              todas las pruebas
# DEVICE=gpu|cpu elige el dispositivo; sin él, la GPU si la hay.

SHELL := /bin/sh
.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all run figures book test clean FORCE

CHAPTERS := $(sort $(wildcard chapters/*.nw))
PROGRAMS := ch01 ch02 ch03 ch04 ch05 ch06 ch06_wrong ch09
KERNELS  := ch02 ch04 ch05 ch06 ch06_wrong ch09
PAPER    := cuda_runtime_api.h cuda_runtime.h cuda_fp16.h cuda_bf16.h \
            paper_gpu.h paper_gpu.c watch.c launch.awk
BUILD    := tangled/.build
SRC      := $(BUILD)/src
DEVICE   ?= $(shell scripts/device.sh)
COMMIT   := $(shell git describe --always --dirty 2>/dev/null || cat VERSION)

ROOTS    := $(PROGRAMS:%=%.c) $(KERNELS:%=%_kernels.cu) \
            $(PAPER:%=paper/%) ch09_row.c

all: $(PROGRAMS:%=tangled/%)
chapter-%: tangled/ch% ;

# --- tangle: con #line para compilar, sin él para leer ------------------------
$(BUILD)/lint: $(CHAPTERS) weave/lint.sh Makefile
	@mkdir -p $(@D)
	@sh weave/lint.sh --roots '$(ROOTS)' $(CHAPTERS)
	@touch $@
$(filter-out %.awk,$(ROOTS:%=$(SRC)/%)): $(SRC)/%: $(BUILD)/lint
	@sh weave/tangle.sh $* $@ -L
$(filter %.awk,$(ROOTS:%=$(SRC)/%)): $(SRC)/%: $(BUILD)/lint
	@sh weave/tangle.sh $* $@
$(ROOTS:%=tangled/%): tangled/%: $(BUILD)/lint
	@sh weave/tangle.sh $* $@

# --- compile -------------------------------------------------------------------
CUDA     := $(patsubst %/bin/nvcc,%,$(realpath $(shell command -v nvcc)))
CFLAGS   := -std=c11 -g -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror \
            -DCOMMIT='"$(COMMIT)"'
CXXFLAGS := -std=c++17 -g -gdwarf-4 -O1 -ffp-contract=off -Wall -Wextra -Werror
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all
WATCHED  := -fsanitize=thread --param tsan-distinguish-volatile=1
ARCH     ?= native

# GPU de papel: los núcleos llevan los ganchos del vigilante
$(BUILD)/cpu/%.o: $(SRC)/%.c $(PAPER:%=$(SRC)/paper/%)
	@mkdir -p $(@D)
	gcc $(CFLAGS) -I$(SRC)/paper -c -o $@.tmp $< && mv $@.tmp $@
$(KERNELS:%=$(BUILD)/cpu/%_kernels.o): %.o: %.cpp
	g++ $(CXXFLAGS) $(WATCHED) -I$(SRC)/paper -c -o $@.tmp $< && mv $@.tmp $@
$(BUILD)/cpu/%.cpp: $(SRC)/%.cu $(PAPER:%=$(SRC)/paper/%)
	@mkdir -p $(@D)
	awk -f $(SRC)/paper/launch.awk $< > $@.tmp && mv $@.tmp $@
PAPER_OBJECTS = $(BUILD)/$(1)/paper/paper_gpu.o $(BUILD)/$(1)/paper/watch.o
$(KERNELS:%=$(BUILD)/cpu/%): $(BUILD)/cpu/%: $(BUILD)/cpu/%.o \
        $(BUILD)/cpu/%_kernels.o $(call PAPER_OBJECTS,cpu)
	g++ -o $@.tmp $^ -lm && mv $@.tmp $@
$(BUILD)/cpu/%: $(BUILD)/cpu/%.o
	gcc -o $@.tmp $< -lm && mv $@.tmp $@

# El mismo programa bajo AddressSanitizer y UBSan, sin vigilante
$(BUILD)/asan/%.o: $(SRC)/%.c $(PAPER:%=$(SRC)/paper/%)
	@mkdir -p $(@D)
	gcc $(CFLAGS) -O1 $(SANITIZE) -I$(SRC)/paper -c -o $@.tmp $< && mv $@.tmp $@
$(KERNELS:%=$(BUILD)/asan/%_kernels.o): $(BUILD)/asan/%.o: \
        $(BUILD)/cpu/%.cpp
	@mkdir -p $(@D)
	g++ $(CXXFLAGS) $(SANITIZE) -I$(SRC)/paper -c -o $@.tmp $< && mv $@.tmp $@
$(KERNELS:%=$(BUILD)/asan/%): $(BUILD)/asan/%: $(BUILD)/asan/%.o \
        $(BUILD)/asan/%_kernels.o $(call PAPER_OBJECTS,asan)
	g++ $(SANITIZE) -o $@.tmp $^ -lm && mv $@.tmp $@
$(BUILD)/asan/%: $(BUILD)/asan/%.o
	gcc $(SANITIZE) -o $@.tmp $< -lm && mv $@.tmp $@

# GPU de verdad
$(BUILD)/gpu/%.o: $(SRC)/%.c
	@mkdir -p $(@D)
	gcc $(CFLAGS) -I$(CUDA)/include -c -o $@.tmp $< && mv $@.tmp $@
$(BUILD)/gpu/%_kernels.o: $(SRC)/%_kernels.cu
	@mkdir -p $(@D)
	nvcc -arch=$(ARCH) -O3 -lineinfo -Werror all-warnings -c -o $@.tmp $< && mv $@.tmp $@
$(KERNELS:%=$(BUILD)/gpu/%): $(BUILD)/gpu/%: $(BUILD)/gpu/%.o \
        $(BUILD)/gpu/%_kernels.o
	nvcc -arch=$(ARCH) -o $@.tmp $^ && mv $@.tmp $@
$(BUILD)/gpu/%: $(BUILD)/gpu/%.o
	gcc -o $@.tmp $< -lm && mv $@.tmp $@

# tangled/chNN es el programa del dispositivo elegido
$(BUILD)/device: FORCE
	@mkdir -p $(@D)
	@echo $(DEVICE) | cmp -s - $@ || echo $(DEVICE) > $@
$(PROGRAMS:%=tangled/%): tangled/%: $(BUILD)/$(DEVICE)/% $(BUILD)/device \
        tangled/%.c
	@cp $< $@.tmp && mv $@.tmp $@
$(KERNELS:%=tangled/%): tangled/%: tangled/%_kernels.cu
FORCE:

# --- test ----------------------------------------------------------------------
# make test SUITE=lint ejecuta una sola; con ONLY=ch04, las de un programa
test:
	@PROGRAMS='$(PROGRAMS)' KERNELS='$(KERNELS)' ROOTS='$(ROOTS)' \
	    ONLY='$(ONLY)' sh tests/run.sh $(SUITE)

clean:
	rm -rf $(BUILD) $(filter-out tangled/README.md,$(wildcard tangled/*))
