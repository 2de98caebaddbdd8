//===- LibraryHashes.h - Hashes of changed *.mprof --------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Hashes guard each part of a file, and would stop nearly every mutation there.
// Inputs thus get the right ones before they are read, and once in 16 as they
// are.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_FUZZ_LIBRARYHASHES_H
#define MLIR_PROF_FUZZ_LIBRARYHASHES_H

#include "mlir-prof/Runtime/prof_model_file.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

/// Gives the file in `bytes` the hashes that its content asks for.
inline void repairLibrary(std::string &bytes) {
  prof_model_footer footer;
  if (bytes.size() < sizeof footer)
    return;
  size_t end = bytes.size() - sizeof footer;
  std::memcpy(&footer, &bytes[end], sizeof footer);
  std::memcpy(footer.magic, PROF_MODEL_MAGIC, sizeof footer.magic);
  footer.sections =
      std::min<uint64_t>(footer.sections, end / sizeof(prof_model_section));
  size_t begin = end - footer.sections * sizeof(prof_model_section);
  footer.directory_offset = begin;
  for (size_t at = begin; at != end; at += sizeof(prof_model_section)) {
    prof_model_section section;
    std::memcpy(&section, &bytes[at], sizeof section);
    if (section.offset <= begin && section.size <= begin - section.offset)
      section.hash = prof_model_hash(&bytes[section.offset], section.size);
    std::memcpy(&bytes[at], &section, sizeof section);
  }
  uint64_t size = footer.library_bytes, from = footer.constants_begin,
           to = footer.constants_end;
  if (size <= begin && from <= to && to <= size)
    footer.library_hash = prof_model_hash_more(
        prof_model_hash(bytes.data(), from), bytes.data() + to, size - to);
  footer.hash =
      prof_model_hash_more(prof_model_hash(&bytes[begin], end - begin), &footer,
                           offsetof(prof_model_footer, hash));
  std::memcpy(&bytes[end], &footer, sizeof footer);
}

/// The file of an input of a fuzzer.
inline std::string getLibrary(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  if (size != 0 && data[size / 2] % 16 != 0)
    repairLibrary(bytes);
  return bytes;
}

#endif // MLIR_PROF_FUZZ_LIBRARYHASHES_H
