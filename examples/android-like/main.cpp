//===- main.cpp - Prints the keyword of a sound ---------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finder.h"

#include <algorithm>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <thread>

using Bytes = std::vector<std::int8_t>;

/// The numbers at the end of a file of NumPy.
static Bytes readSound(const char *path) {
  std::ifstream file(path, std::ios::binary);
  Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  std::size_t size = std::min(bytes.size(), Finder::getInputSize());
  return Bytes(bytes.end() - std::ptrdiff_t(size), bytes.end());
}

/// The scores from two threads that run the model at the same time.
static std::vector<Bytes> findTwice(const Bytes &sound) {
  std::vector<Bytes> scores(2);
  std::vector<std::exception_ptr> errors(2);
  auto find = [&](std::size_t number) {
    try {
      scores[number] = Finder().find(sound);
    } catch (...) {
      errors[number] = std::current_exception();
    }
  };
  std::thread first(find, 0), second(find, 1);
  first.join();
  second.join();
  for (const std::exception_ptr &error : errors)
    if (error)
      std::rethrow_exception(error);
  return scores;
}

int main(int count, char **arguments) {
  if (count != 2) {
    std::cerr << "usage: " << arguments[0] << " SOUND.npy\n";
    return 2;
  }
  try {
    for (const Bytes &scores : findTwice(readSound(arguments[1]))) {
      for (std::int8_t score : scores)
        std::cout << int(score) << ' ';
      std::cout << "keyword "
                << std::max_element(scores.begin(), scores.end()) -
                       scores.begin()
                << '\n';
    }
  } catch (const std::exception &error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
