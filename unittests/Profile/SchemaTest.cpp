//===- SchemaTest.cpp - Code, published schema, released files ------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestJobs.h"
#include "TestProfiles.h"
#include "mlir-prof/Profile/KeyOrder.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Scope/Recording.h"
#include "mlir-prof/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include "gtest/gtest.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::test;
using namespace mlirprof::trace;

namespace {

/// A file that is deleted when the test ends.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef content = "") {
    int descriptor = -1;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("mlir-prof", "tmp",
                                                    descriptor, path));
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << content;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(path); }

  llvm::StringRef getPath() const { return path; }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

private:
  llvm::SmallString<128> path;
};

/// Runs protoc with `mode`, input to output.
std::string runProtoc(llvm::StringRef mode, llvm::StringRef input) {
  llvm::ErrorOr<std::string> protoc = llvm::sys::findProgramByName("protoc");
  if (!protoc) {
    ADD_FAILURE() << "protoc is missing (package protobuf-compiler)";
    return "";
  }
  std::string folder = MLIRPROF_TEST_DIR "/../proto";
  std::string message = (mode + "=mlirprof.Profile").str();
  std::string path = "-I" + folder, schema = folder + "/profile.proto";
  llvm::StringRef arguments[] = {*protoc, message, path, schema};
  TemporaryFile in(input), out, err;
  std::optional<llvm::StringRef> redirects[] = {in.getPath(), out.getPath(),
                                                err.getPath()};
  int status =
      llvm::sys::ExecuteAndWait(*protoc, arguments, std::nullopt, redirects);
  EXPECT_EQ(status, 0) << err.read();
  return out.read();
}

/// The contents of all sections but the last: one message Profile.
std::string getContents(llvm::StringRef file) {
  std::string contents;
  std::vector<RawSection> sections = parseFile(file);
  for (const RawSection &section : llvm::ArrayRef(sections).drop_back())
    contents += section.getContent();
  return contents;
}

