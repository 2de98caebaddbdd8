//===- OwnCode.cpp - Samples in code that came from MLIR ------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnCode.h"
#include "Object.h"
#include "mlir-prof/Profile/MachineCode.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <utility>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::perfscript;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

/// "linalg.matmul": a dialect and a name.
static bool isOpName(StringRef text) {
  auto [dialect, name] = text.split('.');
  auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; };
  return !dialect.empty() && !name.empty() && llvm::all_of(dialect, isWord) &&
         llvm::all_of(name, isWord);
}

/// Whether `frame` is in code made at run time.
static bool isJit(const Frame &frame) {
  return frame.object.starts_with("/memfd:") ||
         frame.object.starts_with("/dev/zero") ||
         frame.object.contains("/perf-") || frame.object.contains("jitted-") ||
         frame.object.contains("[JIT]") || frame.object.contains("//anon");
}

/// Whether `symbol` is a name by `mlir-prof record`, and the key of its op.
static bool findOp(StringRef symbol, OpKey &key) {
  auto [function, label] = symbol.split(": ");
  auto [op, name] = label.split(' ');
  if (!isOpName(op))
    return false;
  key.make<GraphNodeKey>();
  key.kernel = op.str();
  // An op without a name is identified by its function.
  key.op = name.empty() ? symbol.str() : name.str();
  return true;
}

OwnCode::OwnCode(StringRef folder, ObjectPlaces places)
    : places(places), objects(folder.str(), places) {
  if (!folder.empty())
    jitCode.addFolder(folder);
}

void OwnCode::addJitFile(StringRef path) {
  if (places == ObjectPlaces::FolderAndPaths)
    jitCode.addFile(path);
}

bool OwnCode::takeRecord(StringRef line) {
  Mapping mapping;
  switch (parseRecord(line, mapping)) {
  case RecordLine::None:
    return false;
  case RecordLine::Mapping:
    mappings.add(mapping);
    // A program announces its dump by mapping it.
    if (!mapping.isDeleted)
      addJitFile(mapping.path);
    return true;
  case RecordLine::Other:
    return true;
  }
  llvm_unreachable("unknown line of perf");
}

void OwnCode::beginSample() {
  callChain.begin();
  hasCode = false;
  innermost.clear();
  callingProgram = nullptr;
  missed = LineResult::Foreign;
}

void OwnCode::nameJitCode(const Header &header, Frame &frame, AddressUse use,
                          SourcePosition &line) {
  if (isJit(frame) && !frame.isDeleted)
    addJitFile(frame.object);
  bool mayBeMade =
      isJit(frame) || frame.object.empty() || frame.object == "[unknown]";
  if (jitCode.empty() || frame.symbol != "[unknown]" || !mayBeMade)
    return;
  int64_t process =
      header.process >= 0
          ? header.process
          : mappings.getProcess(header.thread).value_or(header.thread);
  bool isReturn = use == AddressUse::ReturnAddress && frame.address != 0;
  auto place = jitCode.find(process, frame.address - (isReturn ? 1 : 0));
  if (!place)
    return;
  frame.symbol = place->name;
  frame.object = "[JIT]";
  line = std::move(place->line);
}

bool OwnCode::findLines(const Header &header, const Frame &frame,
                        AddressUse use, OpKey &key) {
  // perf shows inlined functions as frames at the address of the real one.
  if (frame.object == "inlined")
    return false;
  llvm::ArrayRef<SourcePosition> chain;
  ProgramPlace place;
  LineResult result =
      objects.find(frame, mappings, header.thread, use, chain, place);
  if (!hasCode)
    innermost =
        frame.object.starts_with("[kernel") ? "kernel" : frame.symbol.str();
  bool isCaller = std::exchange(hasCode, true);
  if (place.program) {
    key = makeCodeKey(*place.program, place.instruction,
                      isCaller ? innermost : "");
    programs.try_emplace(place.program->fingerprint, place.program);
    ++programSamples;
    callingProgram = place.program->calls.empty() ? nullptr : place.program;
    callingSamples += callingProgram != nullptr;
    return true;
  }
  if (result == LineResult::Found) {
    key = makeSourceLineKey(chain, frame.symbol == "[unknown]"
                                       ? llvm::sys::path::filename(frame.object)
                                       : frame.symbol);
    ++lineSamples;
    return true;
  }
  if (result == LineResult::Missing)
    missingObjects.insert(frame.object.str());
  // Libraries of systems also name debug files, which are seldom installed.
  if (missed == LineResult::Foreign ||
      (missed == LineResult::DebugMissing && result != LineResult::Foreign))
    missed = result;
  return false;
}

