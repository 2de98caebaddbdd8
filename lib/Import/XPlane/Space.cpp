//===- Space.cpp - The parts of an XSpace ---------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Space.h"

using namespace mlirprof;
using namespace mlirprof::importer;
using namespace mlirprof::importer::xplane;
using pbf_reader = mlirprof::ProtoReader;

namespace {

/// Walks the fields of a space and of its planes, without entering lines.
class SpaceReader {
public:
  SpaceReader(Space &space, const char *&position)
      : space(space), position(position) {}

  void read(llvm::StringRef bytes);

private:
  void readPlane(pbf_reader reader);
  /// A map entry {key = 1, value = 2}; calls `use(key, value)`.
  template <typename Use>
  void readEntry(pbf_reader entry, Use use);
  void skip(pbf_reader &reader, uint32_t lastKnownField);

  Space &space;
  const char *&position;
};

void SpaceReader::skip(pbf_reader &reader, uint32_t lastKnownField) {
  // A field of a newer version of the format is not an error.
  space.mistypedFields += reader.tag() <= lastKnownField;
  reader.skip();
}

template <typename Use>
void SpaceReader::readEntry(pbf_reader entry, Use use) {
  int64_t key = 0;
  llvm::StringRef value;
  while (entry.next()) {
    switch (entry.tag_and_type()) {
    case varintField(1):
      key = entry.get_int64();
      break;
    case bytesField(2):
      value = toRef(entry.get_view());
      break;
    default:
      skip(entry, 2);
    }
  }
  use(key, value);
}

llvm::StringRef readStatName(llvm::StringRef message) {
  pbf_reader reader(message.data(), message.size());
  llvm::StringRef name;
  while (reader.next()) {
    if (reader.tag_and_type() == bytesField(2))
      name = toRef(reader.get_view());
    else
      reader.skip();
  }
  return name;
}

void SpaceReader::readPlane(pbf_reader reader) {
  Plane &plane = space.planes.emplace_back();
  while (position = reader.data().data(), reader.next()) {
    switch (reader.tag_and_type()) {
    case varintField(1):
      reader.skip();
      break;
    case bytesField(2):
      plane.name = toRef(reader.get_view());
      break;
    case bytesField(3):
      plane.lines.push_back(toRef(reader.get_view()));
      break;
    case bytesField(4):
      readEntry(reader.get_message(), [&](int64_t key, llvm::StringRef value) {
        EventMetadata metadata;
        metadata.message = value;
        plane.eventMetadata.set(key, metadata);
      });
      break;
    case bytesField(5):
      readEntry(reader.get_message(), [&](int64_t key, llvm::StringRef value) {
        StatMetadata metadata;
        metadata.name = readStatName(value);
        metadata.kind = classifyStat(metadata.name);
        plane.statMetadata.set(key, metadata);
      });
      break;
    case bytesField(6):
      plane.stats.push_back(toRef(reader.get_view()));
      break;
    default:
      skip(reader, 6);
    }
  }
  plane.eventMetadata.freeze();
  plane.statMetadata.freeze();
}

void SpaceReader::read(llvm::StringRef bytes) {
  pbf_reader reader(bytes.data(), bytes.size());
  while (position = reader.data().data(), reader.next()) {
    switch (reader.tag_and_type()) {
    case bytesField(1):
      readPlane(reader.get_message());
      break;
    case bytesField(2):
      space.errors.push_back(toRef(reader.get_view()));
      break;
    case bytesField(3):
      space.warnings.push_back(toRef(reader.get_view()));
      break;
    case bytesField(4):
      space.hostnames.push_back(toRef(reader.get_view()));
      break;
    default:
      skip(reader, 4);
    }
  }
}

} // namespace

Space xplane::readSpace(llvm::StringRef bytes, const char *&position) {
  Space space;
  space.inflation.grow(bytes.size());
  SpaceReader(space, position).read(bytes);
  return space;
}
