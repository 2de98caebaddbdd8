/*===- prof_model_file.h - Layout of compiled models ---------------*- C -*-===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A compiled model (*.mprof) is an ELF shared library, then sections, then a
 * directory of the sections, then a footer, with which the file ends.
 * docs/compiled-models.md describes all of it. Integers are little endian;
 * sections and the directory begin at multiples of 8 bytes, and what is between
 * them is zero.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MLIR_PROF_RUNTIME_PROF_MODEL_FILE_H
#define MLIR_PROF_RUNTIME_PROF_MODEL_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The last bytes of a file, another text for each form.
#define PROF_MODEL_MAGIC "MLPRMOD2"

/// The sections, in the order of the file. Readers ignore kinds that they do
/// not know.
enum prof_model_section_kind {
  /// How to call the model: see PROF_MODEL_INTERFACE.
  PROF_MODEL_INTERFACE_SECTION = 1,
  /// Which op the code at an address belongs to: a prof_model_places.
  PROF_MODEL_PLACES_SECTION = 2,
  /// For the tool: what the compiler knew, the program with its levels, and the
  /// code before it was linked.
  PROF_MODEL_BUILD_SECTION = 3,
  PROF_MODEL_PROGRAM_SECTION = 4,
  PROF_MODEL_LEVELS_SECTION = 5,
  PROF_MODEL_OBJECT_SECTION = 6,
  /// The constants, and where the code finds their addresses.
  PROF_MODEL_CONSTANTS_SECTION = 7,
};

/// An entry of the directory, in ascending order of offsets.
typedef struct prof_model_section {
  uint64_t kind;
  /// Its place in the file.
  uint64_t offset, size;
  /// prof_model_hash() of its bytes.
  uint64_t hash;
} prof_model_section;

typedef struct prof_model_footer {
  /// The library is at the begin of the file.
  uint64_t library_bytes;
  /// The constants lie in the library: a range of the file, empty without any.
  uint64_t constants_begin, constants_end;
  /// prof_model_hash() of the library without the range of constants, which
  /// the tool checks one by one.
  uint64_t library_hash;
  uint64_t directory_offset, sections;
  /// prof_model_hash() of the directory and of the footer before this.
  uint64_t hash;
  char magic[8];
} prof_model_footer;

/* The section of the interface has these fields, one after the other; a text
 * is its length and its bytes.
 *
 *   u64 machine, threads, flags, features, state bytes
 *   u64 text begin, text end      offsets of the code from mlirprof_entry
 *   text  the fingerprint of the program
 *   u64 arguments, then each of them; u64 results, then each of them:
 *     text name, text element type, u64 bytes per element, u64 is scalar,
 *     u64 is written, u64 rank, u64 dimensions[rank]    INT64_MIN: not known
 */

/* The section of constants has their number and, for each of them:
 *
 *   u64 address in the library, size, alignment that the code relies on
 *   u64 pointers, then the address in the library of each of them
 *
 * The pointers have the constant's address once the library is loaded, and the
 * code reads it where they point.
 */

/// Flags of the interface: the code runs programs of the executor; it has
/// variables, so that calls must not overlap.
#define PROF_MODEL_USES_EXECUTOR 1
#define PROF_MODEL_HAS_STATE 2

/// The section of places: this, `rows` rows by address and then by instance,
/// and for each text the end of its bytes (32 bits) in those that follow, where
/// it begins at the end of the one before.
typedef struct prof_model_places {
  uint32_t rows, texts;
} prof_model_places;

typedef struct prof_model_place {
  /// The row is for the code from here to the next other begin: an offset from
  /// the begin of the code.
  uint32_t begin;
  /// The dispatch that runs the code, or UINT32_MAX for any.
  uint32_t instance;
  /// The text that names the op; UINT32_MAX if none is known.
  uint32_t text;
} prof_model_place;

/// The hash of nothing: continue with the bytes of each part.
#define PROF_MODEL_HASH_BEGIN UINT64_C(0x6d6c69722d70726f)

static inline uint64_t prof_model_hash_word(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * UINT64_C(0x9fb21c651e98df25);
  return hash ^ hash >> 29;
}

/// Continues a hash with `size` bytes. It finds damage, not intent.
static inline uint64_t prof_model_hash_more(uint64_t hash, const void *bytes,
                                            size_t size) {
  const unsigned char *at = (const unsigned char *)bytes;
  for (size_t left = size; left;) {
    uint64_t word = 0;
    size_t count = left < sizeof word ? left : sizeof word;
    memcpy(&word, at, count);
    hash = prof_model_hash_word(hash, word);
    at += count;
    left -= count;
  }
  return prof_model_hash_word(hash, size);
}

