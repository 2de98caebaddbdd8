//===- Hccl.cpp - Transfers between ranks ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Common/Json/Decimal.h"
#include "Host.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::mindspore;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

namespace {

/// One event of a trace: what the transfer of a chunk consists of.
struct Transfer {
  StringRef name;
  int64_t durationPs = 0;
  uint64_t bytes = 0;
  uint32_t source = 0;
  uint32_t destination = 0;
  uint64_t stream = 0;
};

/// Adds up transfers by step, collective, link and kind.
class Transfers {
public:
  explicit Transfers(Recording &recording) : recording(recording) {}

  void readTrace(StringRef text, StringRef op, uint64_t iteration);
  void finish();

private:
  void add(const Transfer &transfer, LinkKind kind, int64_t durationPs,
           uint64_t bytes);
  void addAll(llvm::ArrayRef<Transfer> transfers);

  using Key = std::tuple<int64_t, uint32_t, uint32_t, uint32_t, LinkKind>;
  Recording &recording;
  std::map<Key, LinkTransfer> sums;
  uint32_t op = kNone;
  int64_t step = 0;
  uint64_t foreign = 0;
};

} // namespace

/// Numbers of JSON are doubles; the text of one keeps its decimals.
static std::optional<int64_t> parseUs(const llvm::json::Value *value) {
  std::optional<double> us = value ? value->getAsNumber() : std::nullopt;
  constexpr double kMostUs = 9e12;
  if (!us || *us < 0 || *us > kMostUs)
    return std::nullopt;
  // Traces have hundredths; a double holds more digits than that.
  return int64_t(*us * 1e3 + 0.5) * 1000;
}

/// 4294967295 at one end of a link stands for the rank at the other.
static void completeRanks(Transfer &transfer) {
  if (transfer.source == kNone)
    transfer.source = transfer.destination;
  if (transfer.destination == kNone)
    transfer.destination = transfer.source;
}

static bool parseTransfer(const llvm::json::Value &value, Transfer &transfer) {
  const llvm::json::Object *event = value.getAsObject();
  const llvm::json::Object *arguments =
      event ? event->getObject("args") : nullptr;
  std::optional<int64_t> duration =
      event ? parseUs(event->get("dur")) : std::nullopt;
  if (!arguments || !duration)
    return false;
  transfer.name = event->getString("name").value_or("");
  if (std::optional<StringRef> type = arguments->getString("task type"))
    transfer.name = *type;
  transfer.durationPs = *duration;
  auto getRank = [&](StringRef name) {
    int64_t rank = arguments->getInteger(name).value_or(kNone);
    return rank >= 0 && rank <= int64_t(kNone) ? uint32_t(rank) : kNone;
  };
  transfer.source = getRank("src rank");
  transfer.destination = getRank("dst rank");
  transfer.stream = uint64_t(arguments->getInteger("stream id").value_or(0));
  completeRanks(transfer);
  // "0x49000"; null for what does not move data.
  if (std::optional<StringRef> size = arguments->getString("size"))
    if (size->getAsInteger(0, transfer.bytes))
      return false;
  return true;
}

void Transfers::add(const Transfer &transfer, LinkKind kind, int64_t durationPs,
                    uint64_t bytes) {
  LinkTransfer &sum =
      sums[{step, op, transfer.source, transfer.destination, kind}];
  sum.step = step;
  sum.op = op;
  sum.source = transfer.source;
  sum.destination = transfer.destination;
  sum.kind = kind;
  ++sum.count;
  addSaturating(sum.bytes, bytes);
  addSaturating(sum.durationPs, durationPs);
}

/// A transfer over RDMA is three events in a row of a stream: data, the note
/// about them, and the wait for the answer.
void Transfers::addAll(llvm::ArrayRef<Transfer> transfers) {
  for (size_t i = 0; i < transfers.size(); ++i) {
    const Transfer &transfer = transfers[i];
    bool isTriple = i + 2 < transfers.size() && transfer.name == "RDMASend" &&
                    transfers[i + 1].name == "RDMASend" &&
                    transfers[i + 2].name == "Notify Wait";
    if (isTriple) {
      int64_t durationPs = 0;
      for (const Transfer &part : transfers.slice(i, 3))
        addSaturating(durationPs, part.durationPs);
      add(transfer, LinkKind::Rdma, durationPs, transfer.bytes);
      add(transfer, LinkKind::Wait, transfers[i + 2].durationPs, 0);
      i += 2;
    } else if (transfer.name == "Reduce Inline" || transfer.name == "Memcpy") {
      add(transfer, LinkKind::Sdma, transfer.durationPs, transfer.bytes);
    } else if (transfer.name == "Notify Wait") {
      add(transfer, LinkKind::Wait, transfer.durationPs, 0);
    }
  }
}

void Transfers::readTrace(StringRef text, StringRef name, uint64_t iteration) {
  llvm::Expected<llvm::json::Value> root = llvm::json::parse(text);
  const llvm::json::Array *events =
      root && root->getAsObject() ? root->getAsObject()->getArray("traceEvents")
                                  : nullptr;
  if (!events) {
    if (!root)
      llvm::consumeError(root.takeError());
    recording.addLoss("trace of a collective that is not understood", 1);
    return;
  }
  op = recording.addName(name);
  step = int64_t(std::min<uint64_t>(iteration, INT64_MAX));
  std::vector<Transfer> transfers;
  for (const llvm::json::Value &value : *events) {
    Transfer transfer;
    if (parseTransfer(value, transfer))
      transfers.push_back(transfer);
    else
      ++foreign;
  }
  llvm::stable_sort(transfers, [](const Transfer &a, const Transfer &b) {
    return a.stream < b.stream;
  });
  addAll(transfers);
}

void Transfers::finish() {
  for (const auto &entry : sums)
    recording.job.transfers.push_back(entry.second);
  recording.addLoss("event of a collective that is not understood", foreign);
}

/// "allReduce_1_1_0", of device 0, is the collective "allReduce_1".
static StringRef getCollective(StringRef path) {
  StringRef folder =
      llvm::sys::path::filename(llvm::sys::path::parent_path(path));
  StringRef name = folder.rsplit('_').first.rsplit('_').first;
  return name.empty() ? folder : name;
}

void mindspore::readHccl(const RankFiles &files, Recording &recording) {
  Transfers transfers(recording);
  for (auto [text, path] : llvm::zip(files.get(FileKind::HcclTrace),
                                     files.getPaths(FileKind::HcclTrace))) {
    FoundFile file =
        classifyFile(llvm::sys::path::filename(path), "", "hccl_info");
    transfers.readTrace(text, getCollective(path), file.slice);
  }
  transfers.finish();
}
