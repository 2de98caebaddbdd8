//===- OddChains.cpp - Chains of unlike ops -------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops that are computed together, that share what they begin as, and that stand
// between others of another form: matrices of one shape, each made of earlier
// ones.
//
//===----------------------------------------------------------------------===//

#include "OddModel.h"

using namespace mlirprof;
using namespace mlirprof::test;

namespace {

class ChainWriter {
public:
  explicit ChainWriter(OddWriter &writer)
      : writer(writer),
        element(writer.pick<std::string>({"f32", "f32", "f64", "i32", "i8"})),
        isFloat(element[0] == 'f'),
        rows(writer.addDim(writer.pick<int64_t>({1, 3, 8, 31}),
                           writer.draw(3) == 0)),
        columns(writer.addDim(writer.pick<int64_t>({2, 7, 16, 33}))) {
    for (unsigned i = 0; i < 2; ++i)
      made.push_back(writer.addArgument({rows, columns}, element));
  }

  void addStep();
  OddTensor pick() { return writer.pick(made); }
  OddTensor getLast() const { return made.back(); }

private:
  /// Floats stay between -1 and 1.
  std::string bound(const std::string &value) const {
    return isFloat ? "    %r = math.tanh " + value + " : " + element + "\n"
                   : "    %r = arith.addi " + value + ", " + value + " : " +
                         element + "\n";
  }
  std::string combine(const std::string &op, const std::string &one,
                      const std::string &other) const {
    return "    %s = " + getArith(op, element) + " " + one + ", " + other +
           " : " + element + "\n" + bound("%s");
  }
  void make(const OddTensor &tensor) { made.push_back(tensor); }
  void combine(const OddTensor &one, const OddTensor &other,
               const std::string &map = "d0, d1");
  void addTransposed();
  void addSum();
  void addTwoResults();
  void addTwoReductions();
  void addShift();
  void addInsertion();
  void addProduct();
  void addLoop();
  /// An op with two results that begin alike, which get names.
  std::pair<OddTensor, OddTensor> addPair(const OddTensor &init,
                                          const std::string &map,
                                          const std::string &kind,
                                          const std::string &lines);

  OddWriter &writer;
  std::string element;
  bool isFloat;
  unsigned rows, columns;
  std::vector<OddTensor> made;
};

} // namespace

void ChainWriter::combine(const OddTensor &one, const OddTensor &other,
                          const std::string &map) {
  std::string op = writer.pick<std::string>({"add", "sub", "mul"});
  make(writer.addGeneric(
      {one, other}, writer.addEmpty({rows, columns}, element),
      {"d0, d1", map, "d0, d1"}, "pp", combine(op, "%x0", "%x1")));
}

void ChainWriter::addTransposed() {
  OddTensor turned =
      writer.addGeneric({pick()}, writer.addEmpty({columns, rows}, element),
                        {"d1, d0", "d0, d1"}, "pp", bound("%x0"));
  combine(pick(), turned, "d1, d0");
}

void ChainWriter::addSum() {
  OddTensor zeros = writer.addFill({rows}, element, getZero(element));
  OddTensor sums = writer.addGeneric({pick()}, zeros, {"d0, d1", "d0"}, "pr",
                                     "    %r = " + getArith("add", element) +
                                         " %o, %x0 : " + element + "\n");
  combine(pick(), sums, "d0");
}

std::pair<OddTensor, OddTensor> ChainWriter::addPair(const OddTensor &init,
                                                     const std::string &map,
                                                     const std::string &kind,
                                                     const std::string &lines) {
  OddTensor input = pick(), one = init, other = init;
  std::string name = writer.newName(), type = writer.getType(init);
  std::string full = "affine_map<(d0, d1) -> (" + map + ")>";
  writer.add(name +
             ":2 = linalg.generic {indexing_maps = [affine_map<(d0, "
             "d1) -> (d0, d1)>, " +
             full + ", " + full + "], iterator_types = [\"parallel\", \"" +
             kind + "\"]} ins(" + input.name + " : " + writer.getType(input) +
             ") outs(" + init.name + ", " + init.name + " : " + type + ", " +
             type + ") {\n  ^bb0(%x0: " + element + ", %o: " + element +
             ", %p: " + element + "):\n" + lines +
             "    linalg.yield %r, %q : " + element + ", " + element +
             "\n  } -> (" + type + ", " + type + ")");
  one.name = name + "#0";
  other.name = name + "#1";
  return {one, other};
}

