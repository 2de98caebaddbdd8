//===- RawFile.cpp - The runtime's file in memory -------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RawFile.h"
#include "mlir-prof/Profile/ProfileFile.h"
#include "mlir-prof/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"

#include <cstddef>
#include <cstring>

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::profraw;
using namespace mlirprof::profile;

bool profraw::detect(llvm::StringRef bytes) {
  return bytes.size() >= sizeof(prof_raw_header) &&
         llvm::support::endian::read64le(bytes.data()) == PROF_RAW_MAGIC;
}

namespace {

constexpr llvm::StringLiteral kDamaged =
    "The file is damaged; write it again with prof_rt_write.";

/// Number of bits that valid counts and costs do not exceed.
constexpr unsigned kCountBits = 48;
constexpr unsigned kCostBits = 40;

class Reader {
public:
  Reader(llvm::StringRef bytes, llvm::StringRef where,
         const ProfRawOptions &options)
      : bytes(bytes), where(where), options(options) {}

  llvm::Error read();

  RawFile file;

private:
  llvm::Error fail(const llvm::Twine &what, llvm::StringRef hint = kDamaged) {
    return inputError(where + ": byte " + llvm::Twine(at), what, hint);
  }
  llvm::Error readHeader();
  llvm::Error readSection();
  llvm::Error readPayload(uint64_t type, llvm::StringRef payload);
  llvm::Error readModule();
  llvm::Error readMetadata(llvm::StringRef payload);
  llvm::Error checkProgram();
  bool isPlace(uint64_t word, size_t numbers) const;
  RawRow &getRow(uint64_t word);
  llvm::Error readSlots();
  llvm::Error readInstances();
  llvm::Error readValues();
  llvm::Error readBuckets(llvm::ArrayRef<uint64_t> from, RawSpread &spread);
  llvm::Error readSpread();
  llvm::Error readClock();
  llvm::Error readCounter(llvm::StringRef payload);

  /// Interprets the words from `first` on as records of one type.
  template <typename Record>
  llvm::Error readRecords(std::vector<Record> &records, size_t first = 0);
  template <typename Record>
  llvm::Error readSingle(Record &record, size_t oldest, llvm::StringRef what);

  llvm::StringRef bytes;
  llvm::StringRef where;
  const ProfRawOptions &options;
  size_t at = 0;
  uint64_t sections = 0;
  /// The words of the current section.
  std::vector<uint64_t> words;
  RawModule *module = nullptr;
};

} // namespace

template <typename Record>
llvm::Error Reader::readRecords(std::vector<Record> &records, size_t first) {
  static_assert(sizeof(Record) % sizeof(uint64_t) == 0, "records are words");
  constexpr size_t kWords = sizeof(Record) / sizeof(uint64_t);
  size_t count = (words.size() - first) / kWords;
  if (first + count * kWords != words.size())
    return fail("section ends within a record");
  size_t before = records.size();
  records.resize(before + count);
  if (count)
    std::memcpy(static_cast<void *>(&records[before]), &words[first],
                count * sizeof(Record));
  return llvm::Error::success();
}

/// A single record. A record of an older version is shorter and padded with
/// zeros; for a newer version the rest is ignored.
template <typename Record>
llvm::Error Reader::readSingle(Record &record, size_t oldest,
                               llvm::StringRef what) {
  if (words.size() * sizeof(uint64_t) < oldest)
    return fail(what + " section of a wrong length");
  size_t known = std::min(words.size() * sizeof(uint64_t), sizeof(Record));
  std::memcpy(static_cast<void *>(&record), words.data(), known);
  return llvm::Error::success();
}

