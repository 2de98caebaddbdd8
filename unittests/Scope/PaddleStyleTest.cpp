//===- PaddleStyleTest.cpp - Tables as Paddle prints them -----------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The expected texts are those that Paddle printed for the same recordings
// (test/data/recordings/paddle).
//
//===----------------------------------------------------------------------===//

#include "ReadScopes.h"
#include "mlir-prof/Scope/Scope.h"
#include "mlir-prof/Scope/Styles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <map>

using namespace mlirprof;
using namespace mlirprof::scope;
using llvm::StringRef;

static std::string readData(const std::string &name) {
  auto buffer = llvm::MemoryBuffer::getFile(std::string(MLIRPROF_TEST_DIR) +
                                            "/data/recordings/paddle/" + name);
  EXPECT_TRUE(bool(buffer)) << name;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

static std::string writeText(StringRef style, const Recording &recording,
                             const StyleOptions &options) {
  StyledText text;
  std::optional<Problem> problem =
      writeStyled(style, {&recording}, options, text);
  EXPECT_FALSE(problem) << problem->what;
  return text.text;
}

//===----------------------------------------------------------------------===//
// Summaries
//===----------------------------------------------------------------------===//

namespace {

/// Makes a recording of Paddle's own tree.
class TreeReader {
public:
  explicit TreeReader(const std::string &name);
  Recording recording;
  StyleOptions options;

private:
  uint32_t addNode(const llvm::json::Object &node, uint32_t thread);
  void addMemory(const llvm::json::Object &event, uint32_t of);
  int64_t getPs(const llvm::json::Object &node, StringRef key) const {
    return (*node.getInteger(key) - recording.clock.anchorNs) * 1000;
  }
};

} // namespace

static uint16_t parseType(StringRef name) {
  static constexpr const char *kTypes[] = {"Operator",
                                           "Dataloader",
                                           "ProfileStep",
                                           "CudaRuntime",
                                           "Kernel",
                                           "Memcpy",
                                           "Memset",
                                           "UserDefined",
                                           "OperatorInner",
                                           "Forward",
                                           "Backward",
                                           "Optimization",
                                           "Communication",
                                           "PythonOp",
                                           "PythonUserDefined",
                                           "DygraphKernelLaunch",
                                           "StaticKernelLaunch"};
  for (uint16_t type = 0; type != 17; ++type)
    if (name == kTypes[type])
      return type;
  ADD_FAILURE() << name.str();
  return 0;
}

TreeReader::TreeReader(const std::string &name) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(readData(name));
  EXPECT_TRUE(bool(parsed));
  const llvm::json::Object &file = *parsed->getAsObject();
  recording.hasEvents = true;
  recording.clock.anchorNs = 1795357000000000000;
  const llvm::json::Object &extra = *file.getObject("extra");
  auto getRatio = [&](StringRef key) {
    double value = 0;
    EXPECT_FALSE(extra.getString(key)->getAsDouble(value));
    return value;
  };
  options.processUtilization = getRatio("Process Cpu Utilization");
  options.systemUtilization = getRatio("System Cpu Utilization");
  for (const auto &[id, root] : *file.getObject("threads")) {
    Thread thread;
    EXPECT_FALSE(StringRef(id).getAsInteger(10, thread.id));
    recording.threads.push_back(thread);
    if (const llvm::json::Array *of = root.getAsObject()->getArray("children"))
      for (const llvm::json::Value &child : *of)
        addNode(*child.getAsObject(), uint32_t(recording.threads.size() - 1));
  }
}

uint32_t TreeReader::addNode(const llvm::json::Object &node, uint32_t thread) {
  std::vector<uint32_t> children;
  if (const llvm::json::Array *of = node.getArray("children"))
    for (const llvm::json::Value &child : *of)
      children.push_back(addNode(*child.getAsObject(), thread));
  uint32_t index = uint32_t(recording.events.size());
  ScopeEvent &event = recording.events.emplace_back();
  event.first = index;
  event.site = uint32_t(recording.sites.size());
  event.thread = thread;
  event.beginPs = getPs(node, "start_ns");
  event.endPs = getPs(node, "end_ns");
  for (uint32_t child : children)
    recording.events[child].parent = index;
  Site &site = recording.sites.emplace_back();
  site.name = node.getString("name")->str();
  site.type = parseType(*node.getString("type"));
  if (const llvm::json::Array *memory = node.getArray("mem"))
    for (const llvm::json::Value &of : *memory)
      addMemory(*of.getAsObject(), index);
  return index;
}

