//===- FileTest.cpp - Reading and writing whole files ---------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Support/File.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/Pages.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "gtest/gtest.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlirprof;

namespace {

class FileTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("mlir-prof", folder));
  }
  void TearDown() override {
    llvm::sys::fs::setPermissions(folder, llvm::sys::fs::all_all);
    llvm::sys::fs::remove_directories(folder);
  }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> result(folder);
    llvm::sys::path::append(result, name);
    return result.str().str();
  }
  std::string read(llvm::StringRef file) {
    auto buffer = openInput(file);
    if (buffer)
      return (*buffer)->getBuffer().str();
    return "error: " + llvm::toString(buffer.takeError());
  }
  /// Files in the folder, whatever their names.
  unsigned countFiles() {
    unsigned count = 0;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(folder, code), end;
         it != end && !code; it.increment(code))
      ++count;
    return count;
  }
  static llvm::Error writeText(llvm::raw_ostream &os) {
    os << "new text";
    return llvm::Error::success();
  }

  llvm::SmallString<128> folder;
};

TEST_F(FileTest, WritesAndReads) {
  EXPECT_FALSE(bool(writeOutput(path("a"), writeText)));
  EXPECT_EQ(read(path("a")), "new text");
  EXPECT_EQ(countFiles(), 1u);
  EXPECT_FALSE(bool(writeOutput(path("a"), [](llvm::raw_ostream &os) {
    os << "other";
    return llvm::Error::success();
  })));
  EXPECT_EQ(read(path("a")), "other");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(FileTest, LeavesNothingWhenWritingFails) {
  auto fail = [](llvm::raw_ostream &os) {
    os << "half a file";
    return inputError("input", "is broken");
  };
  llvm::Error error = writeOutput(path("new"), fail);
  EXPECT_EQ(llvm::toString(std::move(error)), "input: is broken");
  EXPECT_EQ(countFiles(), 0u);

  // Existing content stays.
  EXPECT_FALSE(bool(writeOutput(path("old"), writeText)));
  llvm::consumeError(writeOutput(path("old"), fail));
  EXPECT_EQ(read(path("old")), "new text");
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(FileTest, SaysWhereItCannotWrite) {
  std::string missing = path("no/such/folder/file");
  std::string error = llvm::toString(writeOutput(missing, writeText));
  EXPECT_TRUE(llvm::StringRef(error).starts_with(missing + ": cannot be"))
      << error;
  EXPECT_NE(error.find("hint: "), std::string::npos);
  error = llvm::toString(writeOutput(folder, writeText));
  EXPECT_NE(error.find("it is a folder\n  hint: Name a file"),
            std::string::npos)
      << error;
  EXPECT_EQ(countFiles(), 0u);
}

TEST_F(FileTest, WritesToDevices) {
  EXPECT_FALSE(bool(writeOutput("/dev/null", writeText)));
  EXPECT_TRUE(llvm::sys::fs::exists("/dev/null"));
  // A device that rejects all data.
  std::string error = llvm::toString(writeOutput("/dev/full", writeText));
  EXPECT_NE(error.find("/dev/full: cannot be written"), std::string::npos)
      << error;
}

TEST_F(FileTest, ReportsWhatFailsOnDevices) {
  // Enough to reach the device before the callback ends, which then fails too.
  std::string error =
      llvm::toString(writeOutput("/dev/full", [](llvm::raw_ostream &os) {
        os << std::string(1 << 20, 'x');
        return inputError("input", "is broken");
      }));
  EXPECT_EQ(error, "input: is broken");
  ASSERT_FALSE(llvm::sys::fs::create_link("/dev/full", path("link")));
  error = llvm::toString(writeOutput(path("link"), writeText));
  EXPECT_NE(error.find("cannot be written"), std::string::npos) << error;
  EXPECT_EQ(countFiles(), 1u);
}

TEST_F(FileTest, WritesThroughLinks) {
  llvm::sys::fs::create_directory(path("folder"));
  EXPECT_FALSE(bool(writeOutput(path("folder/file"), [](auto &os) {
    os << "old text";
    return llvm::Error::success();
  })));
  // A relative link to a link.
  ASSERT_FALSE(llvm::sys::fs::create_link("file", path("folder/inner")));
  ASSERT_FALSE(llvm::sys::fs::create_link("folder/inner", path("outer")));
  EXPECT_FALSE(bool(writeOutput(path("outer"), writeText)));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("outer")));
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(path("folder/inner")));
  EXPECT_EQ(read(path("folder/file")), "new text");
  EXPECT_EQ(countFiles(), 2u);

  // The file need not exist yet; a cycle does not have a target.
  ASSERT_FALSE(llvm::sys::fs::create_link("folder/new", path("dangling")));
  EXPECT_FALSE(bool(writeOutput(path("dangling"), writeText)));
  EXPECT_EQ(read(path("folder/new")), "new text");
  ASSERT_FALSE(llvm::sys::fs::create_link("circle", path("circle")));
  llvm::consumeError(writeOutput(path("circle"), writeText));
  EXPECT_EQ(countFiles(), 4u);
}

