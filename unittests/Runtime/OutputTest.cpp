//===- OutputTest.cpp - Files, exits and forks ----------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawReader.h"
#include "TestModule.h"
#include "gtest/gtest.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace {

constexpr uint32_t kNoParent = PROF_RT_NO_PARENT;

class Output : public testing::Test {
protected:
  void SetUp() override {
    char pattern[] = "/tmp/prof_rt.XXXXXX";
    ASSERT_NE(mkdtemp(pattern), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    unsetenv("MLIR_PROF_FILE");
    fs::remove_all(folder);
  }
  std::string at(const char *name) const { return (folder / name).string(); }
  size_t countFiles() const {
    return size_t(std::distance(fs::directory_iterator(folder), {}));
  }
  /// Runs `act` in a forked child, which then exits; its exit status.
  template <typename Act>
  int inChild(Act act) {
    pid_t child = fork();
    if (child == 0) {
      act();
      exit(0);
    }
    lastChild = child;
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  fs::path folder;
  pid_t lastChild = 0;
};

TEST_F(Output, IsTheSerializedProfile) {
  TestModule module("written", {kNoParent});
  runProbe(module, 0, 12);
  ASSERT_EQ(prof_rt_write(at("a.raw").c_str()), 0);
  RawFile file = readRaw(readFile(at("a.raw")));
  EXPECT_EQ(file.find("written").ticks(0), 12);
  EXPECT_EQ(file.clock.process, uint64_t(getpid()));
  EXPECT_GT(file.clock.end_ticks, file.clock.start_ticks);
  EXPECT_GT(file.clock.end_ns, file.clock.start_ns);
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(Output, ReportsWhatIsWrong) {
  EXPECT_EQ(prof_rt_write(nullptr), EINVAL);
  EXPECT_EQ(prof_rt_write(""), EINVAL);
  EXPECT_EQ(prof_rt_write(at("none/a.raw").c_str()), ENOENT);
  EXPECT_EQ(prof_rt_write(folder.c_str()), EISDIR);
  EXPECT_EQ(prof_rt_write("/dev/full"), ENOSPC);
  EXPECT_EQ(prof_rt_write("/dev/null"), 0);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_EQ(countFiles(), 0u);
}

TEST_F(Output, IsWholeOrNotAtAll) {
  std::ofstream(at("a.raw")) << "before";
  int status = inChild([&] {
    // The limit also holds for what a sanitizer says, if that is a file.
    int quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, STDOUT_FILENO);
    dup2(quiet, STDERR_FILENO);
    struct rlimit limit = {64, 64};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(prof_rt_write(at("a.raw").c_str()) == EFBIG ? 7 : 1);
  });
  EXPECT_EQ(status, 7);
  EXPECT_EQ(readFile(at("a.raw")), "before");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(Output, OfAPipeWithoutAReader) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  // More than the pipe holds.
  std::vector<uint32_t> parents(20000, kNoParent);
  TestModule module("large", parents);
  int status = inChild([&] {
    for (uint32_t probe = 0; probe < parents.size(); ++probe)
      runProbe(module, probe, 1);
    signal(SIGPIPE, SIG_DFL);
    pid_t reader = fork();
    if (!reader) {
      close(open(at("pipe").c_str(), O_RDONLY));
      _exit(0);
    }
    int error = prof_rt_write(at("pipe").c_str());
    waitpid(reader, nullptr, 0);
    sigset_t pending;
    sigpending(&pending);
    _exit(error == EPIPE && !sigismember(&pending, SIGPIPE) ? 7 : 1);
  });
  EXPECT_EQ(status, 7);
}

TEST_F(Output, KeepsLinksAndPermissions) {
  std::ofstream(at("a.raw")) << "before";
  fs::permissions(at("a.raw"), fs::perms(0600));
  fs::create_symlink("a.raw", at("link"));
  ASSERT_EQ(prof_rt_write(at("link").c_str()), 0);
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(readFile(at("a.raw")).substr(1, 6), "MLPRAW");
  EXPECT_EQ(fs::status(at("a.raw")).permissions(), fs::perms(0600));
}

TEST_F(Output, OfAChildIsItsOwn) {
  TestModule module("forked", {kNoParent}, {1});
  runProbe(module, 0, 100);
  observeInline(module, 0, {1});
  setenv("MLIR_PROF_FILE", at("a.raw").c_str(), 1);
  EXPECT_EQ(inChild([&] { runProbe(module, 0, 5); }), 0);
  ASSERT_EQ(countFiles(), 1u);
  std::string own = at("a.raw") + "." + std::to_string(lastChild);
  RawFile file = readRaw(readFile(own));
  EXPECT_EQ(file.find("forked").count(0), 1u);
  EXPECT_EQ(file.find("forked").ticks(0), 5);
  EXPECT_TRUE(file.find("forked").values.empty());
  EXPECT_EQ(readNow().find("forked").ticks(0), 100);
}

TEST_F(Output, OfAChildMayBeValuesOnly) {
  TestModule module("child's values", {kNoParent}, {1, 1});
  runProbe(module, 0, 1);
  setenv("MLIR_PROF_FILE", at("%p.raw").c_str(), 1);
  int64_t tuple = 7;
  EXPECT_EQ(inChild([&] { prof_rt_value(&module.module, 0, 1, &tuple); }), 0);
  std::string own = at((std::to_string(lastChild) + ".raw").c_str());
  RawFile file = readRaw(readFile(own));
  EXPECT_EQ(file.find("child's values").values.at(0).at({7}), 1u);
  // The content of a cell counts too.
  EXPECT_EQ(inChild([&] { observeInline(module, 1, {0}); }), 0);
  own = at((std::to_string(lastChild) + ".raw").c_str());
  file = readRaw(readFile(own));
  EXPECT_EQ(file.find("child's values").values.at(1).at({0}), 1u);
}

TEST_F(Output, IsNamedByTheProcess) {
  TestModule module("named", {kNoParent});
  prof_rt_base(&module.module);
  setenv("MLIR_PROF_FILE", at("%p.raw").c_str(), 1);
  EXPECT_EQ(inChild([&] { runProbe(module, 0, 5); }), 0);
  RawFile file =
      readRaw(readFile(at((std::to_string(lastChild) + ".raw").c_str())));
  EXPECT_EQ(file.find("named").count(0), 1u);
}

TEST_F(Output, OfAChildThatMeasuredNothingIsNone) {
  TestModule module("idle", {kNoParent});
  runProbe(module, 0, 1);
  setenv("MLIR_PROF_FILE", at("a.raw").c_str(), 1);
  EXPECT_EQ(inChild([] {}), 0);
  EXPECT_EQ(countFiles(), 0u);
}

TEST_F(Output, SurvivesTheEndOfMemory) {
  int status = inChild([] {
    // The runtime is responsible for aligning the given memory.
    static char memory[40001];
    prof_rt_use_memory(memory + 1, sizeof memory - 1);
    TestModule small("small", {kNoParent});
    runProbe(small, 0, 1);
    std::vector<uint32_t> parents(1000, kNoParent);
    TestModule large("large", parents);
    runProbe(large, 999, 1);
    RawFile file = readNow();
    bool good = file.find("small").count(0) == 1 &&
                file.losses[PROF_RAW_LOSS_BLOCK] == 1 &&
                file.losses[PROF_RAW_LOSS_MODULE] == 1;
    _exit(good ? 7 : 1);
  });
  EXPECT_EQ(status, 7);
}

} // namespace