bool OwnCode::find(const Header &header, Frame &frame, OpKey &key) {
  SourcePosition line;
  if (frame.object.empty())
    mappings.findFile(frame, header.thread);
  AddressUse use = callChain.take(frame);
  nameJitCode(header, frame, use, line);
  if (isJit(frame) && findOp(frame.symbol, key))
    return true;
  bool hasLine = line.line && isModelSource(line.file);
  if (hasLine) {
    key = makeSourceLineKey(line, frame.symbol);
    ++lineSamples;
  }
  return hasLine || findLines(header, frame, use, key);
}

void OwnCode::findInstance(const Header &header, Frame &frame, OpKey &key) {
  if (!callingProgram || !key.is<CodeKey>())
    return;
  if (frame.object.empty())
    mappings.findFile(frame, header.thread);
  AddressUse use = callChain.take(frame);
  if (use != AddressUse::ReturnAddress || frame.object == "inlined")
    return;
  llvm::ArrayRef<SourcePosition> chain;
  ProgramPlace place;
  objects.find(frame, mappings, header.thread, use, chain, place);
  if (place.program != callingProgram)
    return;
  uint32_t instance = findCalledInstance(*callingProgram, place.offset + 1);
  if (instance == kNone)
    return;
  key.get<CodeKey>().instance = instance;
  callingProgram = nullptr;
  ++calledSamples;
}

void OwnCode::miss(int64_t timePs) {
  auto &[count, sumPs] = unjoined[size_t(missed)];
  ++count;
  sumPs = saturatingAdd(sumPs, timePs);
}

/// "a, b and 3 more"
static std::string listNames(const std::set<std::string> &names) {
  constexpr size_t kMostNames = 8;
  std::string text;
  size_t count = 0;
  for (const std::string &name : names) {
    if (count++ == kMostNames)
      return text + " and " + std::to_string(names.size() - kMostNames) +
             " more";
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

void OwnCode::describe(ProfileBuilder &builder) const {
  static constexpr std::pair<LineResult, llvm::StringLiteral> kReasons[] = {
      {LineResult::Missing, "sample in an object that is not here or damaged "
                            "(--objects says where): not joined by lines"},
      {LineResult::Changed, "sample in an object that is here in another "
                            "build: not joined by lines"},
      {LineResult::DebugMissing,
       "sample in an object whose debug information was moved to a file that "
       "is not here (--objects says where): not joined by lines"},
      {LineResult::DebugBuildId,
       "sample in an object whose debug file has another build id: not joined "
       "by lines"},
      {LineResult::DebugChecksum,
       "sample in an object whose debug file has another checksum than the "
       "object says: not joined by lines"},
      {LineResult::DebugDamaged,
       "sample in an object whose debug file is damaged: not joined by lines"},
      {LineResult::Ambiguous,
       "sample in one of several functions of one name, in an object without "
       "its place in memory (--show-mmap-events): not joined by lines"},
      {LineResult::Unplaced, "sample in an object without its place in memory "
                             "(--show-mmap-events): not joined by lines"},
      {LineResult::NoLine, "sample in code to which the compiler gave no line: "
                           "not joined"}};
  for (const auto &[reason, text] : kReasons)
    if (auto [count, timePs] = unjoined[size_t(reason)]; count)
      builder.loss(text, count, timePs);
  if (uint64_t count = objects.countUnspelled())
    builder.loss("name of C++ that is too long to print: not compared with "
                 "perf's",
                 count, 0);
  for (const Loss &loss : jitCode.getLosses())
    builder.loss(loss.name, loss.count, loss.timePs);
  Run &run = builder.getRun();
  if (lineSamples)
    run.facts.emplace_back("samples with debug lines",
                           std::to_string(lineSamples));
  if (programSamples)
    run.facts.emplace_back("samples in objects with their programs",
                           std::to_string(programSamples));
  if (callingSamples)
    run.facts.emplace_back("samples whose call chain tells the dispatch",
                           std::to_string(calledSamples) + " of " +
                               std::to_string(callingSamples));
  Profile &profile = builder.getProfile();
  for (const auto &[fingerprint, program] : programs)
    if (!profile.findProgram(fingerprint))
      profile.programs.push_back(*program);
  if (!missingObjects.empty())
    run.facts.emplace_back("objects that are not here",
                           listNames(missingObjects));
}
