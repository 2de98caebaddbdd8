//===- Finder.cpp - Finds keywords in sound -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finder.h"
#include "keyword.h"

#include <cstdlib>
#include <new>
#include <stdexcept>

void Finder::Free::operator()(void *memory) const { std::free(memory); }

Finder::Finder() {
  void *memory = nullptr;
  if (posix_memalign(&memory, KEYWORD_ARENA_ALIGNMENT, KEYWORD_ARENA_BYTES))
    throw std::bad_alloc();
  arena.reset(memory);
}

std::size_t Finder::getInputSize() { return KEYWORD_ARGUMENT0_BYTES; }

std::vector<std::int8_t> Finder::find(const std::vector<std::int8_t> &sound) {
  if (sound.size() != getInputSize())
    throw std::invalid_argument("the sound does not have as many bytes as the "
                                "model takes");
  std::vector<std::int8_t> scores(KEYWORD_RESULT0_BYTES);
  std::int32_t code = keyword_run(sound.data(), scores.data(), arena.get(),
                                  KEYWORD_ARENA_BYTES);
  if (code != KEYWORD_OK)
    throw std::runtime_error(keyword_describe(code));
  return scores;
}
