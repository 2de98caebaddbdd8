/*===- Elf.h - The parts of ELF that the loader reads ---------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * Targets without an operating system do not have elf.h. Names and numbers are
 * those of the System V ABI and of the processors' supplements.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_ELF_H
#define MLIR_PROF_RUNTIME_ELF_H

#include <stdint.h>

#define ELF_IS_64 (UINTPTR_MAX > UINT32_MAX)

/* An address, an offset or a size of the file's class. */
typedef uintptr_t elf_word;

typedef struct elf_header {
  uint8_t ident[16];
  uint16_t type, machine;
  uint32_t version;
  elf_word entry, segments, sections;
  uint32_t flags;
  uint16_t header_bytes, segment_bytes, segment_count, section_bytes,
      section_count, names;
} elf_header;

typedef struct elf_segment {
  uint32_t type;
#if ELF_IS_64
  uint32_t flags;
#endif
  elf_word offset, address, physical, file_bytes, memory_bytes;
#if !ELF_IS_64
  uint32_t flags;
#endif
  elf_word alignment;
} elf_segment;

typedef struct elf_dynamic {
  elf_word tag, value;
} elf_dynamic;

typedef struct elf_symbol {
  uint32_t name;
#if ELF_IS_64
  uint8_t info, other;
  uint16_t section;
  elf_word value, size;
#else
  elf_word value, size;
  uint8_t info, other;
  uint16_t section;
#endif
} elf_symbol;

typedef struct elf_relocation {
  elf_word offset, info;
  /* Not in the file if ELF_HAS_ADDENDS is 0. */
  elf_word addend;
} elf_relocation;

enum {
  ELF_SHARED = 3,
  ELF_LOAD = 1,
  ELF_DYNAMIC = 2,
  ELF_INTERPRETER = 3,
  ELF_THREADS = 7,
  ELF_STANDALONE = 255,
  ELF_EXECUTE = 1,
  ELF_WRITE = 2,
  ELF_READ = 4
};
#define ELF_RELRO UINT32_C(0x6474e552)

/* Tags. */
enum {
  ELF_END = 0,
  ELF_NEEDED = 1,
  ELF_PLT_BYTES = 2,
  ELF_STRINGS = 5,
  ELF_SYMBOLS = 6,
  ELF_RELA = 7,
  ELF_RELA_BYTES = 8,
  ELF_STRING_BYTES = 10,
  ELF_INITIALIZER = 12,
  ELF_REL = 17,
  ELF_REL_BYTES = 18,
  ELF_TEXT_RELOCATIONS = 22,
  ELF_PLT = 23,
  ELF_INITIALIZERS = 25,
  ELF_PREINITIALIZERS = 32,
  ELF_RELR = 36
};

/* The relocations that a library of one's own code needs: the begin of the
   library, or a symbol, and an addend. */
#if defined(__x86_64__)
enum {
  ELF_MACHINE = 62,
  ELF_RELATIVE = 8,
  ELF_ABSOLUTE = 1,
  ELF_GLOBAL = 6,
  ELF_JUMP = 7
};
#elif defined(__aarch64__)
enum {
  ELF_MACHINE = 183,
  ELF_RELATIVE = 1027,
  ELF_ABSOLUTE = 257,
  ELF_GLOBAL = 1025,
  ELF_JUMP = 1026
};
#elif defined(__riscv)
enum {
  ELF_MACHINE = 243,
  ELF_RELATIVE = 3,
  ELF_ABSOLUTE = ELF_IS_64 ? 2 : 1,
  ELF_GLOBAL = ELF_ABSOLUTE,
  ELF_JUMP = 5
};
#elif defined(__arm__)
enum {
  ELF_MACHINE = 40,
  ELF_RELATIVE = 23,
  ELF_ABSOLUTE = 2,
  ELF_GLOBAL = 21,
  ELF_JUMP = 22
};
#else
/* A machine that no file is for. */
enum { ELF_MACHINE = 0, ELF_RELATIVE, ELF_ABSOLUTE, ELF_GLOBAL, ELF_JUMP };
#endif

#if defined(__arm__)
#define ELF_HAS_ADDENDS 0
#else
#define ELF_HAS_ADDENDS 1
#endif

#endif /* MLIR_PROF_RUNTIME_ELF_H */
