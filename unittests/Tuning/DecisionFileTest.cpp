//===- DecisionFileTest.cpp - Saving decisions with other writers ---------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Tuning/DecisionFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;
using namespace mlirprof::tuning;

namespace {

/// A separate folder for each test.
class DecisionFileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("decisions", folder));
    path = (folder + "/decisions.db").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string read(llvm::StringRef file) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
  void write(llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << text;
    ASSERT_FALSE(code);
  }

  llvm::SmallString<128> folder;
  std::string path;
};

Decision makeDecision(unsigned writer, unsigned number) {
  Decision decision;
  std::string hash = llvm::formatv("{0:x-16}{1:x-16}", writer, number);
  decision.key.signature = {hash, hash, ""};
  decision.key.machine = "m";
  decision.key.technique = "t";
  decision.whenMs = number;
  return decision;
}

TEST_F(DecisionFileTest, SavesAndLoads) {
  DecisionDatabase database = llvm::cantFail(DecisionFile(path).load());
  EXPECT_TRUE(database.getDecisions().empty());
  llvm::cantFail(database.decide(makeDecision(1, 1)));
  EXPECT_EQ(llvm::cantFail(DecisionFile(path).save(database)).merged, 0u);
  std::string text = read(path);
  DecisionDatabase again = llvm::cantFail(DecisionFile(path).load());
  EXPECT_EQ(again.getDecisions().size(), 1u);
  llvm::cantFail(DecisionFile(path).save(again));
  EXPECT_EQ(read(path), text);
}

TEST_F(DecisionFileTest, MergesWithWhatIsThere) {
  DecisionDatabase one = llvm::cantFail(DecisionFile(path).load());
  DecisionDatabase two = llvm::cantFail(DecisionFile(path).load());
  llvm::cantFail(one.decide(makeDecision(1, 1)));
  llvm::cantFail(two.decide(makeDecision(2, 1)));
  llvm::cantFail(DecisionFile(path).save(one));
  EXPECT_EQ(llvm::cantFail(DecisionFile(path).save(two)).merged, 1u);
  EXPECT_EQ(two.getDecisions().size(), 2u);
  EXPECT_EQ(llvm::cantFail(DecisionFile(path).load()).getDecisions().size(),
            2u);
}

TEST_F(DecisionFileTest, ManyProcessesLoseNothing) {
  constexpr unsigned kWriters = 4, kEach = 25;
  std::vector<pid_t> children;
  for (unsigned writer = 0; writer != kWriters; ++writer) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // The databases do not know of the others: only the file does.
      for (unsigned number = 0; number != kEach; ++number) {
        DecisionDatabase database;
        llvm::cantFail(database.decide(makeDecision(writer, number)));
        SaveOptions options;
        options.lockSeconds = 300;
        llvm::cantFail(DecisionFile(path).save(database, options));
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  DecisionDatabase all = llvm::cantFail(DecisionFile(path).load());
  EXPECT_EQ(all.getDecisions().size(), kWriters * kEach);
}

TEST_F(DecisionFileTest, ADeadHolderHoldsNothing) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int file = open((path + ".lock").c_str(), O_RDWR | O_CREAT, 0666);
    flock(file, LOCK_EX);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  DecisionDatabase database;
  llvm::cantFail(database.decide(makeDecision(1, 1)));
  SaveOptions options;
  options.lockSeconds = 0;
  llvm::cantFail(DecisionFile(path).save(database, options));
}

TEST_F(DecisionFileTest, ABusyFileIsAnError) {
  int file = open((path + ".lock").c_str(), O_RDWR | O_CREAT, 0666);
  ASSERT_EQ(flock(file, LOCK_EX), 0);
  DecisionDatabase database;
  SaveOptions options;
  options.lockSeconds = 0;
  llvm::Expected<SaveReport> report =
      DecisionFile(path).save(database, options);
  ASSERT_FALSE(report);
  EXPECT_NE(llvm::toString(report.takeError())
                .find("another process is saving to it"),
            std::string::npos);
  close(file);
}