llvm::Error Reader::readHeader() {
  if (bytes.size() < sizeof(prof_raw_header) || !detect(bytes))
    return fail("is not a file of the runtime prof_rt");
  const char *data = bytes.data();
  uint64_t version = llvm::support::endian::read64le(data + 8);
  if (version >> 32 != PROF_RAW_MAJOR)
    return fail("is of version " + llvm::Twine(version >> 32) +
                    " of the runtime's format, this program reads version " +
                    llvm::Twine(PROF_RAW_MAJOR),
                "Use the mlir-prof that the runtime came with.");
  if (llvm::support::endian::read64le(data + 16) != bytes.size())
    return fail("is " + llvm::Twine(bytes.size()) + " bytes long, not " +
                llvm::Twine(llvm::support::endian::read64le(data + 16)) +
                " as it says");
  sections = llvm::support::endian::read64le(data + 24);
  at = sizeof(prof_raw_header);
  if (llvm::support::endian::read64le(data + 32) !=
      llvm::crc32(llvm::arrayRefFromStringRef(bytes.drop_front(at))))
    return fail("checksum does not match");
  return llvm::Error::success();
}

llvm::Error Reader::readClock() {
  file.clock = {};
  if (llvm::Error error =
          readSingle(file.clock, offsetof(prof_raw_clock, instance), "clock"))
    return error;
  // More than any probe: products with counts must stay in range.
  for (uint64_t cost :
       {file.clock.inline_window, file.clock.inline_pair,
        file.clock.call_window, file.clock.call_pair, file.clock.instance})
    if (cost >> kCostBits)
      return fail("cost of a probe out of range");
  return llvm::Error::success();
}

llvm::Error Reader::readCounter(llvm::StringRef payload) {
  auto [counter, unit] = payload.rtrim('\0').split(' ');
  constexpr size_t kMost = 64;
  bool isText = !counter.empty() && !unit.empty() && payload.size() <= kMost &&
                llvm::all_of(payload.rtrim('\0'), llvm::isPrint);
  if (!isText)
    return fail("counter that is not a name and a unit");
  file.counter = counter.str();
  file.unit = unit.str();
  return llvm::Error::success();
}

llvm::Error Reader::readModule() {
  module->facts = {};
  return readSingle(module->facts, offsetof(prof_raw_module, code), "module");
}

llvm::Error Reader::readMetadata(llvm::StringRef payload) {
  // Earlier sections were already checked against the first description.
  if (module->isDescribed)
    return fail("second description of a module");
  module->isDescribed = true;
  if (options.program) {
    module->program = *options.program;
    return checkProgram();
  }
  llvm::Expected<Program> program = parseProgram(payload);
  if (!program) {
    std::string what = llvm::toString(program.takeError());
    return fail("description of an instrumented module: " + what,
                "The module was instrumented by another version.");
  }
  module->program = std::move(*program);
  if (module->program.fingerprint.empty())
    module->program.fingerprint = fingerprintProgram(module->program);
  return checkProgram();
}

llvm::Error Reader::checkProgram() {
  const Program &program = module->program;
  if (module->facts.probes != program.probes.size())
    return fail("module has " + llvm::Twine(module->facts.probes) +
                " probes, its description " +
                llvm::Twine(program.probes.size()));
  if (module->facts.tables != program.sites.size())
    return fail("module has " + llvm::Twine(module->facts.tables) +
                " value tables, its description " +
                llvm::Twine(program.sites.size()));
  module->rows.resize(program.probes.size());
  for (uint32_t probe = 0; probe != module->rows.size(); ++probe)
    module->rows[probe].place.number = probe;
  return llvm::Error::success();
}

uint32_t RawModule::findRow(const RawPlace &place) const {
  if (place.instance == trace::kNone)
    return place.number < program.probes.size() ? place.number : trace::kNone;
  auto it = rowOf.find(place);
  return it == rowOf.end() ? trace::kNone : it->second;
}

/// Whether `word` names one of `numbers` places, and a dispatch of the module
/// or none.
bool Reader::isPlace(uint64_t word, size_t numbers) const {
  RawPlace place = decodePlace(word);
  return place.number < numbers &&
         (place.instance == trace::kNone ||
          place.instance < module->program.instances.size());
}