void TreeReader::addMemory(const llvm::json::Object &of, uint32_t event) {
  MemoryEvent &made = recording.memory.emplace_back();
  made.event = event;
  made.atPs = getPs(of, "ts");
  made.type = llvm::StringSwitch<MemoryType>(*of.getString("type"))
                  .Case("Allocate", MemoryType::Allocate)
                  .Case("Free", MemoryType::Free)
                  .Case("ReservedAllocate", MemoryType::ReservedAllocate)
                  .Default(MemoryType::ReservedFree);
  made.bytes = *of.getInteger("bytes");
  made.peakAllocated = uint64_t(*of.getInteger("peak"));
  // The tree does not have it; Paddle's trace of the same recording has.
  made.peakReserved = 85428;
  StringRef place = *of.getString("place");
  place.consume_front("Place(");
  place.consume_back(")");
  auto it = llvm::find(recording.places, place);
  made.place = uint32_t(it - recording.places.begin());
  if (it == recording.places.end())
    recording.places.push_back(place.str());
}

TEST(PaddleSummary, IsEqual) {
  for (const char *name : {"scopes", "long", "train-mlp"}) {
    SCOPED_TRACE(name);
    TreeReader tree(std::string(name) + ".tree.json");
    StyleOptions options = tree.options;
    options.unit = "us";
    EXPECT_EQ(writeText("paddle-summary", tree.recording, options) + "\n",
              readData(std::string(name) + ".summary-us.txt"));
    options = tree.options;
    options.sort = "CPUMax";
    options.hasOpDetail = false;
    options.separatesThreads = true;
    EXPECT_EQ(writeText("paddle-summary", tree.recording, options) + "\n",
              readData(std::string(name) + ".summary-ms-threads.txt"));
  }
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

namespace {

/// A line of a report: its words with their columns.
struct Line {
  std::string name;
  std::vector<std::pair<size_t, std::string>> words;
};

/// Makes a recording whose calls have the figures of the rows of a report of
/// each thread.
class ReportReader {
public:
  void read(StringRef report);
  Recording recording;

private:
  void addRow(StringRef line, size_t nameColumns);
  uint32_t addEvent(double ms, uint32_t parent);

  int64_t endPs = 0;
  std::map<unsigned, uint32_t> threads;
  uint32_t thread = 0;
  std::vector<uint32_t> path;
};

} // namespace

uint32_t ReportReader::addEvent(double ms, uint32_t parent) {
  uint32_t index = uint32_t(recording.events.size());
  ScopeEvent &event = recording.events.emplace_back();
  event.first = index;
  event.site = uint32_t(recording.sites.size() - 1);
  event.thread = thread;
  event.parent = parent;
  event.endPs = endPs += 1000000000000;
  event.beginPs = endPs - int64_t(ms * 1e9 + 0.5);
  return index;
}

void ReportReader::addRow(StringRef line, size_t nameColumns) {
  StringRef name = line.take_front(nameColumns).rtrim();
  size_t depth = name.find_first_not_of(' ') / 2;
  name = name.ltrim();
  if (name.consume_front("thread")) {
    unsigned number = 0;
    EXPECT_FALSE(name.consumeInteger(10, number));
    EXPECT_TRUE(name.consume_front("::"));
    thread = number;
    while (recording.threads.size() <= thread)
      recording.threads.emplace_back().id = recording.threads.size();
  }
  std::vector<double> numbers;
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line.drop_front(nameColumns), words);
  for (size_t column :
       {size_t(0), size_t(1), words.size() - 4, words.size() - 3}) {
    double &number = numbers.emplace_back();
    EXPECT_FALSE(words[column].getAsDouble(number));
  }
  recording.sites.emplace_back().name = name.str();
  path.resize(depth);
  uint32_t parent = path.empty() ? kNoScope : path.back();
  int calls = int(numbers[0]);
  for (int call = 0; call != calls; ++call) {
    double ms = call == 0 ? numbers[2]
                : call == calls - 1
                    ? numbers[3]
                    : (numbers[1] - numbers[2] - numbers[3]) / (calls - 2);
    uint32_t event = addEvent(ms, parent);
    if (call == 0)
      path.push_back(event);
  }
}

void ReportReader::read(StringRef report) {
  recording.hasEvents = true;
  llvm::SmallVector<StringRef> lines;
  report.split(lines, '\n');
  size_t columns = 0;
  for (StringRef line : lines) {
    if (line.contains("Memory Profiling"))
      break;
    if (line.starts_with("Event   "))
      columns = line.find("Calls");
    else if (columns && !line.empty())
      addRow(line, columns);
  }
}

static std::vector<Line> parseLines(StringRef text) {
  std::vector<Line> lines;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, '\n');
  for (StringRef part : parts) {
    Line &line = lines.emplace_back();
    for (size_t at = part.find_first_not_of(' '); at != StringRef::npos;) {
      size_t end = part.find(' ', at);
      line.words.emplace_back(at, part.slice(at, end).str());
      at = part.find_first_not_of(' ', end);
    }
  }
  return lines;
}

