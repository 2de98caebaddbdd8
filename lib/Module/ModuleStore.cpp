//===- ModuleStore.cpp - Storing modules in profiles ----------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir-prof/Dialect/Prof/LocationCarrier.h"
#include "mlir-prof/Module/LocationTable.h"
#include "mlir-prof/Module/StoredLevel.h"
#include "mlir-prof/Support/Error.h"
#include "mlir-prof/Support/File.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlirprof;
using namespace mlirprof::module;
using namespace mlirprof::profile;

namespace {

/// Values of constants up to this size are kept: shapes, axes, small tables.
constexpr size_t kMaxConstantBytes = 4096;

/// Replaces a large constant by a placeholder of the same type.
class Elider {
public:
  Elider() {
    replacer.addReplacement(
        [this](Attribute attribute)
            -> std::optional<std::pair<Attribute, WalkResult>> {
          Attribute small = shorten(attribute);
          if (small == attribute)
            return std::nullopt;
          return std::make_pair(small, WalkResult::skip());
        });
  }

  /// Whether run() would change an op with `attribute`.
  bool isNeeded(Attribute attribute) {
    return !isa<IntegerAttr, FloatAttr, StringAttr, SymbolRefAttr, UnitAttr,
                AffineMapAttr, DenseArrayAttr>(attribute) &&
           replacer.replace(attribute) != attribute;
  }

  void run(Operation *op) {
    replacer.replaceElementsIn(op, /*replaceAttrs=*/true,
                               /*replaceLocs=*/false, /*replaceTypes=*/false);
  }

  uint64_t count = 0;

private:
  Attribute shorten(Attribute attribute) {
    if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attribute)) {
      if (dense.isSplat() || dense.getRawData().size() <= kMaxConstantBytes)
        return attribute;
      return makeSplat(dense.getType(), attribute);
    }
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute))
      return makeSplat(resource.getType(), attribute);
    if (auto sparse = dyn_cast<SparseElementsAttr>(attribute))
      return sparse.getIndices().getRawData().size() <= kMaxConstantBytes
                 ? attribute
                 : makeSplat(sparse.getType(), attribute);
    // The text of a constant of another dialect (a TensorFlow tensor proto).
    if (auto opaque = dyn_cast<OpaqueAttr>(attribute)) {
      if (opaque.getAttrData().size() <= kMaxConstantBytes)
        return attribute;
      ++count;
      return OpaqueAttr::get(opaque.getDialectNamespace(), "elided",
                             opaque.getType());
    }
    return attribute;
  }

  Attribute makeSplat(ShapedType type, Attribute original) {
    Attribute zero =
        Builder(type.getContext()).getZeroAttr(type.getElementType());
    if (!zero || !type.hasStaticShape())
      return original;
    ++count;
    return DenseElementsAttr::get(type, zero);
  }

  AttrTypeReplacer replacer;
};

/// Locations that nest much deeper make MLIR's printer and writer run out of
/// stack.
constexpr uint32_t kMaxLocationDepth = 500;

/// Replaces locations that nest too deeply by their names and innermost frame.
class LocationShortener {
public:
  /// Whether run() would change anything.
  bool isNeeded(Operation *root) {
    return root
        ->walk([&](Operation *op) {
          bool isDeep = nestsDeeply(op->getLoc());
          for (Region &region : op->getRegions())
            for (Block &block : region)
              for (BlockArgument argument : block.getArguments())
                isDeep |= nestsDeeply(argument.getLoc());
          return isDeep ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  uint64_t run(Operation *root) {
    root->walk([&](Operation *op) {
      op->setLoc(shorten(op->getLoc()));
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            argument.setLoc(shorten(argument.getLoc()));
    });
    return count;
  }

private:
  bool nestsDeeply(Location location) {
    return locations.get(locations.add(location)).depth > kMaxLocationDepth;
  }

  Location shorten(Location location) {
    uint32_t number = locations.add(location);
    const LocationInfo &info = locations.get(number);
    if (info.depth <= kMaxLocationDepth)
      return location;
    ++count;
    MLIRContext *context = location.getContext();
    Location frame = UnknownLoc::get(context);
    if (const Frame &from =
            info.getUserFrame() ? info.getUserFrame() : info.frame)
      frame = FileLineColLoc::get(context, from.file, from.line, from.column);
    SmallVector<Location> parts;
    for (uint32_t name : info.names)
      parts.push_back(NameLoc::get(
          StringAttr::get(context, locations.getName(name)), frame));
    return carryAgain(location,
                      parts.empty() ? frame : FusedLoc::get(context, parts));
  }

  /// `to` with the profile data of `from`.
  static Location carryAgain(Location from, Location to) {
    SmallVector<prof::CarriedData> carried;
    prof::collectData(from, carried);
    SmallVector<Location> parts;
    for (const prof::CarriedData &data : carried)
      parts.push_back(prof::carryData(to, data.source, data.data));
    if (!parts.empty())
      to = FusedLoc::get(from.getContext(), parts);
    prof::CoverageAttr coverage = prof::findCoverage(from);
    return coverage ? prof::carryCoverage(to, coverage) : to;
  }

  LocationTable locations;
  uint64_t count = 0;
};

} // namespace

uint64_t module::shortenLocations(Operation *root) {
  return LocationShortener().run(root);
}

uint64_t module::elideConstants(Operation *root) {
  Elider elider;
  root->walk([&](Operation *op) { elider.run(op); });
  return elider.count;
}

bool module::isLargeConstant(ElementsAttr elements) {
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements)) {
    // For a splat, the size of one element.
    uint64_t bytes = dense.getRawData().size();
    uint64_t elements = dense.isSplat() ? dense.getNumElements() : 1;
    return llvm::SaturatingMultiply(bytes, elements) > kMaxConstantBytes;
  }
  return true;
}

