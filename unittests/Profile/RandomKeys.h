//===- RandomKeys.h - Op keys of every kind ---------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_PROFILE_RANDOMKEYS_H
#define MLIR_PROF_UNITTESTS_PROFILE_RANDOMKEYS_H

#include "mlir-prof/Profile/OpKey.h"

#include <random>

namespace mlirprof::test {

inline constexpr size_t kKinds = std::variant_size_v<profile::KeyDetails>;

/// A key of kind number `kind` without anything in it.
profile::OpKey makeEmptyKey(size_t kind);

/// Makes keys with everything that their kinds may have, from texts that JSON
/// must escape.
class KeyMaker {
public:
  explicit KeyMaker(uint64_t seed) : random(seed) {}

  /// A key of the kind of `sample`.
  profile::OpKey make(const profile::OpKey &sample);

private:
  std::string makeText();
  std::optional<std::string> makeMaybeText();
  std::vector<std::string> makeList();
  profile::InputShapes makeShapes();
  profile::NodeOrigins makeOrigins();

  void fill(profile::HloInstructionKey &key);
  void fill(profile::GraphNodeKey &key);
  void fill(profile::CodeKey &key);
  void fill(profile::ProbeKey &key);
  void fill(profile::OutsideKey &key);
  void fill(profile::FrameworkCallKey &key);
  void fill(profile::OnnxNodeKey &key);
  void fill(profile::DispatchKey &key);
  void fill(profile::SourceLineKey &key);
  void fill(profile::UnknownKey &key);

  std::mt19937_64 random;
};

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_PROFILE_RANDOMKEYS_H