/// The same words at the same places; figures differ in the last digit at most,
/// as those that the recording was made of have six.
static void expectAlike(StringRef found, StringRef expected) {
  std::vector<Line> a = parseLines(found.rtrim('\n'));
  std::vector<Line> b = parseLines(expected.rtrim('\n'));
  ASSERT_EQ(a.size(), b.size()) << found.str();
  for (size_t index = 0; index != a.size(); ++index) {
    ASSERT_EQ(a[index].words.size(), b[index].words.size())
        << "line " << index << " of\n"
        << found.str();
    for (size_t word = 0; word != a[index].words.size(); ++word) {
      const auto &[atA, textA] = a[index].words[word];
      const auto &[atB, textB] = b[index].words[word];
      EXPECT_EQ(atA, atB) << textA << " in line " << index;
      double numberA = 0, numberB = 0;
      if (StringRef(textA).rtrim('%').getAsDouble(numberA) ||
          StringRef(textB).rtrim('%').getAsDouble(numberB))
        EXPECT_EQ(textA, textB) << "line " << index;
      else
        EXPECT_NEAR(numberA, numberB, numberB * 2e-5) << "line " << index;
    }
  }
}

/// The reports of old-reports.txt, by the line above each.
static std::map<std::string, std::string> readReports() {
  std::map<std::string, std::string> reports;
  llvm::SmallVector<StringRef> lines;
  std::string text = readData("old-reports.txt");
  StringRef(text).split(lines, '\n');
  std::string *report = nullptr;
  for (StringRef line : lines) {
    if (line.consume_front("##### ")) {
      report = &reports[line.str()];
      continue;
    }
    // Paddle cuts names at a slash, and with them the thread.
    std::string fixed = line.str();
    if (line.starts_with("b   ") && StringRef(*report).contains("\nthread0::"))
      fixed = "thread0::b" + line.drop_front(10).str();
    if (line.starts_with("enabled") || line.starts_with("W1122"))
      continue;
    if (report)
      *report += fixed + "\n";
  }
  return reports;
}

/// The part of a report that is of each thread.
static StringRef getApart(StringRef report) {
  size_t first = report.find("Profiling Report");
  size_t second = report.find("     Profiling Report", first + 30);
  return second == StringRef::npos ? report : report.drop_front(second);
}

TEST(PaddleReport, IsEqual) {
  std::map<std::string, std::string> reports = readReports();
  ASSERT_EQ(reports.size(), 6u);
  struct Case {
    const char *name, *sort;
  };
  for (const Case &of : {Case{"plain kCPU kDefault kDefault", ""},
                         Case{"plain kCPU kTotal kDefault t", "total"},
                         Case{"hook kCPU kTotal kDefault t", "total"},
                         Case{"compute kCPU kTotal kDefault t", "total"}}) {
    SCOPED_TRACE(of.name);
    const std::string &report = reports[of.name];
    ReportReader reader;
    reader.read(getApart(report));
    StyleOptions options;
    options.sort = of.sort;
    expectAlike(writeText("paddle-report", reader.recording, options), report);
  }
}

/// Without the columns of a device, for a recording that does not have one.
static std::string dropDevice(StringRef report) {
  std::string made;
  llvm::SmallVector<StringRef> lines;
  report.split(lines, '\n');
  size_t at = StringRef::npos;
  for (size_t index = 0; index != lines.size(); ++index) {
    StringRef line = lines[index];
    if (line.starts_with("Event   "))
      at = line.find("CPU Time");
    if (line.empty())
      at = StringRef::npos;
    if (line.starts_with("Place:"))
      made += "Note! The recording does not have scopes of a device: these are "
              "the times of the host.\n";
    made += line.take_front(at).str();
    // Two pairs of 24 columns.
    if (at != StringRef::npos)
      made += line.drop_front(std::min(at + 48, line.size())).str();
    if (index + 1 != lines.size())
      made += "\n";
  }
  return made;
}

TEST(PaddleReport, WithoutADeviceShowsTheHost) {
  std::map<std::string, std::string> reports = readReports();
  const std::string &report = reports["plain kAll kAve kAllOpDetail t"];
  std::string expected = dropDevice(report);
  ReportReader reader;
  reader.read(getApart(report));
  StyleOptions options;
  options.sort = "ave";
  options.state = "All";
  expectAlike(writeText("paddle-report", reader.recording, options), expected);
  options.state = "GPU";
  std::string text = writeText("paddle-report", reader.recording, options);
  EXPECT_NE(text.find("Place: CUDA"), std::string::npos);
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_NE(text.find("27.6275"), std::string::npos);
}

TEST(PaddleReport, ShowsThreadsAsChosen) {
  std::map<std::string, std::string> reports = readReports();
  const std::string &report = reports["plain kCPU kTotal kDefault t"];
  ReportReader reader;
  reader.read(getApart(report));
  StyleOptions options;
  options.sort = "total";
  std::string both = writeText("paddle-report", reader.recording, options);
  options.separatesThreads = true;
  std::string apart = writeText("paddle-report", reader.recording, options);
  options.separatesThreads = false;
  std::string merged = writeText("paddle-report", reader.recording, options);
  size_t memory = merged.find("\n------------------------->    Memory");
  EXPECT_EQ(both, merged.substr(0, memory) + apart);
  EXPECT_EQ(merged.find("thread0::"), std::string::npos);
  EXPECT_EQ(apart.find("merge all thread"), std::string::npos);
}