void ChainWriter::addTwoResults() {
  auto [one, other] =
      addPair(writer.addEmpty({rows, columns}, element), "d0, d1", "parallel",
              bound("%x0") + "    %q = " + getArith("mul", element) +
                  " %x0, %x0 : " + element + "\n");
  make(one);
  make(other);
}

void ChainWriter::addTwoReductions() {
  OddTensor start = writer.flip()
                        ? writer.addFill({rows}, element, getZero(element))
                        : writer.addArgument({rows}, element);
  std::string largest = isFloat ? "maximumf" : "maxsi";
  auto [sums, tops] = addPair(
      start, "d0", "reduction",
      "    %r = " + getArith("add", element) + " %o, %x0 : " + element +
          "\n    %q = arith." + largest + " %p, %x0 : " + element + "\n");
  combine(pick(), sums, "d0");
  combine(pick(), tops, "d0");
}

/// The row before, by a pad that also crops.
void ChainWriter::addShift() {
  OddTensor input = pick(), shifted = input;
  std::string value = writer.addConstant(isFloat ? "0.5" : "5", element);
  shifted.name = writer.newName();
  std::string type = writer.getType(input);
  std::string by = std::to_string(1 + writer.draw(2));
  writer.add(shifted.name + " = tensor.pad " + input.name + " low[0, " + by +
             "] high[0, -" + by +
             "] {\n  ^bb0(%i: index, %j: index):\n    tensor.yield " + value +
             " : " + element + "\n  } : " + type + " to " + type);
  combine(pick(), shifted);
}

void ChainWriter::addInsertion() {
  OddTensor input = pick(), target = pick(), part = input;
  int64_t count = 1 + writer.draw(writer.getSize(columns));
  auto place = [&] {
    return "[0, " +
           std::to_string(writer.draw(writer.getSize(columns) - count + 1)) +
           "] [" + writer.getSizeText(rows) + ", " + std::to_string(count) +
           "] [1, 1]";
  };
  part.dims = {rows, writer.addDim(count)};
  part.name = writer.newName();
  writer.add(part.name + " = tensor.extract_slice " + input.name + place() +
             " : " + writer.getType(input) + " to " + writer.getType(part));
  OddTensor changed =
      writer.addGeneric({part}, writer.addEmpty(part.dims, element),
                        {"d0, d1", "d0, d1"}, "pp", bound("%x0"));
  OddTensor result = target;
  result.name = writer.newName();
  writer.add(result.name + " = tensor.insert_slice " + changed.name + " into " +
             target.name + place() + " : " + writer.getType(changed) +
             " into " + writer.getType(target));
  make(result);
}

void ChainWriter::addProduct() {
  OddTensor zeros = writer.addFill({rows, columns}, element, getZero(element));
  OddTensor weights = writer.addWeights({columns, columns}, element);
  OddTensor product = writer.addNamed("matmul", {pick(), weights}, zeros);
  combine(pick(), product);
}

void ChainWriter::addLoop() {
  OddTensor start = pick(), carried = start, result = start;
  std::string type = writer.getType(start);
  std::string zero = writer.addConstant("0", "index"),
              one = writer.addConstant("1", "index"),
              end = writer.addConstant(std::to_string(writer.draw(4)), "index");
  result.name = writer.newName();
  carried.name = "%c" + result.name.substr(1);
  writer.add(result.name + " = scf.for %i" + result.name.substr(1) + " = " +
             zero + " to " + end + " step " + one + " iter_args(" +
             carried.name + " = " + start.name + ") -> (" + type + ") {");
  size_t before = made.size();
  combine(carried, pick());
  combine(getLast(), carried);
  writer.add("scf.yield " + getLast().name + " : " + type + "\n  }");
  made.resize(before);
  make(result);
}

void ChainWriter::addStep() {
  switch (writer.draw(10)) {
  case 0:
    return addTransposed();
  case 1:
    return addSum();
  case 2:
    return addTwoResults();
  case 3:
    return addTwoReductions();
  case 4:
    return addShift();
  case 5:
    return addInsertion();
  case 6:
    return addProduct();
  case 7:
    return addLoop();
  default:
    return combine(pick(), pick());
  }
}

void test::writeChain(OddWriter &writer) {
  ChainWriter chain(writer);
  for (unsigned steps = 3 + writer.draw(8); steps > 0; --steps)
    chain.addStep();
  writer.addResult(chain.getLast());
  writer.addResult(chain.pick());
}