DictionaryAttr module::getAllAttributes(Operation *op) {
  DictionaryAttr own = op->getAttrDictionary();
  if (op->isRegistered() || op->getPropertiesStorageSize() == 0)
    return own;
  auto properties =
      dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute());
  if (!properties || own.empty())
    return properties ? properties : own;
  NamedAttrList all(properties);
  for (NamedAttribute attribute : own)
    all.set(attribute.getName(), attribute.getValue());
  return all.getDictionary(op->getContext());
}

/// XXH3 of the bytes of `elements`; 0 for a splat or if they are unavailable.
static uint64_t hashBytes(ElementsAttr elements) {
  auto hash = [](ArrayRef<char> data) {
    return llvm::xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(data.data()), data.size()));
  };
  if (auto dense = dyn_cast<DenseIntOrFPElementsAttr>(elements))
    return dense.isSplat() ? 0 : hash(dense.getRawData());
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      return hash(blob->getData());
  return 0;
}

static uint64_t hashValues(DictionaryAttr attributes,
                           llvm::function_ref<uint64_t(ElementsAttr)> hash) {
  uint64_t sum = 0;
  for (NamedAttribute attribute : attributes)
    if (auto elements = dyn_cast<ElementsAttr>(attribute.getValue()))
      if (uint64_t own = hash(elements))
        sum = sum * 0x9E3779B97F4A7C15ull + own;
  return sum;
}

uint64_t module::hashValues(Operation *op) {
  return ::hashValues(getAllAttributes(op), hashBytes);
}

uint64_t ValueHashes::get(ElementsAttr elements) {
  auto [known, isNew] = hashes.try_emplace(elements, 0);
  if (!isNew)
    return known->second;
  known->second = hashBytes(elements);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(elements))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      resources[{blob->getData().data(), blob->getData().size()}] =
          known->second;
  return known->second;
}

/// The last constant counts, of several that had the memory in turn.
std::optional<uint64_t> ValueHashes::find(ArrayRef<char> bytes) const {
  auto known = resources.find({bytes.data(), bytes.size()});
  return known == resources.end() ? std::nullopt : std::optional(known->second);
}

/// Calls `visit` with the attributes of `op`: making a dictionary of them takes
/// longer than looking at them.
static void visitAttributes(Operation *op,
                            llvm::function_ref<void(Attribute)> visit) {
  DictionaryAttr others =
      op->isRegistered() ? op->getRawDictionaryAttrs() : getAllAttributes(op);
  for (NamedAttribute attribute : others)
    visit(attribute.getValue());
  if (!op->isRegistered() || op->getPropertiesStorageSize() == 0)
    return;
  for (StringAttr name : op->getName().getAttributeNames()) {
    // They are numbers, of which each call makes an attribute.
    if (name == "operandSegmentSizes" || name == "resultSegmentSizes")
      continue;
    if (std::optional<Attribute> attribute = op->getInherentAttr(name))
      if (*attribute)
        visit(*attribute);
  }
}

namespace {
/// The facts for storing a module, found in one walk.
struct StoreScan {
  StoreScan(Operation *root, ValueHashes &hashes);

  uint64_t operations = 0;
  /// The values of the constants that elideConstants shortens.
  std::vector<ElidedValues> values;
  /// The ops that it changes.
  std::vector<Operation *> elided;
};
} // namespace

StoreScan::StoreScan(Operation *root, ValueHashes &hashes) {
  Elider elider;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto own = uint32_t(operations++);
    bool isElided = false, isLarge = false;
    visitAttributes(op, [&](Attribute attribute) {
      isElided |= elider.isNeeded(attribute);
      auto elements = dyn_cast<ElementsAttr>(attribute);
      isLarge |= elements && isLargeConstant(elements);
    });
    if (isElided)
      elided.push_back(op);
    if (!isLarge)
      return;
    if (uint64_t hash =
            ::hashValues(getAllAttributes(op), [&](ElementsAttr elements) {
              return hashes.get(elements);
            }))
      values.push_back({own, hash});
  });
}

