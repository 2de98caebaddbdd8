//===- Finder.h - Finds keywords in sound -----------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FINDER_H
#define FINDER_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// Finds keywords. Each thread has one of its own.
class Finder {
public:
  Finder();

  /// Bytes of a sound.
  static std::size_t getInputSize();

  /// The scores of all keywords. Throws std::invalid_argument if `sound` does
  /// not have getInputSize() bytes, and std::runtime_error if the model does
  /// not run.
  std::vector<std::int8_t> find(const std::vector<std::int8_t> &sound);

private:
  struct Free {
    void operator()(void *memory) const;
  };

  /// The memory of the model, which callers of the model own.
  std::unique_ptr<void, Free> arena;
};

#endif // FINDER_H
