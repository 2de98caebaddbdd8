//===- Opts.td - Options of mlir-prof's verbs ------------------*- tablegen -*-//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A verb is a SubCommand here, a file beside this one, and a line in Verbs.cpp.
//
//===----------------------------------------------------------------------===//

include "llvm/Option/OptParser.td"

def import : SubCommand<"import",
  "Read recordings and write a profile (*.mlprof).",
  "mlir-prof import TRACE... -o FILE [options]">;
def report : SubCommand<"report",
  "Print where the time went, as a table.",
  "mlir-prof report PROFILE [--model=FILE] [--by=GROUP] [options]">;
def annotate : SubCommand<"annotate",
  "Write a module with the measured times on its ops.",
  "mlir-prof annotate [MODEL] --profile=PROFILE -o FILE [options]">;
def graph : SubCommand<"graph",
  "Draw the ops, coloured by their time.",
  "mlir-prof graph PROFILE [--model=FILE] --format=FORMAT -o FILE [options]">;
def info : SubCommand<"info",
  "Print versions, the formats read and written, and this machine.",
  "mlir-prof info [options]">;

// An option with a value, written --name=value or --name value.
multiclass Value<string name, list<SubCommand> verbs, string metavar,
                 string help> {
  def NAME#_EQ : Joined<["--"], name#"=", verbs>, MetaVarName<metavar>,
                 HelpText<help>;
  def NAME : Separate<["--"], name, verbs>, Alias<!cast<Option>(NAME#"_EQ")>;
}

def help : Flag<["--"], "help", [import, report, annotate, graph, info]>,
           HelpText<"Print this help.">;
def help_short : Flag<["-"], "h", [import, report, annotate, graph, info]>,
                 Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version.">;

def output : JoinedOrSeparate<["-"], "o", [import, report, annotate, graph]>,
             MetaVarName<"FILE">,
             HelpText<"Write to FILE instead of standard output (-).">;

//===-- Reading ----------------------------------------------------------===//

defm input_format : Value<"input-format", [import, report, annotate, graph],
  "NAME", "Read recordings as NAME instead of detecting their format from the "
  "content (see mlir-prof info).">;
defm model : Value<"model", [import, report, graph], "FILE",
  "The module that was run: MLIR text or bytecode. Not needed when the profile "
  "holds it.">;
defm profile : Value<"profile", [annotate], "FILE",
  "The profile: a recording or a *.mlprof file.">;
defm match : Value<"match", [import, report, annotate, graph], "best|reference",
  "How measured ops find their MLIR ops: with all tiers (best, the default) or "
  "with names, frames, opcodes and shapes only.">;
defm level : Value<"level", [report, annotate, graph],
  "input|tiled|bufferised|loops|llvm|asm",
  "Which level of the lowering to show, of a recording that mlir-prof record "
  "made. Default: input. asm, the machine code, is for report only.">;
def allow_unmatched
  : Flag<["--"], "allow-unmatched", [import, report, annotate, graph]>,
    HelpText<"Go on when the module does not belong to the profile.">;

//===-- import -----------------------------------------------------------===//

def keep_events : Flag<["--"], "keep-events", [import, graph]>,
  HelpText<"Keep the single events, for views of time.">;
def keep_events_EQ : CommaJoined<["--"], "keep-events=", [import]>,
  MetaVarName<"STEP,...">, HelpText<"Keep the events of these steps only.">;

//===-- report -----------------------------------------------------------===//

defm by : Value<"by", [report], "GROUP",
  "What a row stands for: event, op, op-type, mlir-op, mlir-op-type, location, "
  "scope, source, hlo-module or step. Default: mlir-op with a module, else op, "
  "else event.">;
defm sort : Value<"sort", [report], "COLUMN[,...]",
  "Sort by columns; -COLUMN or COLUMN:asc, COLUMN:desc turn the order.">;
defm filter : Value<"filter", [report], "COND",
  "Keep rows that fulfil COLUMN=VALUE, also !=, ~ (substring), <, <=, >, >=; "
  "may be repeated. Times take units: 'self_ps>2ms'.">;
defm top : Value<"top", [report], "N", "Print at most N rows.">;
defm page : Value<"page", [report], "K", "Print the K-th page of N rows.">;
def all : Flag<["--"], "all", [report]>,
  HelpText<"Also rows without any time.">;
defm explain : Value<"explain", [report], "OP",
  "Tell why OP has its time, or why it has none. OP is the index or location "
  "of an MLIR op, or the name of a measured op.">;
defm color : Value<"color", [report, info], "auto|always|never",
  "Colour the text (default: on a terminal, unless NO_COLOR is set).">;

//===-- annotate ---------------------------------------------------------===//

defm carrier : Value<"carrier", [annotate],
  "attribute|location|compat-profiler-data",
  "Where the times go: the attribute prof.data (default), locations, which "
  "survive lowering, or prof.data and profiler_data = {ts, dur}.">;
def compat_profiler_data : Flag<["--"], "compat-profiler-data", [annotate]>,
  HelpText<"Also write profiler_data = {ts, dur}, whatever the carrier.">;
def emit_bytecode : Flag<["--"], "emit-bytecode", [annotate]>,
  HelpText<"Write MLIR bytecode.">;
def no_store : Flag<["--"], "no-store", [annotate]>,
  HelpText<"Do not put the module into the *.mlprof file. Without this, later "
  "verbs need no --model.">;

//===-- graph ------------------------------------------------------------===//

defm kind : Value<"kind", [graph], "dataflow|hlo|overlap",
  "dataflow: the module's ops (default); hlo: the instructions that XLA ran; "
  "overlap: events by overlap in time, a picture of time and not of "
  "dependence.">;
defm hlo_module : Value<"hlo-module", [graph], "NAME",
  "Which HLO module to draw: NAME or NAME(PROGRAM). Default: the one with the "
  "most time.">;
defm step : Value<"step", [graph], "N",
  "Draw one step only (overlap).">;
defm max_nodes : Value<"max-nodes", [graph], "N",
  "Draw at most N boxes in SVG; what does not fit is collapsed.">;
defm palette : Value<"palette", [graph], "heat|viridis",
  "Colours: heat (default, hot is red) or viridis (safe for colour blindness).">;

//===-- info -------------------------------------------------------------===//

def measure : Flag<["--"], "measure", [info]>,
  HelpText<"Also measure the peak of this machine: floating point operations "
  "and bytes of memory a second, which takes about half a second.">;

//===-- Formats ----------------------------------------------------------===//

defm format : Value<"format", [import, report, graph, info], "FORMAT",
  "import: mlprof or json. report, info: text, json or csv. graph: svg, dot, "
  "graphml or mlirgraph.">;