/// The row of a probe for which isPlace() holds.
RawRow &Reader::getRow(uint64_t word) {
  RawPlace place = decodePlace(word);
  uint32_t row = module->findRow(place);
  if (row == trace::kNone) {
    row = uint32_t(module->rows.size());
    module->rowOf[place] = row;
    module->rows.emplace_back().place = place;
  }
  return module->rows[row];
}

llvm::Error Reader::readSlots() {
  if (words.empty())
    return fail("section of slots without a thread");
  std::vector<prof_raw_slot> slots;
  if (llvm::Error error = readRecords(slots, 1))
    return error;
  for (const prof_raw_slot &slot : slots) {
    if (!isPlace(slot.probe, module->program.probes.size()))
      return fail("slot of probe " + llvm::Twine(slot.probe) + " of " +
                  llvm::Twine(module->program.probes.size()));
    if (slot.count >> kCountBits || slot.inside_executions >> kCountBits ||
        slot.direct_executions > slot.inside_executions)
      return fail("count of a probe out of range");
    // Unsigned, so that any values may be added.
    prof_raw_slot &sum = getRow(slot.probe).slot;
    sum.ticks = int64_t(uint64_t(sum.ticks) + uint64_t(slot.ticks));
    sum.count += slot.count;
    sum.inside_ticks =
        int64_t(uint64_t(sum.inside_ticks) + uint64_t(slot.inside_ticks));
    sum.inside_executions += slot.inside_executions;
    sum.direct_executions += slot.direct_executions;
  }
  return llvm::Error::success();
}

llvm::Error Reader::readInstances() {
  if (llvm::Error error = readRecords(module->instances))
    return error;
  for (const prof_raw_instance &record : module->instances)
    if (!isPlace(record.probe, module->program.probes.size()))
      return fail("instance of probe " + llvm::Twine(record.probe) + " of " +
                  llvm::Twine(module->program.probes.size()));
  for (const prof_raw_instance &record : module->instances)
    getRow(record.probe);
  return llvm::Error::success();
}

llvm::Error Reader::readValues() {
  constexpr size_t kHeader = sizeof(prof_raw_values) / sizeof(uint64_t);
  if (words.size() < kHeader)
    return fail("value table without a header");
  RawValues values;
  std::memcpy(&values.header, words.data(), sizeof values.header);
  const std::vector<ValueSite> &sites = module->program.sites;
  if (!isPlace(values.header.table, sites.size()) ||
      values.header.length !=
          sites[decodePlace(values.header.table).number].names.size())
    return fail("value table that the module does not describe");
  // The length is that of a list in memory, so this does not overflow.
  size_t left = words.size() - kHeader;
  size_t each = 1 + size_t(values.header.length);
  if (left % each != 0 || left / each != values.header.tuples)
    return fail("value table of a wrong length");
  values.words.assign(words.begin() + kHeader, words.end());
  module->values.push_back(std::move(values));
  return llvm::Error::success();
}

/// Appends the buckets that contain executions; two words each.
llvm::Error Reader::readBuckets(llvm::ArrayRef<uint64_t> from,
                                RawSpread &spread) {
  for (; !from.empty(); from = from.drop_front(2)) {
    RawSpread::Bucket bucket = {from[0], int64_t(from[1])};
    if (bucket.count >> kCountBits || bucket.ticks < 0)
      return fail("count or ticks of a spread out of range");
    if (bucket.count != 0)
      spread.buckets.push_back(bucket);
  }
  return llvm::Error::success();
}

