//===- AuditReport.cpp - Changes that passes made to identities -----------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Transforms/AuditReport.h"

#include "mlir-prof/Support/Units.h"
#include "mlir-prof/Trace/Time.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/JSON.h"

using namespace mlirprof;
using namespace mlirprof::profile;
using namespace mlirprof::trace;
using namespace mlirprof::transforms;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// The total loss of all runs of one pass on one kind of op.
struct KindRow {
  StringRef pass;
  StringRef op;
  uint64_t lost = 0;
  int64_t lostPs = 0;
};

class Auditor {
public:
  Auditor(const AuditLog &log, const Program &program,
          ArrayRef<int64_t> nodeTimePs);

  bool hasTimes() const { return !times.empty(); }
  int64_t getTime(ArrayRef<uint32_t> nodes) const;
  /// By time, then by count.
  std::vector<KindRow> summarize() const;

  const AuditLog &log;
  /// Time of the level whose nodes have the most.
  int64_t totalPs = 0;

private:
  ArrayRef<int64_t> times;
};

} // namespace

Auditor::Auditor(const AuditLog &log, const Program &program,
                 ArrayRef<int64_t> nodeTimePs)
    : log(log), times(nodeTimePs) {
  std::vector<int64_t> perLevel(program.levels.size());
  for (auto [node, time] : llvm::zip(program.nodes, nodeTimePs))
    if (node.level < perLevel.size())
      perLevel[node.level] = saturatingAdd(perLevel[node.level], time);
  for (int64_t time : perLevel)
    totalPs = std::max(totalPs, time);
}

int64_t Auditor::getTime(ArrayRef<uint32_t> nodes) const {
  int64_t sum = 0;
  for (uint32_t node : nodes)
    if (node < times.size())
      sum = saturatingAdd(sum, times[node]);
  return sum;
}

std::vector<KindRow> Auditor::summarize() const {
  llvm::MapVector<std::pair<StringRef, StringRef>, KindRow> kinds;
  llvm::MapVector<std::pair<StringRef, StringRef>, llvm::DenseSet<uint32_t>>
      nodes;
  for (const PassAudit &audit : log.passes)
    for (auto [i, entry] : llvm::enumerate(audit.lostByOp)) {
      std::pair<StringRef, StringRef> key(audit.pass, entry.first);
      KindRow &row = kinds[key];
      row.pass = key.first;
      row.op = key.second;
      row.lost += entry.second;
      if (i < audit.lostNodesByOp.size())
        nodes[key].insert(audit.lostNodesByOp[i].begin(),
                          audit.lostNodesByOp[i].end());
    }
  std::vector<KindRow> rows;
  for (auto &[key, row] : kinds) {
    // A node lost by several runs of the pass counts once.
    const llvm::DenseSet<uint32_t> &set = nodes[key];
    std::vector<uint32_t> list(set.begin(), set.end());
    row.lostPs = getTime(list);
    rows.push_back(row);
  }
  llvm::sort(rows, [](const KindRow &left, const KindRow &right) {
    return std::tie(right.lostPs, right.lost, left.pass, left.op) <
           std::tie(left.lostPs, left.lost, right.pass, right.op);
  });
  return rows;
}

/// Texts of audits contain op names, which may hold any bytes.
static void writeString(llvm::json::OStream &json, StringRef name,
                        StringRef text) {
  json.attribute(name, llvm::json::fixUTF8(text));
}

static void writeNodes(llvm::json::OStream &json, StringRef name,
                       ArrayRef<uint32_t> nodes) {
  json.attributeArray(name, [&] {
    for (uint32_t node : nodes)
      json.value(node);
  });
}

static void writePass(llvm::json::OStream &json, const Auditor &auditor,
                      const PassAudit &audit) {
  json.object([&] {
    writeString(json, "pass", audit.pass);
    writeString(json, "anchor", audit.anchor);
    json.attribute("ops_before", audit.opsBefore);
    json.attribute("ops_after", audit.opsAfter);
    json.attribute("lost", audit.lost());
    json.attribute("repaired", audit.repaired);
    if (auditor.hasTimes())
      json.attribute("lost_ps", auditor.getTime(audit.lostNodes));
    json.attributeArray("lost_by_op", [&] {
      for (const auto &[op, count] : audit.lostByOp)
        json.object([&, &op = op, &count = count] {
          writeString(json, "op", op);
          json.attribute("lost", count);
        });
    });
    writeNodes(json, "lost_nodes", audit.lostNodes);
    writeNodes(json, "gone", audit.gone);
    writeNodes(json, "invented", audit.invented);
  });
}

