//===- CompiledModelFuzzer.cpp - Fuzzing the reader of *.mprof ------------===//
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

#include "../runtime/src/ModelFile.h"

#include <algorithm>
#include <string>

/// Gives the file in `bytes` the hashes that its content asks for.
static void repair(std::string &bytes) {
  prof_model_footer footer;
  if (bytes.size() < sizeof footer)
    return;
  size_t end = bytes.size() - sizeof footer;
  memcpy(&footer, &bytes[end], sizeof footer);
  memcpy(footer.magic, PROF_MODEL_MAGIC, sizeof footer.magic);
  footer.sections =
      std::min<uint64_t>(footer.sections, end / sizeof(prof_model_section));
  size_t begin = end - footer.sections * sizeof(prof_model_section);
  footer.directory_offset = begin;
  for (size_t at = begin; at != end; at += sizeof(prof_model_section)) {
    prof_model_section section;
    memcpy(&section, &bytes[at], sizeof section);
    if (section.offset <= begin && section.size <= begin - section.offset)
      section.hash = prof_model_hash(&bytes[section.offset], section.size);
    memcpy(&bytes[at], &section, sizeof section);
  }
  uint64_t size = footer.library_bytes, from = footer.constants_begin,
           to = footer.constants_end;
  if (size <= begin && from <= to && to <= size)
    footer.library_hash = prof_model_hash_more(
        prof_model_hash(bytes.data(), from), bytes.data() + to, size - to);
  footer.hash =
      prof_model_hash_more(prof_model_hash(&bytes[begin], end - begin), &footer,
                           offsetof(prof_model_footer, hash));
  memcpy(&bytes[end], &footer, sizeof footer);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string bytes(reinterpret_cast<const char *>(data), size);
  if (size != 0 && data[size / 2] % 16 != 0)
    repair(bytes);
  char error[PROF_MODEL_TEXT];
  pmd_file file;
  if (!pmd_parse_file(bytes.data(), bytes.size(), "model", &file, error))
    return 0;
  uint64_t sum = 0;
  for (uint32_t offset = 0; offset < 4096; offset += 61) {
    uint32_t length = 0;
    const char *text = pmd_find_place(&file, offset, offset % 5, &length);
    for (uint32_t at = 0; text && at < length; ++at)
      sum += uint8_t(text[at]);
  }
  for (uint32_t index = 0; index < file.argument_count; ++index)
    for (uint32_t dim = 0; dim < file.arguments[index].rank; ++dim)
      sum += uint64_t(file.arguments[index].dims[dim]);
  pmd_free_file(&file);
  // Keeps the reads.
  volatile uint64_t sink = sum;
  (void)sink;
  return 0;
}
