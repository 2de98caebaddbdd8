//===- AttributeWriter.cpp - Types and attributes in canonical forms ------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CanonicalForm.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::optimize;

static constexpr unsigned kMaxParts = 1 << 12;
static constexpr int64_t kMaxElements = 16;

bool AttributeWriter::isTooMuch(unsigned depth) {
  if (depth < kMaxFormDepth && partsLeft) {
    --partsLeft;
    return false;
  }
  os << "...";
  return true;
}

void AttributeWriter::writeText(StringRef text) {
  os << text.size() << ':' << text;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void AttributeWriter::writeType(Type type) {
  partsLeft = kMaxParts;
  write(type, 0);
}

void AttributeWriter::writeShape(Type type, StringRef kind, unsigned depth) {
  auto shaped = cast<ShapedType>(type);
  auto vector = dyn_cast<VectorType>(type);
  os << kind << '<';
  for (int64_t i = 0; shaped.hasRank() && i != shaped.getRank(); ++i) {
    bool isScalable = vector && vector.getScalableDims()[i];
    os << (isScalable ? "[" : "");
    if (shaped.isDynamicDim(i) || form == ShapeForm::Erased)
      os << '?';
    else
      os << shaped.getDimSize(i);
    os << (isScalable ? "]x" : "x");
  }
  os << (shaped.hasRank() ? "" : "*x");
  write(shaped.getElementType(), depth + 1);
}

void AttributeWriter::write(Type type, unsigned depth) {
  if (isTooMuch(depth))
    return;
  auto list = [&](StringRef open, TypeRange types, StringRef close) {
    os << open;
    llvm::interleave(
        types, os, [&](Type part) { write(part, depth + 1); }, ",");
    os << close;
  };
  auto parameter = [&](Attribute attribute) {
    if (!attribute)
      return;
    os << ',';
    write(attribute, depth + 1);
  };
  llvm::TypeSwitch<Type>(type)
      .Case([&](TensorType tensor) {
        writeShape(type, "tensor", depth);
        if (auto ranked = dyn_cast<RankedTensorType>(type))
          parameter(ranked.getEncoding());
        os << '>';
      })
      .Case([&](VectorType) {
        writeShape(type, "vector", depth);
        os << '>';
      })
      .Case([&](BaseMemRefType memref) {
        writeShape(type, "memref", depth);
        // Strides are sizes.
        auto ranked = dyn_cast<MemRefType>(type);
        if (ranked && !ranked.getLayout().isIdentity() &&
            form == ShapeForm::Exact)
          parameter(ranked.getLayout());
        parameter(memref.getMemorySpace());
        os << '>';
      })
      .Case([&](ComplexType complex) {
        list("complex<", complex.getElementType(), ">");
      })
      .Case([&](TupleType tuple) { list("tuple<", tuple.getTypes(), ">"); })
      .Case([&](FunctionType function) {
        list("(", function.getInputs(), ")->");
        list("(", function.getResults(), ")");
      })
      .Default([&](Type other) { other.print(os); });
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

void AttributeWriter::write(AffineExpr expression, unsigned depth) {
  if (isTooMuch(depth))
    return;
  auto operation = [&](StringRef sign) {
    auto binary = cast<AffineBinaryOpExpr>(expression);
    os << '(';
    write(binary.getLHS(), depth + 1);
    os << sign;
    write(binary.getRHS(), depth + 1);
    os << ')';
  };
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return operation("+");
  case AffineExprKind::Mul:
    return operation("*");
  case AffineExprKind::Mod:
    return operation(" mod ");
  case AffineExprKind::FloorDiv:
    return operation(" floordiv ");
  case AffineExprKind::CeilDiv:
    return operation(" ceildiv ");
  case AffineExprKind::Constant:
    os << cast<AffineConstantExpr>(expression).getValue();
    return;
  case AffineExprKind::DimId:
    os << 'd' << cast<AffineDimExpr>(expression).getPosition();
    return;
  case AffineExprKind::SymbolId:
    os << 's' << cast<AffineSymbolExpr>(expression).getPosition();
    return;
  }
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static void writeInteger(llvm::raw_ostream &os, const APInt &value) {
  // True is 1 where there is one bit.
  value.print(os, /*isSigned=*/value.getBitWidth() != 1);
}

static void writeFloat(llvm::raw_ostream &os, const APFloat &value) {
  SmallString<32> bits;
  value.bitcastToAPInt().toStringUnsigned(bits, 16);
  os << "0x" << bits;
}

/// Elements of other types are told by their type alone.
static void writeValues(llvm::raw_ostream &os, DenseElementsAttr dense,
                        size_t count) {
  os << '[';
  if (dense.getElementType().isIntOrIndex())
    llvm::interleave(
        llvm::make_range(dense.value_begin<APInt>(),
                         dense.value_begin<APInt>() + count),
        os, [&](const APInt &value) { writeInteger(os, value); }, ",");
  else if (isa<FloatType>(dense.getElementType()))
    llvm::interleave(
        llvm::make_range(dense.value_begin<APFloat>(),
                         dense.value_begin<APFloat>() + count),
        os, [&](const APFloat &value) { writeFloat(os, value); }, ",");
  os << ']';
}

void AttributeWriter::writeElements(Attribute attribute, unsigned depth) {
  auto elements = cast<ElementsAttr>(attribute);
  os << "elements ";
  write(Type(elements.getShapedType()), depth + 1);
  auto dense = dyn_cast<DenseElementsAttr>(attribute);
  if (!dense)
    return;
  if (dense.isSplat()) {
    os << " all";
    writeValues(os, dense, 1);
  } else if (dense.getNumElements() <= kMaxElements) {
    writeValues(os, dense, size_t(dense.getNumElements()));
  }
}

void AttributeWriter::write(Attribute attribute, unsigned depth) {
  if (isTooMuch(depth))
    return;
  llvm::TypeSwitch<Attribute>(attribute)
      .Case([&](IntegerAttr integer) {
        writeInteger(os, integer.getValue());
        os << ' ';
        write(integer.getType(), depth + 1);
      })
      .Case([&](FloatAttr number) {
        writeFloat(os, number.getValue());
        os << ' ';
        write(number.getType(), depth + 1);
      })
      .Case([&](StringAttr text) { writeText(text.getValue()); })
      .Case([&](TypeAttr type) { write(type.getValue(), depth + 1); })
      .Case([&](ArrayAttr array) {
        os << '[';
        llvm::interleave(
            array, os, [&](Attribute part) { write(part, depth + 1); }, ",");
        os << ']';
      })
      .Case([&](DictionaryAttr dictionary) {
        os << '{';
        for (NamedAttribute entry : dictionary) {
          writeText(entry.getName().getValue());
          os << '=';
          write(entry.getValue(), depth + 1);
          os << ',';
        }
        os << '}';
      })
      .Case([&](AffineMapAttr map) {
        AffineMap value = map.getValue();
        os << "map " << value.getNumDims() << ' ' << value.getNumSymbols()
           << " (";
        llvm::interleave(
            value.getResults(), os,
            [&](AffineExpr result) { write(result, depth + 1); }, ",");
        os << ')';
      })
      .Case([&](DenseArrayAttr array) { array.print(os); })
      .Case([&](ElementsAttr) { writeElements(attribute, depth); })
      // Where it stands, and numbers that differ from run to run.
      .Case<LocationAttr, DistinctAttr>([&](Attribute) { os << '-'; })
      .Default([&](Attribute other) { other.print(os); });
}

void AttributeWriter::writeAttribute(StringRef name, Attribute attribute) {
  partsLeft = kMaxParts;
  auto sizes = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (sizes && form == ShapeForm::Erased && name.starts_with("static_"))
    os << "array of " << sizes.size();
  else
    write(attribute, 0);
}

void AttributeWriter::writeConstant(Attribute value) {
  partsLeft = kMaxParts;
  Type type;
  if (auto typed = dyn_cast_or_null<TypedAttr>(value))
    type = getElementTypeOrSelf(typed.getType());
  // They are sizes, bounds and offsets.
  if (!type || (type.isIndex() && form == ShapeForm::Erased))
    return;
  os << ' ';
  write(value, 0);
}
