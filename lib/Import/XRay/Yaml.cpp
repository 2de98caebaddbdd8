//===- Yaml.cpp - XRay logs converted by llvm-xray ------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// llvm-xray writes one record per line. Unlike its trace events, whose times
// are rounded to doubles, these contain the original cycles.

#include "../Common/Lanes.h"
#include "../Common/TextLines.h"
#include "../Importers.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Trace/Time.h"

#include <map>
#include <optional>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using llvm::StringRef;

static constexpr llvm::StringLiteral kFrequency = "cycle-frequency:";

static bool detect(StringRef bytes) {
  StringRef head = bytes.take_front(1 << 10);
  return head.starts_with("---") && head.contains("\nheader:") &&
         head.contains(kFrequency);
}

namespace {

/// One record, with texts as written in the file.
struct Record {
  uint64_t function = 0;
  StringRef name;
  uint64_t thread = 0;
  uint64_t process = 0;
  uint64_t cycles = 0;
  StringRef kind;
};

class Reader {
public:
  Reader(const ImportInput &input, ProfileBuilder &builder)
      : input(input), builder(builder) {}
  llvm::Error read();

private:
  struct Function {
    uint32_t name = kNone;
    uint32_t op = kNone;
  };
  struct Call {
    uint64_t function = 0;
    int64_t beginPs = 0;
  };
  struct Thread {
    size_t lane = 0;
    std::vector<Call> open;
    int64_t lastPs = 0;
  };

  llvm::Error fail(const llvm::Twine &what) const {
    return inputError(input.where + ": line " + llvm::Twine(number), what,
                      "Convert the log again: llvm-xray convert "
                      "--output-format=yaml --symbolize --instr_map=PROGRAM.");
  }
  llvm::Error readLine(StringRef line);
  bool readRecord(StringRef line, Record &record) const;
  bool getTime(uint64_t cycles, int64_t &ps);
  Thread &getThread(const Record &record);
  Function &getFunction(const Record &record);
  llvm::Error take(const Record &record);
  void exit(Thread &thread, uint64_t function, int64_t ps);
  void close(Thread &thread, int64_t ps);
  void finish();

