//===- StoreTest.cpp - A folder of profiles -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestFolder.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace mlirprof;
using namespace mlirprof::serve;
using namespace mlirprof::test;

namespace {

using llvm::sys::fs::exists;

class StoreTest : public testing::Test {
protected:
  StoreTest() { reopen(); }

  void reopen() {
    store.reset();
    store = llvm::cantFail(Store::open(folder.getPath()));
  }

  /// A folder as prepareProfile() leaves it.
  ScratchFolder prepare(llvm::StringRef id) {
    ScratchFolder scratch = llvm::cantFail(store->makeScratch());
    const std::string &path = scratch.getPath();
    folder.write(path + "/profile.mlprof", "profile " + id.str());
    folder.write(path + "/profile.timeline", "timeline");
    folder.write(path + "/facts.json",
                 "{\"id\": \"" + id.str() +
                     "\", \"name\": \"run\", \"time_ps\": 12, \"events\": 3}");
    return scratch;
  }

  bool add(llvm::StringRef id, std::string label) {
    StoredProfile profile;
    profile.label = std::move(label);
    return llvm::cantFail(store->add(prepare(id).getPath(), profile));
  }

  StoredProfile find(llvm::StringRef id) {
    return llvm::cantFail(store->find(id)).value_or(StoredProfile());
  }

  TestFolder folder;
  std::unique_ptr<Store> store;
};

TEST_F(StoreTest, KeepsTheFirstOfTwoUploads) {
  EXPECT_TRUE(add("one", "first"));
  EXPECT_FALSE(add("one", "second"));
  reopen();
  StoredProfile found = find("one");
  EXPECT_EQ(found.label, "first");
  EXPECT_EQ(found.timePs, 12);
  EXPECT_EQ(found.events, 3u);
  EXPECT_EQ(found.bytes, 11u);
  EXPECT_TRUE(exists(store->getPath(found)));
  EXPECT_TRUE(exists(store->getTimelinePath("one")));
}

TEST_F(StoreTest, IsOpenedOnce) {
  auto again = Store::open(folder.getPath());
  ASSERT_FALSE(bool(again));
  EXPECT_NE(llvm::toString(again.takeError()).find("another process"),
            std::string::npos);
}

TEST_F(StoreTest, DoesNotReplaceProfilesByBadFiles) {
  add("one", "first");
  folder.write(folder.join("bad"), "text");
  StoredProfile bad;
  bad.id = "one";
  bad.error = "cannot be read";
  llvm::cantFail(store->quarantine(folder.join("bad"), bad));
  EXPECT_EQ(find("one").state, ProfileState::Ready);
  EXPECT_EQ(find("one").label, "first");

  bad = {};
  bad.id = "two";
  bad.error = "cannot be read";
  llvm::cantFail(store->quarantine(folder.join("bad"), bad));
  EXPECT_EQ(find("two").state, ProfileState::Quarantined);
  EXPECT_EQ(find("two").error, "cannot be read");
  // A later version can read it.
  std::string place = store->getPath(find("two"));
  EXPECT_TRUE(exists(place));
  EXPECT_TRUE(add("two", ""));
  EXPECT_EQ(find("two").state, ProfileState::Ready);
  EXPECT_FALSE(exists(place));
}

TEST_F(StoreTest, RemovesWhatHasNoEntry) {
  add("one", "");
  std::string unfinished = llvm::cantFail(store->makeScratch()).getPath();
  llvm::sys::fs::create_directory(unfinished);
  folder.write(folder.join("objects/two.timeline"), "left");
  folder.write(folder.join("quarantine/three"), "left");
  folder.write(folder.join("objects/four.mlprof"), "not yet listed");
  reopen();
  EXPECT_FALSE(exists(unfinished));
  EXPECT_FALSE(exists(folder.join("objects/two.timeline")));
  EXPECT_FALSE(exists(folder.join("quarantine/three")));
  EXPECT_TRUE(exists(store->getTimelinePath("one")));
  EXPECT_EQ(llvm::cantFail(store->findUnlisted()),
            (std::vector<std::string>{"objects/four.mlprof"}));
}

/// Registers run.mlprof of the folder with the content `id`.
void registerFile(Store &store, const ScratchFolder &prepared) {
  StoredProfile profile;
  llvm::cantFail(store.addInPlace("run.mlprof", prepared.getPath(), profile));
}

TEST_F(StoreTest, KeepsTheLabelOfATouchedFile) {
  std::string path = folder.join("run.mlprof");
  folder.write(path, "one");
  registerFile(*store, prepare("one"));
  ProfileChange change;
  change.label = "mine";
  llvm::cantFail(store->change("one", change));
  EXPECT_TRUE(llvm::cantFail(store->findUnlisted()).empty());

  int descriptor = 0;
  ASSERT_FALSE(llvm::sys::fs::openFileForReadWrite(
      path, descriptor, llvm::sys::fs::CD_OpenExisting,
      llvm::sys::fs::OF_None));
  auto time = std::chrono::system_clock::now() - std::chrono::hours(1);
  llvm::sys::fs::setLastAccessAndModificationTime(
      descriptor,
      std::chrono::time_point_cast<llvm::sys::TimePoint<>::duration>(time));
  llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  EXPECT_EQ(llvm::cantFail(store->findUnlisted()).size(), 1u);
  registerFile(*store, prepare("one"));
  EXPECT_EQ(find("one").label, "mine");
  EXPECT_TRUE(llvm::cantFail(store->findUnlisted()).empty());

  // Another content takes its place.
  registerFile(*store, prepare("two"));
  EXPECT_EQ(find("one").id, "");
  EXPECT_FALSE(exists(store->getTimelinePath("one")));
  EXPECT_EQ(find("two").file, "run.mlprof");
  llvm::cantFail(store->drop("run.mlprof"));
  EXPECT_EQ(find("two").id, "");
}

} // namespace
