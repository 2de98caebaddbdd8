//===- TestProfiles.h - Profiles for the tests ------------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_UNITTESTS_PROFILE_TESTPROFILES_H
#define MLIR_PROF_UNITTESTS_PROFILE_TESTPROFILES_H

#include "mlir-prof/Profile/Profile.h"

#include <random>
#include <string>
#include <vector>

using namespace mlirprof::profile;

namespace mlirprof::test {

/// A profile in which every field has a different value, checked in as
/// test/data/profiles/v1.7.mlprof. The files of older versions there were
/// written by the function as it was in that version.
Profile makeFixedProfile();

/// A profile of up to three runs; runs, names and op keys come from small
/// pools, so that two such profiles overlap. Equal hashes are equal runs.
Profile makeRandomProfile(std::mt19937_64 &random);

std::string toBytes(const Profile &profile);
std::string toJson(const Profile &profile);

/// One section of a file, read as described in docs/file-format.md.
struct RawSection {
  uint32_t type = 0;
  uint32_t codec = 0;
  uint32_t contentLength = 0;
  std::string payload;

  std::string getContent() const;
};
std::vector<RawSection> parseFile(llvm::StringRef bytes);
/// Builds a file of these sections, adding the end section.
std::string buildFile(llvm::ArrayRef<RawSection> sections, uint16_t major = 1,
                      uint16_t minor = 0);

} // namespace mlirprof::test

#endif // MLIR_PROF_UNITTESTS_PROFILE_TESTPROFILES_H
