"""Prints a module with a dispatch of N buffers of three sizes each: wide_dispatch.py N"""

import sys

count = int(sys.argv[1])
buffer = "memref<?x?x?xf32>"
types = ", ".join([buffer] * (count - 1))
values = ", ".join(["%x"] * (count - 1))
print(f"""func.func private @k({types}, {buffer}) attributes {{dispatch.kernel}}
func.func @main(%x: {buffer}, %y: {buffer}) {{
  dispatch.run @k ins({values} : {types}) outs(%y : {buffer}) {{instance = 0 : i32}}
  return
}}""")
