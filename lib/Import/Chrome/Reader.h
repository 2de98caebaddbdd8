//===- Reader.h - Reading Chrome's trace events -----------------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_CHROME_READER_H
#define MLIR_PROF_LIB_IMPORT_CHROME_READER_H

#include "../Common/FreeLanes.h"
#include "../Common/Json/ArrayReader.h"
#include "../Common/Json/Decimal.h"
#include "../Common/Json/Text.h"
#include "../Common/RecordSorter.h"
#include "Arrows.h"
#include "Pairs.h"
#include "Tracks.h"

#include <optional>

namespace mlirprof::importer::chrome {

/// One event as written in the file. Texts are without quotes, with escapes.
struct RawEvent {
  llvm::StringRef phase;
  llvm::StringRef name;
  llvm::StringRef category;
  llvm::StringRef pid;
  llvm::StringRef tid;
  llvm::StringRef timestamp;
  llvm::StringRef duration;
  llvm::StringRef id;
  llvm::StringRef scope;
  /// args.name of metadata events.
  llvm::StringRef argumentName;
};

/// An interval waiting to be sorted.
struct Record {
  int64_t beginPs = 0;
  int64_t endPs = 0;
  /// Set by the client.
  uint64_t id = 0;
  uint32_t track = 0;
  uint32_t name = 0;
  /// Set by the client.
  uint32_t detail = 0;
  uint32_t kind = 0;

  bool operator<(const Record &other) const {
    return beginPs != other.beginPs ? beginPs < other.beginPs
                                    : endPs > other.endPs;
  }
};

/// The interpretation of trace events by a format.
class Client {
public:
  virtual ~Client() = default;
  /// Receives a key of the outermost object other than the events, as JSON
  /// text.
  virtual void member(llvm::StringRef key, llvm::StringRef value) = 0;
  /// Begins an event, even one without `args`. Returns whether argument()
  /// should be called for these; fields after `args` are not in `event` yet.
  virtual bool wantsArguments(const RawEvent &event) = 0;
  virtual simdjson::error_code argument(json::RawKey key,
                                        simdjson::ondemand::value &value) = 0;
  /// Receives an event with all its fields before it is processed, and may
  /// replace texts by better ones; these must live until the next event.
  virtual void correct(RawEvent &) {}
  /// The track of its thread to which an interval belongs.
  virtual llvm::StringRef getTrackKind(const RawEvent &event) = 0;
  /// The kind of track whose events nest with the ops of their thread, though
  /// not with its other events (ProfileBuilder::setRegions).
  virtual std::optional<llvm::StringRef> getRegionKind() const { return {}; }
  /// The number of the device on whose stream an interval lies; none for the
  /// host.
  virtual std::optional<int64_t> getDevice(const RawEvent &) { return {}; }
  virtual profile::DeviceInfo describeDevice(int64_t number) {
    profile::DeviceInfo device;
    device.number = number;
    return device;
  }
  /// Fills in the client's part of an interval's record.
  virtual void describe(const RawEvent &event, Record &record) = 0;
  /// Called when everything is read: tracks are declared, and events follow.
  /// Times are relative to `origin`, on the clock of the file's timestamps.
  virtual void beginEvents(json::WidePs origin) = 0;
  /// Receives the next interval in order; `event` has track, name and times.
  virtual void take(const Record &record, trace::Event &event) = 0;
  /// Called after all intervals.
  virtual void finish() {}
};

/// Makes a key other than the events a fact of the run, unless it is as large
/// as events, such as a list of stack frames.
void keepFact(llvm::StringRef key, llvm::StringRef value,
              profile::ProfileBuilder &builder);

/// The epoch of a file's timestamps.
enum class Epoch : uint8_t { Unknown, Unix };
/// Anchors a clock whose timestamps begin at `ns`. If the epoch is unknown,
/// small timestamps are assumed not to count from 1970.
void setAnchor(profile::Clock &clock, json::WidePs ns, Epoch epoch);

/// Reads a trace of events: intervals of any form become records, which the
/// client receives in order.
class Reader {
public:
  Reader(const ImportInput &input, profile::ProfileBuilder &builder,
         Client &client)
      : input(input), builder(builder), client(client) {}

  llvm::Error read();

private:
  simdjson::error_code readEvent(simdjson::ondemand::object &object);
  simdjson::error_code readArguments(simdjson::ondemand::value &value,
                                     RawEvent &event);
  void keep(const RawEvent &event);
  void keepComplete(const RawEvent &event, int64_t beginPs);
  void keepArrow(const RawEvent &event);
  void keepMetadata(const RawEvent &event);
  bool getTime(const RawEvent &event, int64_t &beginPs);
  uint32_t getName(llvm::StringRef text);
  void begin(const RawEvent &event, int64_t atPs, PairKind kind);
  void end(const RawEvent &event, int64_t atPs, PairKind kind);
  void add(const Record &record);
  void emit(Record record);
  uint32_t chooseLane(const Record &record);
  void reportLosses();
  void count(llvm::StringRef what, int64_t timePs = 0) {
    losses.add(what, 1, timePs);
  }

  const ImportInput &input;
  profile::ProfileBuilder &builder;
  Client &client;
  Tracks tracks;
  llvm::StringMap<uint32_t> names;
  RecordSorter<Record> sorter;
  llvm::Error sortError = llvm::Error::success();
  Pairs pairs;
  Arrows arrows;
  LossList losses;

  bool hasOrigin = false;
  json::WidePs origin = 0;
  int64_t earliestPs = std::numeric_limits<int64_t>::max();
  int64_t latestPs = std::numeric_limits<int64_t>::min();
  /// For asynchronous tracks.
  std::map<uint32_t, FreeLanes> lanes;
  std::vector<char> isAsync;
};

/// Implements Importer::read for a format with the client T.
template <typename T>
llvm::Error read(const ImportInput &input, profile::ProfileBuilder &builder) {
  T client(builder);
  return Reader(input, builder, client).read();
}

/// The importer of a format with the client T.
template <typename T>
Importer makeImporter(llvm::StringRef name, llvm::StringRef description,
                      bool (*detect)(llvm::StringRef bytes)) {
  Importer importer = {name, description, detect, read<T>};
  importer.inflatesWhileReading = true;
  return importer;
}

} // namespace mlirprof::importer::chrome

#endif // MLIR_PROF_LIB_IMPORT_CHROME_READER_H
