//===- JsonSchema.h - Names of the fields of an XSpace ----------*- C++ -*-===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_PROF_LIB_IMPORT_XPLANE_JSONSCHEMA_H
#define MLIR_PROF_LIB_IMPORT_XPLANE_JSONSCHEMA_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlirprof::importer::xplane {

enum class FieldKind : uint8_t {
  Int64,
  Uint64,
  Double,
  String,
  Bytes,
  Message,
  Map
};

struct MessageSpec;

struct FieldSpec {
  /// In lower case without underscores: matches `metadata_id`, as in protobuf
  /// text and from older writers, and `metadataId`.
  llvm::StringLiteral name;
  uint32_t number;
  FieldKind kind;
  const MessageSpec *message = nullptr;
};

/// Fields in the order in which they are written; repeated ones may be lists.
struct MessageSpec {
  llvm::ArrayRef<FieldSpec> fields;
};

inline const FieldSpec kStatFields[] = {
    {"metadataid", 1, FieldKind::Int64},
    {"doublevalue", 2, FieldKind::Double},
    {"uint64value", 3, FieldKind::Uint64},
    {"int64value", 4, FieldKind::Int64},
    {"strvalue", 5, FieldKind::String},
    {"bytesvalue", 6, FieldKind::Bytes},
    {"refvalue", 7, FieldKind::Uint64},
    {"compressedstrvalue", 8, FieldKind::Bytes}};
inline const MessageSpec kStat = {kStatFields};

inline const FieldSpec kEventFields[] = {
    {"metadataid", 1, FieldKind::Int64},
    {"offsetps", 2, FieldKind::Int64},
    {"durationps", 3, FieldKind::Int64},
    {"stats", 4, FieldKind::Message, &kStat},
    {"numoccurrences", 5, FieldKind::Int64}};
inline const MessageSpec kEvent = {kEventFields};

inline const FieldSpec kLineFields[] = {
    {"id", 1, FieldKind::Int64},
    {"name", 2, FieldKind::String},
    {"timestampns", 3, FieldKind::Int64},
    {"events", 4, FieldKind::Message, &kEvent},
    {"durationps", 9, FieldKind::Int64},
    {"displayid", 10, FieldKind::Int64},
    {"displayname", 11, FieldKind::String}};
inline const MessageSpec kLine = {kLineFields};

inline const FieldSpec kEventMetadataFields[] = {
    {"id", 1, FieldKind::Int64},
    {"name", 2, FieldKind::String},
    {"metadata", 3, FieldKind::Bytes},
    {"displayname", 4, FieldKind::String},
    {"stats", 5, FieldKind::Message, &kStat},
    {"childid", 6, FieldKind::Int64}};
inline const MessageSpec kEventMetadata = {kEventMetadataFields};

inline const FieldSpec kStatMetadataFields[] = {
    {"id", 1, FieldKind::Int64},
    {"name", 2, FieldKind::String},
    {"description", 3, FieldKind::String}};
inline const MessageSpec kStatMetadata = {kStatMetadataFields};

inline const FieldSpec kPlaneFields[] = {
    {"id", 1, FieldKind::Int64},
    {"name", 2, FieldKind::String},
    {"lines", 3, FieldKind::Message, &kLine},
    {"eventmetadata", 4, FieldKind::Map, &kEventMetadata},
    {"statmetadata", 5, FieldKind::Map, &kStatMetadata},
    {"stats", 6, FieldKind::Message, &kStat}};
inline const MessageSpec kPlane = {kPlaneFields};

inline const FieldSpec kSpaceFields[] = {
    {"planes", 1, FieldKind::Message, &kPlane},
    {"errors", 2, FieldKind::String},
    {"warnings", 3, FieldKind::String},
    {"hostnames", 4, FieldKind::String}};
inline const MessageSpec kSpace = {kSpaceFields};

} // namespace mlirprof::importer::xplane

#endif // MLIR_PROF_LIB_IMPORT_XPLANE_JSONSCHEMA_H