TEST_F(DecisionFileTest, ReadOnly) {
  DecisionDatabase database;
  llvm::cantFail(database.decide(makeDecision(1, 1)));
  llvm::cantFail(DecisionFile(path).save(database));
  llvm::cantFail(DecisionFile(path).checkWritable());
  std::string text = read(path);
  ASSERT_FALSE(llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_read));
  // Known before there is anything to save.
  llvm::Error early = DecisionFile(path).checkWritable();
  EXPECT_TRUE(early.isA<ReadOnlyError>());
  llvm::consumeError(std::move(early));
  DecisionDatabase more = llvm::cantFail(DecisionFile(path).load());
  llvm::cantFail(more.decide(makeDecision(1, 2)));
  llvm::Expected<SaveReport> report = DecisionFile(path).save(more);
  ASSERT_FALSE(report);
  EXPECT_TRUE(report.errorIsA<ReadOnlyError>());
  // It is also an InputError, with the error and a hint.
  bool handled = false;
  llvm::handleAllErrors(report.takeError(), [&](const InputError &error) {
    handled = true;
    EXPECT_EQ(error.getWhere(), path);
    EXPECT_EQ(error.getWhat(), "cannot be written: it is read-only");
    EXPECT_FALSE(error.getHint().empty());
  });
  EXPECT_TRUE(handled);
  EXPECT_EQ(read(path), text);
}

TEST_F(DecisionFileTest, NeverWritesOverWhatItCannotRead) {
  for (const char *text :
       {"", "damaged", "{\"format\": \"mlir-prof.decisions/9\"}"}) {
    write(text);
    DecisionDatabase database;
    llvm::cantFail(database.decide(makeDecision(1, 1)));
    llvm::Expected<SaveReport> report = DecisionFile(path).save(database);
    EXPECT_FALSE(report);
    llvm::consumeError(report.takeError());
    llvm::Expected<DecisionDatabase> loaded = DecisionFile(path).load();
    EXPECT_FALSE(loaded);
    llvm::consumeError(loaded.takeError());
    EXPECT_EQ(read(path), text);
  }
}

TEST_F(DecisionFileTest, BadPaths) {
  DecisionDatabase database;
  for (std::string bad :
       {(folder + "/none/decisions.db").str(), folder.str().str()}) {
    llvm::Expected<SaveReport> report = DecisionFile(bad).save(database);
    EXPECT_FALSE(report);
    EXPECT_FALSE(report.errorIsA<ReadOnlyError>());
    llvm::consumeError(report.takeError());
  }
}

TEST_F(DecisionFileTest, LinksLeadToOneLock) {
  DecisionDatabase database;
  llvm::cantFail(database.decide(makeDecision(1, 1)));
  llvm::cantFail(DecisionFile(path).save(database));
  std::string link = (folder + "/link.db").str();
  ASSERT_FALSE(llvm::sys::fs::create_link(path, link));
  llvm::cantFail(database.decide(makeDecision(1, 2)));
  llvm::cantFail(DecisionFile(link).save(database));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(link));
  EXPECT_FALSE(llvm::sys::fs::exists(link + ".lock"));
  EXPECT_EQ(llvm::cantFail(DecisionFile(path).load()).getDecisions().size(),
            2u);
}

TEST_F(DecisionFileTest, KeepsTheNewestObservations) {
  DecisionDatabase database;
  Observation observation;
  observation.key = makeDecision(1, 1).key;
  for (unsigned i = 0; i != 20; ++i) {
    observation.whenMs = i;
    llvm::cantFail(database.observe(observation));
  }
  observation.choice = {{"a", "b"}};
  llvm::cantFail(database.observe(observation));
  SaveReport report = llvm::cantFail(DecisionFile(path).save(database));
  EXPECT_EQ(report.dropped, 4u);
  DecisionDatabase again = llvm::cantFail(DecisionFile(path).load());
  EXPECT_EQ(again.getObservations().size(), 17u);
  EXPECT_EQ(again.getObservations().begin()->whenMs, 4);
}

} // namespace
