//===- LevelNamesTest.cpp - Renamed levels --------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestProfiles.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/File.h"
#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;

/// A profile as written by an older version: a level, a key, a module, values
/// and work of a program whose level is called `level`.
static Profile makeProfile(llvm::StringRef level, std::string fingerprint) {
  Profile profile;
  Program &program = profile.programs.emplace_back();
  program.levels = {"input", level.str(), "llvm"};
  program.strings = {"", "func.func"};
  ProgramNode node;
  node.kind = NodeKind::Function;
  node.op = 1;
  program.nodes = {node};
  program.instructions = {{0, kNone, 0, kNone}};
  program.fingerprint =
      fingerprint.empty() ? fingerprintProgram(program) : fingerprint;
  profile.opKeys = {OpKey("main+0x0", "", CodeKey{program.fingerprint, 0})};
  IrModule module;
  module.level = level.str();
  module.bytecode = "MLIR";
  module.fingerprint = contentHash(module.bytecode);
  module.operations = 1;
  module.program = program.fingerprint;
  profile.irModules = {module};
  Run &run = profile.runs.emplace_back();
  run.hash = "00112233445566778899aabbccddeeff";
  ValueTable values;
  values.program = program.fingerprint;
  values.node = 0;
  values.names = {"x"};
  run.values = {values};
  NodeWork work;
  work.program = program.fingerprint;
  work.node = 0;
  run.work = {work};
  return profile;
}

static std::string toBytes(const Profile &profile) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::cantFail(writeProfile(profile, os));
  return bytes;
}

static std::string toJson(const Profile &profile) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeProfileJson(profile, os);
  return text;
}

/// The profile, written again; or the error.
static std::string rewrite(llvm::Expected<Profile> profile) {
  return profile ? toBytes(*profile) : llvm::toString(profile.takeError());
}

TEST(LevelNamesTest, AreThoseOfToday) {
  std::string today = toBytes(makeProfile("bufferized", ""));
  EXPECT_EQ(rewrite(readProfile(today, "new")), today);
  Profile old = makeProfile("bufferised", "");
  EXPECT_EQ(rewrite(readProfile(toBytes(old), "old")), today);
  EXPECT_EQ(rewrite(readProfileJson(toJson(old), "old")), today);
}

TEST(LevelNamesTest, OtherFingerprintsStay) {
  std::string today = toBytes(makeProfile("bufferized", "p1"));
  Profile old = makeProfile("bufferised", "p1");
  EXPECT_EQ(rewrite(readProfile(toBytes(old), "old")), today);
}

TEST(LevelNamesTest, ProgramsWithBothNamesStay) {
  Profile both = makeProfile("bufferised", "p1");
  both.programs[0].levels.push_back("bufferized");
  std::string bytes = toBytes(both);
  EXPECT_EQ(rewrite(readProfile(bytes, "both")), bytes);
}