llvm::Error Reader::readSpread() {
  constexpr size_t kHeader = sizeof(prof_raw_spread) / sizeof(uint64_t);
  for (llvm::ArrayRef<uint64_t> left = words; !left.empty();) {
    prof_raw_spread header;
    if (left.size() < kHeader)
      return fail("spread without a header");
    std::memcpy(&header, left.data(), sizeof header);
    left = left.drop_front(kHeader);
    if (!isPlace(header.probe, module->program.probes.size()) ||
        header.min < 0 || header.min > header.max)
      return fail("spread of a probe out of range");
    if (header.first >= PROF_RAW_SPREAD_BUCKETS ||
        header.buckets > PROF_RAW_SPREAD_BUCKETS - header.first ||
        header.buckets > left.size() / 2)
      return fail("spread with buckets out of range");
    RawSpread &spread = getRow(header.probe).spread;
    spread = {header.min, header.max, {}};
    if (llvm::Error error =
            readBuckets(left.take_front(2 * header.buckets), spread))
      return error;
    left = left.drop_front(2 * header.buckets);
  }
  return llvm::Error::success();
}

llvm::Error Reader::readPayload(uint64_t type, llvm::StringRef payload) {
  switch (type) {
  case PROF_RAW_CLOCK:
    return readClock();
  case PROF_RAW_THREADS:
    return readRecords(file.threads);
  case PROF_RAW_MODULE:
    return readModule();
  case PROF_RAW_METADATA:
    return readMetadata(payload);
  case PROF_RAW_SLOTS:
    return readSlots();
  case PROF_RAW_INSTANCES:
    return readInstances();
  case PROF_RAW_VALUES:
    return readValues();
  case PROF_RAW_LOSSES:
    return readRecords(file.losses);
  case PROF_RAW_SPREAD:
    return readSpread();
  case PROF_RAW_COUNTER:
    return readCounter(payload);
  default:
    ++file.unknownSections;
    return llvm::Error::success();
  }
}

llvm::Error Reader::readSection() {
  if (bytes.size() - at < sizeof(prof_raw_section))
    return fail("ends within a section");
  const char *data = bytes.data() + at;
  uint64_t type = llvm::support::endian::read64le(data);
  uint64_t index = llvm::support::endian::read64le(data + 8);
  uint64_t length = llvm::support::endian::read64le(data + 16);
  size_t begin = at + sizeof(prof_raw_section);
  if (length > bytes.size() - begin)
    return fail("section of " + llvm::Twine(length) + " bytes, " +
                llvm::Twine(bytes.size() - begin) + " are left");
  if (type == PROF_RAW_MODULE && index == file.modules.size())
    file.modules.emplace_back();
  module = index < file.modules.size() ? &file.modules[index] : nullptr;
  bool isOfModule = (type >= PROF_RAW_MODULE && type <= PROF_RAW_VALUES) ||
                    type == PROF_RAW_SPREAD;
  if (isOfModule && !module)
    return fail("section of module " + llvm::Twine(index) + ", there are " +
                llvm::Twine(file.modules.size()));
  llvm::StringRef payload = bytes.substr(begin, length);
  words.clear();
  if (type != PROF_RAW_METADATA && length % 8 != 0)
    return fail("section that is not a sequence of words");
  if (type != PROF_RAW_METADATA)
    for (size_t offset = 0; offset < length; offset += 8)
      words.push_back(llvm::support::endian::read64le(payload.data() + offset));
  if (llvm::Error error = readPayload(type, payload))
    return error;
  at = begin + std::min<size_t>(llvm::alignTo(length, 8), bytes.size() - begin);
  return llvm::Error::success();
}

llvm::Error Reader::read() {
  if (llvm::Error error = readHeader())
    return error;
  uint64_t found = 0;
  for (; at < bytes.size(); ++found)
    if (llvm::Error error = readSection())
      return error;
  if (found != sections)
    return fail("has " + llvm::Twine(found) + " sections, not " +
                llvm::Twine(sections));
  return llvm::Error::success();
}

llvm::Expected<RawFile> profraw::readRawFile(llvm::StringRef bytes,
                                             llvm::StringRef where,
                                             const ProfRawOptions &options) {
  Reader reader(bytes, where, options);
  if (llvm::Error error = reader.read())
    return std::move(error);
  return std::move(reader.file);
}
