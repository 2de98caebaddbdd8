// The scopes of load(), which comes before this, as a table.
#include "mlir-prof/Scope/Profiler.h"
#include "mlir-prof/Scope/Styles.h"

#include <cstdio>

int main() {
  mlirprof::scope::Profiler profiler;
  load();
  profiler.stop();
  std::vector<mlirprof::scope::TableRow> rows;
  if (auto problem = profiler.makeTable(rows)) {
    std::puts(problem->what.c_str());
    return 1;
  }
  for (const mlirprof::scope::TableRow &row : rows)
    std::printf("%s: %llu\n", row.name.c_str(), (unsigned long long)row.calls);
  mlirprof::scope::Recording recording;
  mlirprof::scope::StyledText tree;
  if (profiler.read(recording) || writeStyled("tree", {&recording}, {}, tree))
    return 1;
  std::puts(tree.text.c_str());
  return 0;
}