  const ImportInput &input;
  ProfileBuilder &builder;
  size_t number = 0;
  uint64_t frequency = 0;
  bool hasRecords = false;
  std::optional<uint64_t> origin;
  std::map<std::pair<uint64_t, uint64_t>, Thread> threads;
  std::map<uint64_t, Function> functions;
  std::vector<Lane> lanes;
  uint64_t nameless = 0, otherRecords = 0, withoutEntry = 0, withoutExit = 0;
  uint64_t backwards = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// YAML as llvm-xray writes it
//===----------------------------------------------------------------------===//

/// Removes a value from `text` and returns it: a list, a quoted text with its
/// quotes, or the text up to the next comma or bracket.
static StringRef takeValue(StringRef &text) {
  text = text.ltrim();
  size_t end = text.find_first_of(",}");
  if (text.starts_with("[")) {
    end = text.find(']');
    end += end != StringRef::npos;
  } else if (text.starts_with("'") || text.starts_with("\"")) {
    char quote = text[0];
    for (end = 1; end < text.size(); ++end) {
      if (quote == '"' && text[end] == '\\')
        ++end;
      else if (text[end] == quote && quote == '\'' && end + 1 < text.size() &&
               text[end + 1] == quote)
        ++end;
      else if (text[end] == quote)
        break;
    }
    ++end;
  }
  StringRef value = text.take_front(end);
  text = text.drop_front(value.size());
  return value.rtrim();
}

/// Removes the quotes of a text. Names do not contain control characters, so a
/// backslash only escapes the character after it.
static std::string unquote(StringRef value) {
  if (value.size() < 2 || (value[0] != '\'' && value[0] != '"') ||
      value.back() != value[0])
    return value.str();
  char quote = value[0];
  std::string text;
  value = value.drop_front().drop_back();
  for (size_t i = 0; i < value.size(); ++i) {
    bool isHidden = i + 1 < value.size() &&
                    (quote == '"' ? value[i] == '\\'
                                  : value[i] == quote && value[i + 1] == quote);
    text += value[i += isHidden];
  }
  return text;
}

/// Reads "- { type: 0, func-id: 4, function: main, ..., tsc: 12, data: '' }".
bool Reader::readRecord(StringRef line, Record &record) const {
  if (!line.consume_front("-"))
    return false;
  line = line.ltrim();
  if (!line.consume_front("{"))
    return false;
  bool hasFunction = false, hasCycles = false;
  for (line = line.ltrim(); !line.starts_with("}"); line = line.ltrim(", ")) {
    auto [key, rest] = line.split(':');
    if (rest.data() == nullptr || rest.empty())
      return false;
    line = rest;
    StringRef value = takeValue(line);
    bool isGood = true;
    if (key == "func-id")
      isGood = hasFunction = !value.getAsInteger(10, record.function);
    else if (key == "tsc")
      isGood = hasCycles = !value.getAsInteger(10, record.cycles);
    else if (key == "thread")
      isGood = !value.getAsInteger(10, record.thread);
    else if (key == "process")
      isGood = !value.getAsInteger(10, record.process);
    else if (key == "function")
      record.name = value;
    else if (key == "kind")
      record.kind = value;
    if (!isGood || (!line.starts_with(",") && !line.starts_with("}") &&
                    !line.starts_with(" ")))
      return false;
  }
  return hasFunction && hasCycles && !record.kind.empty();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool Reader::getTime(uint64_t cycles, int64_t &ps) {
  if (!origin)
    origin = cycles;
  constexpr __int128 kPsPerSecond = 1000000000000;
  constexpr __int128 kMost = std::numeric_limits<int64_t>::max() / 2;
  __int128 wide = ((__int128)cycles - *origin) * kPsPerSecond / frequency;
  ps = int64_t(wide);
  return wide <= kMost && wide >= -kMost;
}

Reader::Thread &Reader::getThread(const Record &record) {
  auto [it, isNew] = threads.try_emplace({record.process, record.thread});
  if (isNew) {
    Track track;
    track.plane = "process " + std::to_string(record.process);
    track.line = uint32_t(lanes.size());
    track.id = int64_t(record.thread);
    track.name = "thread " + std::to_string(record.thread);
    it->second.lane = lanes.size();
    lanes.push_back({builder.addTrack(std::move(track)), {}});
  }
  return it->second;
}

Reader::Function &Reader::getFunction(const Record &record) {
  auto [it, isNew] = functions.try_emplace(record.function);
  if (isNew) {
    std::string name = unquote(record.name);
    std::string id = std::to_string(record.function);
    if (name.empty() || name == id) {
      ++nameless;
      name = "function " + id;
    }
    it->second = {builder.addName(name),
                  builder.addOpKey(OpKey(name, "", FrameworkCallKey()))};
  }
  return it->second;
}

/// Ends the innermost call.
void Reader::close(Thread &thread, int64_t ps) {
  Call call = thread.open.back();
  thread.open.pop_back();
  const Function &function = functions.at(call.function);
  LaneEvent event;
  event.beginPs = call.beginPs;
  event.endPs = ps;
  event.name = function.name;
  event.op = function.op;
  lanes[thread.lane].events.push_back(event);
}

/// Ends deeper calls together with the one that is left: their exits were not
/// recorded, as for tail calls in releases that do not support these.
void Reader::exit(Thread &thread, uint64_t function, int64_t ps) {
  auto it = llvm::find_if(llvm::reverse(thread.open), [&](const Call &call) {
    return call.function == function;
  });
  if (it == thread.open.rend()) {
    ++withoutEntry;
    return;
  }
  for (size_t inner = size_t(it - thread.open.rbegin()); inner; --inner) {
    ++withoutExit;
    close(thread, ps);
  }
  close(thread, ps);
}

llvm::Error Reader::take(const Record &record) {
  int64_t ps;
  if (!getTime(record.cycles, ps))
    return fail("is too far from the first record's time");
  Thread &thread = getThread(record);
  if (thread.open.empty() && record.kind.starts_with("function-enter"))
    thread.lastPs = ps;
  backwards += ps < thread.lastPs;
  ps = thread.lastPs = std::max(ps, thread.lastPs);
  if (record.kind.starts_with("function-enter")) {
    getFunction(record);
    thread.open.push_back({record.function, ps});
  } else if (record.kind == "function-exit" ||
             record.kind == "function-tail-exit") {
    exit(thread, record.function, ps);
  } else {
    ++otherRecords;
  }
  return llvm::Error::success();
}

llvm::Error Reader::readLine(StringRef line) {
  StringRef text = line.trim();
  if (text.empty() || text.starts_with("#") || text == "---" || text == "...")
    return llvm::Error::success();
  if (hasRecords) {
    Record record;
    if (!readRecord(text, record))
      return fail("is not an XRay record");
    return take(record);
  }
  if (text.consume_front(kFrequency) &&
      (text.trim().getAsInteger(10, frequency) || frequency == 0))
    return fail("has a clock frequency that is not a number above 0");
  hasRecords = text.starts_with("records:");
  if (hasRecords && frequency == 0)
    return fail("comes before the clock frequency");
  return llvm::Error::success();
}

void Reader::finish() {
  for (auto &[ids, thread] : threads)
    for (; !thread.open.empty(); ++withoutExit)
      close(thread, thread.lastPs);
  emitLanes(lanes, builder);
  auto report = [&](StringRef name, uint64_t count) {
    if (count)
      builder.loss(name, count, 0);
  };
  report("function without a name (convert with --symbolize and --instr_map)",
         nameless);
  report("record that is not a call: not kept", otherRecords);
  report("exit of a call that began before the recording", withoutEntry);
  report("call without an exit: ended with the one around it, or the thread",
         withoutExit);
  report("record whose time is before that of the one before it", backwards);
}

llvm::Error Reader::read() {
  Run &run = builder.getRun();
  run.producer.name = "XRay";
  run.clock.name = "cycles of the processor";
  for (StringRef rest = input.bytes; !rest.empty();) {
    ++number;
    if (llvm::Error error = readLine(takeLine(rest)))
      return error;
  }
  if (!hasRecords)
    return fail("the file ends before its records");
  finish();
  return llvm::Error::success();
}

static llvm::Error read(const ImportInput &input, ProfileBuilder &builder) {
  return Reader(input, builder).read();
}

Importer importer::XRayYaml() {
  return {"xray-yaml", "XRay logs that llvm-xray convert wrote as YAML", detect,
          read};
}