/// Google's implementation, with the published schema, reads the written file,
/// and writes it again byte for byte (so it knows every field).
TEST(Schema, AgreesWithTheCode) {
  Profile fixed = makeFixedProfile();
  std::string contents = getContents(toBytes(fixed));
  std::string text = runProtoc("--decode", contents);
  EXPECT_EQ(runProtoc("--encode", text), contents);
  for (const char *line :
       {"schema: \"mlir-prof.profile/1\"\n", "  kind: FRAMEWORK_NODE\n",
        "    dimensions: -1\n", "    anchor_ns: 1700000000000000000\n",
        "      quantity: BOUNDED\n", "  op_inflight_ps: 150\n",
        "  bytecode: \"ML\\357R\\000\\001\\002\"\n",
        "  begin_delta_ps: -5\n  begin_delta_ps: 15\n"
        "  begin_delta_ps: 999999999999990\n",
        "  op_plus_one: 0\n  op_plus_one: 2\n  op_plus_one: 1\n",
        "  kind: FRAMEWORK_CALL\n",
        "  ordinal_plus_one: 1\n"
        "  sequence_plus_one: 8\n"
        "  phase: BACKWARD\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Schema, AgreesWithTheCodeOnJobs) {
  std::string contents = getContents(toBytes(makeJobProfile(makeJob())));
  std::string text = runProtoc("--decode", contents);
  EXPECT_EQ(runProtoc("--encode", text), contents);
  // Fields that the schema lacks have numbers instead of names.
  for (const char *line :
       {"  rank_plus_one: 4\n", "    origin_ticks: 4380684429499\n",
        "    begin_ps: -5\n", "    processor: AIV\n", "    kind: RDMA\n",
        "    memcpy_ps: 9\n", "      push_ps: 2\n", "      last_node: 1\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

/// Every version of the format that was released stays readable.
TEST(Schema, ReadsReleasedFiles) {
  auto buffer = openInput(MLIRPROF_TEST_DIR "/data/profiles/v1.0.mlprof");
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  llvm::Expected<Profile> profile =
      readProfile((*buffer)->getBuffer(), "v1.0.mlprof");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->minor, 0);
  ASSERT_EQ(profile->strings.size(), 4u);
  EXPECT_EQ(profile->strings[3], "not \xc3( UTF-8 \x80");
  EXPECT_EQ(profile->opKeys[0].kernel, "_FusedMatMul");
  EXPECT_EQ(profile->hloModules[0].instructions[1].operandIds[1], 1000);
  EXPECT_EQ(profile->irModules[0].operations, 36u);
  const auto &run = profile->runs[0];
  EXPECT_EQ(run.tracks[1].timestampNs, 4837);
  const Summary &total = run.events[0].total;
  EXPECT_EQ(total.count, 2u);
  EXPECT_EQ(total.sum, 1000000000005);
  EXPECT_EQ(uint64_t(total.sumSquares >> 64), 54210u);
  EXPECT_EQ(total.min, 5);
  EXPECT_EQ(total.max, 1000000000000);
  EXPECT_EQ(total.histogram.get(5), 1u);
  EXPECT_EQ(total.histogram.get(155), 1u); // 2^39 + 3 quarters: 156 - 4 + 3.
  EXPECT_EQ(run.ops[0].getTimePs(), 140);
  EXPECT_EQ(run.ops[0].firstBeginPs, 123456789);
  EXPECT_EQ(run.steps[0].opInflightPs, 5);
  EXPECT_EQ(run.kept.beginPs[2], 1000000000000000);
  EXPECT_EQ(run.losses[0].timePs, 42);
  // A rewrite must not lose a byte of it.
  EXPECT_EQ(getContents(toBytes(*profile)),
            getContents((*buffer)->getBuffer()));
}

TEST(Schema, ReadsReleasedFilesWithPrograms) {
  auto buffer = openInput(MLIRPROF_TEST_DIR "/data/profiles/v1.1.mlprof");
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  llvm::Expected<Profile> profile =
      readProfile((*buffer)->getBuffer(), "v1.1.mlprof");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->minor, 1);
  ASSERT_EQ(profile->programs.size(), 1u);
  const Program &program = profile->programs[0];
  EXPECT_EQ(program.levels, (std::vector<std::string>{"input", "llvm"}));
  ASSERT_EQ(program.nodes.size(), 5u);
  EXPECT_EQ(program.nodes[0].container, kNone);
  EXPECT_EQ(program.nodes[1].container, 0u);
  EXPECT_EQ(program.nodes[1].position, 2u);
  EXPECT_EQ(program.nodes[1].trips, -1);
  EXPECT_EQ(program.nodes[2].position, kNone);
  EXPECT_EQ(program.nodes[2].parents, (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(program.nodes[2].callers, (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(program.nodes[3].kind, NodeKind::Loop);
  EXPECT_EQ(program.nodes[3].trips, 0);
  EXPECT_EQ(program.nodes[4].trips, 100);
  EXPECT_EQ(program.probes[0].parent, kNone);
  EXPECT_EQ(program.probes[1].kind, ProbeKind::Work);
  EXPECT_EQ(program.probes[1].node, kNone);
  EXPECT_TRUE(program.loops[0].calls);
  EXPECT_EQ(program.instructions[0].loop, kNone);
  EXPECT_EQ(program.instructions[2].loop, 1u);
  EXPECT_EQ(program.sites[0].kind, ValueKind::Trips);
  EXPECT_EQ(profile->irModules[1].program, "p1");
  ASSERT_TRUE(profile->opKeys[2].is<CodeKey>());
  EXPECT_EQ(profile->opKeys[2].get<CodeKey>().instruction, 2u);
  ASSERT_TRUE(profile->opKeys[4].is<OutsideKey>());
  EXPECT_EQ(profile->opKeys[4].get<OutsideKey>().kind, OutsideKind::Waiting);
  const auto &run = profile->runs[0];
  EXPECT_EQ(run.machine.bytesAllThreads, 4u);
  EXPECT_EQ(run.ops[0].getSum(Quantity::RawSelf), 99);
  EXPECT_EQ(run.values[0].kind, ValueKind::Branch);
  EXPECT_EQ(run.values[0].entries[0].tuple, std::vector<int64_t>{1});
  EXPECT_EQ(run.values[0].other, 2u);
  EXPECT_EQ(run.values[1].node, kNone);
  EXPECT_EQ(run.work[0].flops, 1000u);
  EXPECT_EQ(run.samplePeriodPs, 1000000000);
  EXPECT_EQ(run.iterations.sum, 77);
  EXPECT_EQ(getContents(toBytes(*profile)),
            getContents((*buffer)->getBuffer()));
}

TEST(Schema, ReadsReleasedFilesWithCallsAndNodes) {
  auto buffer = openInput(MLIRPROF_TEST_DIR "/data/profiles/v1.2.mlprof");
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  llvm::Expected<Profile> profile =
      readProfile((*buffer)->getBuffer(), "v1.2.mlprof");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->minor, 2);
  ASSERT_EQ(profile->opKeys.size(), 7u);
  ASSERT_TRUE(profile->opKeys[0].is<GraphNodeKey>());
  EXPECT_EQ(profile->opKeys[0].get<GraphNodeKey>().number, -1);
  const OpKey &key = profile->opKeys[5];
  ASSERT_TRUE(key.is<FrameworkCallKey>());
  const auto &call = key.get<FrameworkCallKey>();
  EXPECT_EQ(key.op, "aten::addmm");
  EXPECT_EQ(key.kernel, "gemm");
  EXPECT_EQ(call.scope, (std::vector<std::string>{"MLP_0", "Linear_1"}));
  EXPECT_EQ(call.callers, std::vector<std::string>{"aten::linear"});
  EXPECT_EQ(call.frames,
            (std::vector<SourcePosition>{{"models.py", 21, 0, "forward"}}));
  EXPECT_EQ(call.shapes.print(), "[[256,512],[512]]");
  EXPECT_EQ(call.graphNode, "linear_1");
  EXPECT_EQ(call.ordinal, 0u);
  EXPECT_EQ(call.sequence, 7);
  EXPECT_EQ(call.phase, CallPhase::Backward);
  ASSERT_TRUE(profile->opKeys[6].is<OnnxNodeKey>());
  const NodeOrigins &origins = profile->opKeys[6].get<OnnxNodeKey>().origins;
  EXPECT_EQ(origins.kind, OriginKind::Part);
  ASSERT_EQ(origins.nodes.size(), 2u);
  EXPECT_EQ(origins.nodes[0].name, "/fc1/Gemm");
  EXPECT_EQ(origins.nodes[1].type, "Relu");
  EXPECT_EQ(origins.nodes[1].ordinal, 1u);
  EXPECT_EQ(origins.nodes[1].alike, 2u);
  EXPECT_EQ(profile->runs[0].folded, (std::vector<std::string>{"0a", "0b"}));
  EXPECT_EQ(getContents(toBytes(*profile)),
            getContents((*buffer)->getBuffer()));
}

TEST(Schema, ReadsReleasedFilesWithElidedValues) {
  auto buffer = openInput(MLIRPROF_TEST_DIR "/data/profiles/v1.3.mlprof");
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  llvm::Expected<Profile> profile =
      readProfile((*buffer)->getBuffer(), "v1.3.mlprof");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->minor, 3);
  ASSERT_EQ(profile->irModules[0].values.size(), 2u);
  EXPECT_EQ(profile->irModules[0].values[0].op, 3u);
  EXPECT_EQ(profile->irModules[0].values[0].hash, 0x0123456789abcdefu);
  EXPECT_EQ(profile->irModules[0].values[1].op, 35u);
  EXPECT_EQ(getContents(toBytes(*profile)),
            getContents((*buffer)->getBuffer()));
}

TEST(Schema, ReadsReleasedFilesWithTimesWithoutStalls) {
  auto buffer = openInput(MLIRPROF_TEST_DIR "/data/profiles/v1.4.mlprof");
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  llvm::Expected<Profile> profile =
      readProfile((*buffer)->getBuffer(), "v1.4.mlprof");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->minor, 4);
  EXPECT_EQ(profile->runs[0].ops[0].getSum(Quantity::SteadySelf), 88);
  EXPECT_EQ(getContents(toBytes(*profile)),
            getContents((*buffer)->getBuffer()));
}

TEST(Schema, ReadsReleasedFilesWithScopes) {
  auto buffer = openInput(MLIRPROF_TEST_DIR "/data/profiles/v1.5.mlprof");
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  llvm::Expected<Profile> profile =
      readProfile((*buffer)->getBuffer(), "v1.5.mlprof");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->minor, 5);
  ASSERT_TRUE(profile->runs[0].scopes);
  const scope::Recording &scopes = *profile->runs[0].scopes;
  EXPECT_EQ(scopes.parentProcess, 10u);
  EXPECT_EQ(scopes.clock.driftNs, -5);
  EXPECT_EQ(scopes.clock.ps, 409u);
  EXPECT_EQ(scopes.sites[0].name, "load \xff");
  EXPECT_EQ(scopes.sites[0].role, 2u);
  EXPECT_TRUE(scopes.threads[1].isDevice);
  EXPECT_EQ(scopes.threads[0].overwritten, 13u);
  ASSERT_EQ(scopes.events.size(), 4u);
  EXPECT_EQ(scopes.events[1].parent, 2u);
  EXPECT_EQ(scopes.events[1].first, 0u);
  EXPECT_EQ(scopes.events[1].selfPs, 900);
  EXPECT_TRUE(scopes.events[1].isOverlapping);
  EXPECT_EQ(scopes.events[2].parent, scope::kNoScope);
  EXPECT_EQ(scopes.events[2].end, scope::EventEnd::Open);
  EXPECT_EQ(scopes.events[2].costPs, 90);
  EXPECT_TRUE(scopes.events[2].isSelfBound);
  EXPECT_EQ(scopes.events[3].endPs, 1000000000000005);
  EXPECT_TRUE(scopes.events[3].isLinked && scopes.events[3].isOutside);
  EXPECT_EQ(scopes.statistics[0].counts[20], 2u);
  EXPECT_EQ(scopes.memory[0].peakReserved, 4u);
  EXPECT_EQ(scopes.memory[1].event, scope::kNoScope);
  EXPECT_EQ(scopes.memory[1].bytes, -64);
  EXPECT_EQ(scopes.losses.list()[0].count, 2u);
  EXPECT_EQ(scopes.threads[1].device, 0u);
  EXPECT_EQ(scopes.clock.source, scope::TickSource::Counter);
  EXPECT_EQ(scopes.clock.errorPs, 7);
  ASSERT_EQ(scopes.counts.size(), 2u);
  EXPECT_EQ(scopes.counts[0].getNet(scope::Count::AllocatedBytes), 240u);
  EXPECT_EQ(scopes.counts[1].event, 3u);
  EXPECT_EQ(scopes.counts[1].getRaw(scope::Count::PageFaults), 2u);
  EXPECT_EQ(scopes.countCosts[1].pairPs, 600);
  EXPECT_EQ(scopes.devices[0].readings[1].device, 1010u);
  EXPECT_EQ(scopes.devices[0].getErrorPs(0), 3);
  EXPECT_EQ(getContents(toBytes(*profile)),
            getContents((*buffer)->getBuffer()));
}

TEST(Schema, ReadsReleasedFilesWithDispatches) {
  auto buffer = openInput(MLIRPROF_TEST_DIR "/data/profiles/v1.6.mlprof");
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  llvm::Expected<Profile> profile =
      readProfile((*buffer)->getBuffer(), "v1.6.mlprof");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->minor, 6);
  ASSERT_EQ(profile->programs.size(), 2u);
  const Program &program = profile->programs[1];
  ASSERT_EQ(program.instances.size(), 2u);
  EXPECT_EQ(program.instances[1].node, 5u);
  EXPECT_EQ(program.instances[1].kernel, 2u);
  ASSERT_EQ(program.instances[1].origins.size(), 1u);
  EXPECT_EQ(program.instances[1].origins[0], std::make_pair(3u, 1u));
  ASSERT_EQ(program.calls.size(), 2u);
  EXPECT_EQ(program.calls[1].address, 20u);
  EXPECT_EQ(program.calls[1].instance, 1u);
  ASSERT_TRUE(profile->opKeys[7].is<CodeKey>());
  EXPECT_EQ(getInstance(profile->opKeys[7]), 1u);
  EXPECT_EQ(getInstance(profile->opKeys[8]), 0u);
  EXPECT_EQ(getInstance(profile->opKeys[2]), kNone);
  EXPECT_EQ(profile->runs[0].values[2].instance, 1u);
  EXPECT_EQ(profile->runs[0].values[0].instance, kNone);
  EXPECT_EQ(getContents(toBytes(*profile)),
            getContents((*buffer)->getBuffer()));
}

TEST(Schema, ReadsReleasedFilesWithDevices) {
  auto buffer = openInput(MLIRPROF_TEST_DIR "/data/profiles/v1.7.mlprof");
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  llvm::Expected<Profile> profile =
      readProfile((*buffer)->getBuffer(), "v1.7.mlprof");
  ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
  EXPECT_EQ(profile->minor, 7);
  EXPECT_EQ(profile->opKeys[9].work, DeviceWork::CopyToHost);
  EXPECT_EQ(profile->opKeys[5].work, DeviceWork::None);
  EXPECT_NE(compareKeys(profile->opKeys[9], profile->opKeys[5]), 0);
  const auto &run = profile->runs[0];
  ASSERT_EQ(run.devices.size(), 1u);
  const DeviceInfo &device = run.devices[0];
  EXPECT_EQ(device.number, 1);
  EXPECT_EQ(device.name, "GPU");
  EXPECT_EQ(device.memoryBytes, 85017493504u);
  EXPECT_EQ(device.processors, 132u);
  ASSERT_EQ(device.peaks.size(), 2u);
  EXPECT_EQ(device.peaks[1].name, "memory");
  EXPECT_EQ(device.peaks[1].perSecond, 2990000000000u);
  EXPECT_EQ(device.busyPs, 30);
  EXPECT_EQ(device.kernelBusyPs, 20);
  EXPECT_EQ(device.copyBusyPs, 15);
  EXPECT_EQ(device.idle.sum, 7);
  ASSERT_EQ(device.waits.size(), 2u);
  EXPECT_EQ(device.waits[0].host, "");
  EXPECT_EQ(device.waits[1].host, "cudaLaunchKernel");
  EXPECT_EQ(device.waits[1].time.sum, 4);
  EXPECT_EQ(run.tracks[0].device, kNone);
  EXPECT_EQ(run.tracks[1].device, 0u);
  EXPECT_EQ(run.tracks[1].busyPs, 30);
  EXPECT_EQ(run.ops[0].getSum(Quantity::Launch), 6000);
  EXPECT_EQ(run.ops[0].getSum(Quantity::Queue), -2000);
  EXPECT_EQ(run.kept.launch, (std::vector<uint32_t>{kNone, 0, kNone}));
  EXPECT_EQ(getContents(toBytes(*profile)),
            getContents((*buffer)->getBuffer()));
}

TEST(Schema, ReadsReleasedJson) {
  for (const char *name :
       {"/data/profiles/v1.0", "/data/profiles/v1.1", "/data/profiles/v1.2",
        "/data/profiles/v1.3", "/data/profiles/v1.4", "/data/profiles/v1.5",
        "/data/profiles/v1.6", "/data/profiles/v1.7"}) {
    std::string path = std::string(MLIRPROF_TEST_DIR) + name;
    auto buffer = openInput(path + ".json");
    ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
    llvm::Expected<Profile> profile =
        readProfileJson((*buffer)->getBuffer(), path);
    ASSERT_TRUE(bool(profile)) << llvm::toString(profile.takeError());
    auto binary = openInput(path + ".mlprof");
    ASSERT_TRUE(bool(binary)) << llvm::toString(binary.takeError());
    EXPECT_EQ(getContents(toBytes(*profile)),
              getContents((*binary)->getBuffer()));
  }
}

} // namespace
