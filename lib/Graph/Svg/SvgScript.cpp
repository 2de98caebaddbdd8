//===- SvgScript.cpp - Folding frames -------------------------------------===//
//
// Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SvgPage.h"

using namespace mlirprof;
using namespace mlirprof::graph;

// A folded frame keeps its title bar. The space of its content that nothing
// else needs is removed from the picture by a coordinate map that is the same
// for all elements, so that elements never overlap.
// clang-format off
static constexpr llvm::StringLiteral kScript = R"js(<script><![CDATA[
(function () {
  "use strict";
  var root = document.documentElement;
  var all = function (selector) {
    return Array.prototype.slice.call(root.querySelectorAll(selector));
  };
  var num = function (element, name) { return +element.getAttribute(name); };
  var isHidden = function (element) {
    return element.parentNode.closest(".folded") !== null;
  };
  var bar = num(root, "data-bar");
  var width = num(root, "data-width"), height = num(root, "data-height");
  var top = num(root, "data-top"), least = num(root, "data-least");
  var frames = all(".c").map(function (c) {
    var f = c.querySelector(".f"), h = c.querySelector(".h");
    return { c: c, f: f, h: h, bar: h.querySelector("rect"),
             x: num(f, "x"), y: num(f, "y"), w: num(f, "width"),
             high: num(f, "height"), least: num(c, "data-least") };
  });
  var nodes = all(".n").map(function (n) {
    var at = n.getAttribute("transform").match(/-?[\d.]+/g);
    var r = n.querySelector("rect");
    return { n: n, x: +at[0], y: +at[1], w: num(r, "width"), high: num(r, "height") };
  });
  var wires = all(".w").map(function (w) {
    return { w: w, d: w.getAttribute("d") };
  });

  function union(ranges) {
    var result = [];
    ranges.sort(function (a, b) { return a[0] - b[0]; });
    ranges.forEach(function (r) {
      var last = result[result.length - 1];
      if (last && r[0] <= last[1]) last[1] = Math.max(last[1], r[1]);
      else result.push([r[0], r[1]]);
    });
    return result;
  }
  function subtract(ranges, kept) {
    var result = [];
    ranges.forEach(function (r) {
      var at = r[0];
      kept.forEach(function (k) {
        if (k[1] <= at || k[0] >= r[1]) return;
        if (k[0] > at) result.push([at, k[0]]);
        at = Math.max(at, k[1]);
      });
      if (at < r[1]) result.push([at, r[1]]);
    });
    return result;
  }
  // Removes the free ranges, except the kept ones.
  function mapping(free, kept) {
    var gone = subtract(union(free), union(kept));
    return function (v) {
      var by = 0;
      gone.forEach(function (g) {
        if (v > g[0]) by += Math.min(v, g[1]) - g[0];
      });
      return Math.round((v - by) * 10) / 10;
    };
  }
  function mappings() {
    var freeX = [], freeY = [], keptX = [], keptY = [];
    frames.forEach(function (f) {
      if (isHidden(f.c)) return;
      keptX.push([f.x - 12, f.x + f.least]);
      keptY.push([f.y - 20, f.y + bar], [f.y + f.high, f.y + f.high + 20]);
      if (f.c.classList.contains("folded")) {
        freeX.push([f.x + f.least, f.x + f.w]);
        freeY.push([f.y + bar, f.y + f.high]);
        return;
      }
      keptX.push([f.x + f.w - 14, f.x + f.w + 12]);
      keptY.push([f.y + bar, f.y + bar + 20], [f.y + f.high - 14, f.y + f.high]);
    });
    nodes.forEach(function (n) {
      if (isHidden(n.n)) return;
      keptX.push([n.x - 12, n.x + n.w + 12]);
      keptY.push([n.y - 20, n.y + n.high + 20]);
    });
    wires.forEach(function (w) {
      if (isHidden(w.w)) return;
      w.d.match(/-?[\d.]+,/g).forEach(function (x) {
        keptX.push([parseFloat(x) - 5, parseFloat(x) + 5]);
      });
    });
    return { x: mapping(freeX, keptX), y: mapping(freeY, keptY) };
  }
  function place(element, x, y) {
    element.setAttribute("transform", "translate(" + x + "," + y + ")");
  }
  function updateFrame(f, map) {
    var x = map.x(f.x), y = map.y(f.y), w = map.x(f.x + f.w) - x;
    var folded = f.c.classList.contains("folded");
    f.f.setAttribute("x", x);
    f.f.setAttribute("y", y);
    f.f.setAttribute("width", w);
    f.f.setAttribute("height", map.y(f.y + f.high) - y);
    f.bar.setAttribute("width", w);
    place(f.h, x, y);
    f.h.setAttribute("aria-expanded", String(!folded));
    f.h.querySelector(".sign").setAttribute(
        "d", folded ? "M8,6L15,11L8,16Z" : "M6,8L16,8L11,15Z");
  }
  function update() {
    var map = mappings();
    frames.forEach(function (f) { updateFrame(f, map); });
    nodes.forEach(function (n) { place(n.n, map.x(n.x), map.y(n.y)); });
    wires.forEach(function (w) {
      w.w.setAttribute("d", w.d.replace(/(-?[\d.]+),(-?[\d.]+)/g,
          function (all, x, y) { return map.x(+x) + "," + map.y(+y); }));
    });
    var newWidth = Math.max(least, map.x(width)), newHeight = top + map.y(height);
    root.setAttribute("width", newWidth);
    root.setAttribute("height", newHeight);
    root.setAttribute("viewBox", "0 0 " + newWidth + " " + newHeight);
  }
  frames.forEach(function (f) {
    var toggle = function () { f.c.classList.toggle("folded"); update(); };
    f.h.setAttribute("tabindex", "0");
    f.h.setAttribute("role", "button");
    f.h.setAttribute("aria-expanded", "true");
    f.h.addEventListener("click", toggle);
    f.h.addEventListener("keydown", function (event) {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  });
})();
]]></script>
)js";
// clang-format on

void svg::writeScript(llvm::raw_ostream &os) { os << kScript; }