static void writeJson(const Auditor &auditor, llvm::raw_ostream &os) {
  llvm::json::OStream json(os);
  auto onLine = [&](auto write) {
    json.rawValue([&](llvm::raw_ostream &line) {
      llvm::json::OStream object(line);
      line << '\n';
      write(object);
    });
  };
  json.object([&] {
    json.attribute("schema", "mlir-prof.audit/1");
    if (auditor.hasTimes())
      json.attribute("total_ps", auditor.totalPs);
    json.attributeArray("passes", [&] {
      for (const PassAudit &audit : auditor.log.passes)
        onLine([&](auto &object) { writePass(object, auditor, audit); });
    });
    json.attributeArray("summary", [&] {
      for (const KindRow &row : auditor.summarize())
        onLine([&](llvm::json::OStream &object) {
          object.object([&] {
            writeString(object, "pass", row.pass);
            writeString(object, "op", row.op);
            object.attribute("lost", row.lost);
            if (auditor.hasTimes())
              object.attribute("lost_ps", row.lostPs);
          });
        });
    });
  });
  os << '\n';
}

/// Columns of texts: the first ones left-aligned, numbers right-aligned.
static void writeColumns(ArrayRef<std::vector<std::string>> rows, size_t texts,
                         llvm::raw_ostream &os) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows)
    for (auto [i, cell] : llvm::enumerate(row)) {
      if (i >= widths.size())
        widths.push_back(0);
      widths[i] = std::max(widths[i], cell.size());
    }
  for (const std::vector<std::string> &row : rows) {
    std::string line;
    for (auto [i, cell] : llvm::enumerate(row)) {
      std::string padding(widths[i] - cell.size(), ' ');
      line += (i == 0 ? "" : "  ");
      line += i < texts ? cell + padding : padding + cell;
    }
    os << StringRef(line).rtrim() << '\n';
  }
}

/// Adds cells for the time `ps`, if there are times.
static void addTime(const Auditor &auditor, int64_t ps,
                    std::vector<std::string> &cells) {
  if (!auditor.hasTimes())
    return;
  cells.push_back(formatTime(ps));
  cells.push_back(formatPercent(ps, auditor.totalPs));
}

static void writeTables(const Auditor &auditor, llvm::raw_ostream &os) {
  std::vector<std::vector<std::string>> rows = {{"pass", "on", "ops before",
                                                 "after", "lost", "repaired",
                                                 "gone", "invented"}};
  std::vector<std::vector<std::string>> kinds = {
      {"pass", "kind of op", "lost"}};
  if (auditor.hasTimes())
    for (auto *table : {&rows, &kinds})
      table->front().insert(table->front().end(), {"lost time", "share"});
  for (const PassAudit &audit : auditor.log.passes) {
    rows.push_back(
        {audit.pass, audit.anchor, std::to_string(audit.opsBefore),
         std::to_string(audit.opsAfter), std::to_string(audit.lost()),
         std::to_string(audit.repaired), std::to_string(audit.gone.size()),
         std::to_string(audit.invented.size())});
    addTime(auditor, auditor.getTime(audit.lostNodes), rows.back());
  }
  for (const KindRow &row : auditor.summarize()) {
    kinds.push_back({row.pass.str(), row.op.str(), std::to_string(row.lost)});
    addTime(auditor, row.lostPs, kinds.back());
  }
  os << "Identities, pass by pass\n";
  writeColumns(rows, /*texts=*/2, os);
  if (kinds.size() == 1) {
    os << "\nNo pass lost any.\n";
    return;
  }
  os << "\nLost, by pass and kind of op\n";
  writeColumns(kinds, /*texts=*/2, os);
}

void transforms::writeAudit(const AuditLog &log, const Program &program,
                            ArrayRef<int64_t> nodeTimePs, AuditFormat format,
                            llvm::raw_ostream &os) {
  Auditor auditor(log, program, nodeTimePs);
  if (format == AuditFormat::Json)
    writeJson(auditor, os);
  else
    writeTables(auditor, os);
}