static inline uint64_t prof_model_hash(const void *bytes, size_t size) {
  return prof_model_hash_more(PROF_MODEL_HASH_BEGIN, bytes, size);
}

/*===----------------------------------------------------------------------===*
 * What the library needs
 *===----------------------------------------------------------------------===*/

/// The functions that the code calls by the variable of the library
/// `const prof_model_host *mlirprof_host`, which whoever loads it sets before
/// the first call. All others that it calls are functions of the C library that
/// keep nothing: memcpy and the like, and mathematics.
typedef struct prof_model_host {
  /// prof_executor_run.
  int (*run)(void *executor, void *program, void *const *addresses,
             const int64_t *parameters);
  void *(*allocate)(size_t size);
  void *(*allocate_zeroed)(size_t count, size_t size);
  void *(*reallocate)(void *pointer, size_t size);
  void *(*allocate_aligned)(size_t alignment, size_t size);
  int (*allocate_to)(void **pointer, size_t alignment, size_t size);
  void (*release)(void *pointer);
  /// puts: the message of an assertion, before `fail`.
  int (*print)(const char *text);
  /// abort.
  void (*fail)(void);
  /// memrefCopy: copies an array of any strides. Both are a rank and the
  /// address of a descriptor.
  void (*copy)(int64_t element_bytes, void *source, void *target);
} prof_model_host;

/// The symbols of the library. mlirprof_reset is there with variables only.
#define PROF_MODEL_ENTRY "mlirprof_entry"
#define PROF_MODEL_RESET "mlirprof_reset"
#define PROF_MODEL_HOST "mlirprof_host"
/// The dispatch that the code runs (uint32_t), in code without the executor.
#define PROF_MODEL_INSTANCE "mlirprof_instance"

/*===----------------------------------------------------------------------===*
 * Processors
 *===----------------------------------------------------------------------===*/

/// PROF_MODEL_FEATURE(bit, name): instructions that a processor may lack and
/// that LLVM uses on its own, by LLVM's name. The interface has the set of
/// those that the code may use. Bits keep their meaning.
#if defined(__x86_64__)
#define PROF_MODEL_FEATURES(PROF_MODEL_FEATURE)                                \
  PROF_MODEL_FEATURE(0, "sse3")                                                \
  PROF_MODEL_FEATURE(1, "ssse3")                                               \
  PROF_MODEL_FEATURE(2, "sse4.1")                                              \
  PROF_MODEL_FEATURE(3, "sse4.2")                                              \
  PROF_MODEL_FEATURE(4, "popcnt")                                              \
  PROF_MODEL_FEATURE(5, "avx")                                                 \
  PROF_MODEL_FEATURE(6, "avx2")                                                \
  PROF_MODEL_FEATURE(7, "fma")                                                 \
  PROF_MODEL_FEATURE(8, "f16c")                                                \
  PROF_MODEL_FEATURE(9, "bmi")                                                 \
  PROF_MODEL_FEATURE(10, "bmi2")                                               \
  PROF_MODEL_FEATURE(11, "lzcnt")                                              \
  PROF_MODEL_FEATURE(12, "avx512f")                                            \
  PROF_MODEL_FEATURE(13, "avx512vl")                                           \
  PROF_MODEL_FEATURE(14, "avx512bw")                                           \
  PROF_MODEL_FEATURE(15, "avx512dq")                                           \
  PROF_MODEL_FEATURE(16, "avx512cd")                                           \
  PROF_MODEL_FEATURE(17, "avx512vnni")                                         \
  PROF_MODEL_FEATURE(18, "avx512bf16")                                         \
  PROF_MODEL_FEATURE(19, "avx512vbmi")                                         \
  PROF_MODEL_FEATURE(20, "avx512vbmi2")                                        \
  PROF_MODEL_FEATURE(21, "avx512ifma")                                         \
  PROF_MODEL_FEATURE(22, "avx512bitalg")                                       \
  PROF_MODEL_FEATURE(23, "avx512vpopcntdq")                                    \
  PROF_MODEL_FEATURE(24, "gfni")
#else
#define PROF_MODEL_FEATURES(PROF_MODEL_FEATURE)
#endif

#ifdef __cplusplus
}
#endif

#endif /* MLIR_PROF_RUNTIME_PROF_MODEL_FILE_H */