static uint64_t countOps(Operation *root) {
  uint64_t count = 0;
  root->walk([&](Operation *) { ++count; });
  return count;
}

llvm::Error module::setBytecode(IrModule &stored, Operation *root) {
  stored.bytecode.clear();
  llvm::raw_string_ostream os(stored.bytecode);
  if (failed(writeBytecodeToFile(root, os, BytecodeWriterConfig("mlir-prof"))))
    return inputError(stored.source,
                      "MLIR cannot write this module as bytecode");
  stored.fingerprint = contentHash(stored.bytecode);
  return llvm::Error::success();
}

static IrModule describe(StoreScan scan, StringRef level, Operation *root,
                         StringRef source) {
  IrModule stored;
  stored.values = std::move(scan.values);
  stored.level = level;
  stored.source = source;
  if (auto name = root->getAttrOfType<StringAttr>("sym_name"))
    stored.name = name.getValue();
  stored.operations = scan.operations;
  return stored;
}

/// Changes the ops that `scan` has found in `root`; returns their number.
static uint64_t shorten(ArrayRef<Operation *> elided, Operation *root) {
  Elider elider;
  for (Operation *op : elided)
    elider.run(op);
  return elider.count + shortenLocations(root);
}

IrModule module::shortenToStored(Operation *root, StringRef level,
                                 StringRef source, ValueHashes &hashes) {
  StoreScan scan(root, hashes);
  std::vector<Operation *> elided = std::move(scan.elided);
  IrModule stored = describe(std::move(scan), level, root, source);
  stored.elided = shorten(elided, root);
  return stored;
}

OwningOpRef<ModuleOp> module::readOwnLevel(const IrModule &level,
                                           MLIRContext &context) {
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  return parseSourceString<ModuleOp>(level.bytecode, config);
}

llvm::Error module::storeModule(Profile &profile, StringRef level,
                                Operation *root, StringRef source,
                                ValueHashes *hashes) {
  ValueHashes own;
  StoreScan scan(root, hashes ? *hashes : own);
  std::vector<Operation *> elided = std::move(scan.elided);
  IrModule stored = describe(std::move(scan), level, root, source);
  OwningOpRef<Operation *> copy;
  if (!elided.empty() || LocationShortener().isNeeded(root)) {
    IRMapping mapping;
    copy = root->clone(mapping);
    root = *copy;
    for (Operation *&op : elided)
      op = mapping.lookup(op);
    stored.elided = shorten(elided, root);
  }
  if (llvm::Error error = setBytecode(stored, root))
    return error;
  for (IrModule &module : profile.irModules)
    if (module.level == level) {
      stored.program = module.program;
      module = std::move(stored);
      return llvm::Error::success();
    }
  profile.irModules.push_back(std::move(stored));
  return llvm::Error::success();
}

llvm::Expected<OwningOpRef<Operation *>>
module::loadStoredModule(const Profile &profile, StringRef level,
                         MLIRContext &context) {
  const IrModule *stored = profile.findIrModule(level);
  if (!stored)
    return inputError("profile", "holds no module of level '" + level + "'",
                      "Give the module with --model, or store it by importing "
                      "with --model.");
  return loadStoredModule(*stored, context);
}

/// A copy whose address is a multiple of what resources in bytecode require:
/// MLIR aligns them to 64 bytes unless asked for more.
static std::unique_ptr<llvm::MemoryBuffer> copyBytecode(StringRef bytes,
                                                        StringRef name) {
  const llvm::Align page(4096);
  std::unique_ptr<llvm::WritableMemoryBuffer> copy =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(bytes.size(), name,
                                                        page);
  llvm::copy(bytes, copy->getBufferStart());
  return copy;
}

llvm::Expected<OwningOpRef<Operation *>>
module::loadStoredModule(const IrModule &stored, MLIRContext &context) {
  std::string where = "module '" + stored.level + "' in the profile";
  if (stored.fingerprint != contentHash(stored.bytecode))
    return inputError(where, "its bytes do not have its fingerprint",
                      "The profile is damaged; import the recording again.");
  llvm::Expected<OwningOpRef<Operation *>> module =
      parseModule(copyBytecode(stored.bytecode, where), context);
  if (!module)
    return module;
  uint64_t operations = countOps(**module);
  if (operations != stored.operations)
    return inputError(where,
                      "has " + llvm::Twine(operations) +
                          " ops where the "
                          "profile says " +
                          llvm::Twine(stored.operations),
                      "The program that wrote the profile has a bug; import "
                      "the recording again.");
  return module;
}
