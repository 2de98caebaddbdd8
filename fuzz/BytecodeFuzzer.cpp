//===- BytecodeFuzzer.cpp - Fuzzes the host side as bytecode --------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytecode that the check accepts runs on memory of exactly the sizes that it
// states, without errors.
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Runtime/prof_bytecode.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

static void run(void *const *bindings, const int64_t *, uint32_t, uint32_t,
                uint32_t) {
  [[maybe_unused]] static volatile uintptr_t seen;
  seen = uintptr_t(bindings[0]) ^ uintptr_t(bindings[1]);
}

namespace {
/// Reads the header of bytecode that was checked.
struct Header {
  explicit Header(const uint8_t *code) : at(code + 4) {
    arena = read();
    state = read();
    for (uint64_t count = read(); count != 0; --count)
      sizes.push_back(read() / 2);
    for (uint64_t count = read(); count != 0; --count)
      sizes.push_back(read());
    if (state)
      sizes.push_back(state);
    sizes.push_back(arena);
  }

  uint64_t read() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      value |= uint64_t(*at & 127) << shift;
      if (*at++ < 128)
        return value;
    }
  }

  const uint8_t *at;
  uint64_t arena, state;
  std::vector<uint64_t> sizes;
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // In memory of exactly that size.
  std::unique_ptr<uint8_t[]> code(new uint8_t[size]);
  if (size)
    std::memcpy(code.get(), data, size);
  prof_bytecode_kernel *const kernels[] = {run, run};
  const prof_bytecode_signature signatures[] = {{2, 1}, {3, 0}};
  const std::unique_ptr<char[]> constant(new char[16]());
  const void *const constants[] = {constant.get()};
  const uint32_t constantBytes[] = {16};
  prof_bytecode_program program = {
      code.get(),    kernels,        signatures, constants,
      constantBytes, uint32_t(size), 2,          1};
  if (prof_bytecode_check(&program) != PROF_BYTECODE_GOOD)
    return 0;
  Header header(code.get());
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<void *> bindings;
  for (uint64_t bytes : header.sizes) {
    if (bytes > 1 << 16)
      return 0;
    memory.emplace_back(new char[bytes]());
    bindings.push_back(memory.back().get());
  }
  int error = prof_bytecode_run(&program, bindings.data());
  if (error != PROF_BYTECODE_GOOD && error != PROF_BYTECODE_TOO_LONG)
    std::abort();
  return 0;
}
