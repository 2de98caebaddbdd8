//===- ProfileFile.h - Reading and writing *.mlprof files -------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_PROFILE_PROFILEFILE_H
#define MLIR_PROF_PROFILE_PROFILEFILE_H

#include "mlir-prof/Profile/Profile.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace mlirprof::profile {

/// Whether `bytes` start like a *.mlprof file.
bool isProfileFile(llvm::StringRef bytes);
/// Whether `bytes` start like the JSON form of one.
bool isProfileJson(llvm::StringRef bytes);

/// Handling of the kept events of a file (Run::kept), which may take most of
/// the memory.
enum class StoredEvents : uint8_t {
  Load,
  /// Checks only the checksums of their sections. Profile::unknownSections
  /// lists these without their content, so such a profile cannot be written.
  LeaveOut,
};

/// Whether the events of the file were left out when it was read.
bool leavesOutEvents(const Profile &profile);
/// Whether the file has kept events, loaded or not.
bool hasKeptEvents(const Profile &profile);
/// Frees the kept events, as if they were left out when it was read.
void dropEvents(Profile &profile);

/// Reads a *.mlprof file of this major version. `where` names it in errors.
/// Checks magic, version, lengths, checksums and every index in it.
llvm::Expected<Profile> readProfile(llvm::StringRef bytes,
                                    llvm::StringRef where,
                                    StoredEvents events = StoredEvents::Load);
/// Writes the profile; readProfile restores it. The same profile always gives
/// the same bytes. Fails if one part (a module, a run) would need a section of
/// 2 GiB or more, and for a profile whose events were left out.
llvm::Error writeProfile(const Profile &profile, llvm::raw_ostream &os);

/// The JSON form (proto3 mapping of proto/profile.proto, 64-bit integers as
/// strings); it round-trips.
llvm::Expected<Profile> readProfileJson(llvm::StringRef bytes,
                                        llvm::StringRef where);
void writeProfileJson(const Profile &profile, llvm::raw_ostream &os);

/// `program` as bytes, which parseProgram reads; without fields added by newer
/// versions of the format.
std::string serializeProgram(const Program &program);
/// Checks every index in it, like readProfile.
llvm::Expected<Program> parseProgram(llvm::StringRef bytes);
/// contentHash() of all of `program` except its fingerprint.
std::string fingerprintProgram(const Program &program);

} // namespace mlirprof::profile

#endif // MLIR_PROF_PROFILE_PROFILEFILE_H