TEST_F(FileTest, ReadsOnWhereAFileShrinks) {
  // Large enough to be mapped, and not a multiple of a page.
  constexpr size_t kSize = (1 << 20) + 100;
  std::string file = path("shrinks");
  ASSERT_FALSE(bool(writeOutput(file, [](llvm::raw_ostream &os) {
    os << std::string(kSize, 'x');
    return llvm::Error::success();
  })));
  for (size_t left : {size_t(5000), size_t(4096), size_t(0)}) {
    ASSERT_EQ(truncate(file.c_str(), kSize), 0);
    auto buffer = openInput(file);
    ASSERT_TRUE(bool(buffer));
    EXPECT_EQ(getBacking(**buffer), Backing::MappedFile);
    ASSERT_FALSE(bool(checkUnchanged(**buffer)));
    ASSERT_EQ(truncate(file.c_str(), off_t(left)), 0);
    llvm::StringRef bytes = (*buffer)->getBuffer();
    EXPECT_EQ(bytes.size(), kSize);
    // In a page of which the file still has a part, the rest is also zeros.
    EXPECT_EQ(bytes.find_first_not_of('\0', left), llvm::StringRef::npos);
    std::string error = llvm::toString(checkUnchanged(**buffer));
    EXPECT_EQ(error.find(file + ": changed while it was read"), 0u) << error;
    auto result = unlessChanged<int>(**buffer, 7);
    EXPECT_FALSE(bool(result));
    llvm::consumeError(result.takeError());
  }
}

/// Bytes of mapped files in the memory of this process.
static uint64_t getFileBytes() {
  auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status");
  llvm::StringRef rest = (*status)->getBuffer().split("RssFile:").second;
  uint64_t kilobytes = 0;
  rest.ltrim().consumeInteger(10, kilobytes);
  return kilobytes << 10;
}

TEST_F(FileTest, ReleasesPagesOfMappedFilesOnly) {
  constexpr size_t kSize = size_t(8) << 20;
  std::string file = path("large"), content(kSize, 'x');
  ASSERT_FALSE(bool(writeOutput(file, [&](llvm::raw_ostream &os) {
    os << content;
    return llvm::Error::success();
  })));
  auto buffer = openInput(file);
  ASSERT_TRUE(bool(buffer));
  llvm::StringRef bytes = (*buffer)->getBuffer();
  EXPECT_EQ(bytes, content);
  uint64_t before = getFileBytes();
  releaseRead(bytes);
  EXPECT_LE(getFileBytes() + kSize * 3 / 4, before);
  EXPECT_EQ(bytes, content);
  // Memory that is not a file's keeps its content.
  releaseRead(content);
  EXPECT_EQ(bytes, content);
}

TEST_F(FileTest, TellsWhatHasChanged) {
  std::string file = path("file");
  auto write = [&](size_t size) {
    ASSERT_FALSE(bool(writeOutput(file, [&](llvm::raw_ostream &os) {
      os << std::string(size, 'x');
      return llvm::Error::success();
    })));
  };
  auto append = [&](llvm::StringRef text) {
    std::error_code code;
    llvm::raw_fd_ostream os(file, code, llvm::sys::fs::OF_Append);
    os << text;
  };
  for (size_t size : {size_t(10), size_t(1) << 16}) {
    write(size);
    auto buffer = openInput(file);
    ASSERT_TRUE(bool(buffer));
    append("more");
    EXPECT_TRUE(bool(checkUnchanged(**buffer))) << size;
    // A new file of that name does not change the old one, which still exists
    // for its reader; nor is its end.
    buffer = openInput(file);
    ASSERT_TRUE(bool(buffer));
    write(5);
    EXPECT_FALSE(bool(checkUnchanged(**buffer))) << size;
    llvm::sys::fs::remove(file);
    EXPECT_FALSE(bool(checkUnchanged(**buffer))) << size;
    EXPECT_EQ((*buffer)->getBuffer(), std::string(size, 'x') + "more");
  }
  EXPECT_FALSE(bool(checkUnchanged(
      *llvm::MemoryBuffer::getMemBuffer("not a file", "not a file"))));
}

TEST_F(FileTest, LeavesNothingWhenItsProcessIsKilled) {
  for (const char *name : {"new", "old"}) {
    if (llvm::StringRef(name) == "old")
      ASSERT_FALSE(bool(writeOutput(path(name), [](llvm::raw_ostream &os) {
        os << "old text";
        return llvm::Error::success();
      })));
    pid_t child = fork();
    if (child == 0) {
      llvm::consumeError(writeOutput(path(name), [](llvm::raw_ostream &os) {
        os << std::string(1 << 20, 'x');
        os.flush();
        raise(SIGKILL);
        return llvm::Error::success();
      }));
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status));
  }
  EXPECT_EQ(countFiles(), 1u);
  EXPECT_EQ(read(path("old")), "old text");
}

TEST_F(FileTest, RefusesWhatCannotBeRead) {
  EXPECT_NE(read(path("missing")).find("cannot be read"), std::string::npos);
  EXPECT_NE(read(folder).find("is a folder"), std::string::npos);
  EXPECT_NE(read("/dev/zero").find("is a device"), std::string::npos);
  EXPECT_FALSE(bool(writeOutput(path("empty"), [](llvm::raw_ostream &) {
    return llvm::Error::success();
  })));
  EXPECT_NE(read(path("empty")).find("is empty"), std::string::npos);
}

TEST(ContentHash, IsXxh3Of128Bits) {
  // Values of XXH3_128bits in libxxhash 0.8.1, high half first.
  EXPECT_EQ(contentHash(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_EQ(contentHash("abc"), "06b05ab6733a618578af5f94892f3950");
}

} // namespace
