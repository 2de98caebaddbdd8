/*===- Module.c - The extension mlir_prof._scopes --------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Scopes.h"

static int add_type(PyObject *module, const char *name, PyTypeObject *type) {
  if (PyType_Ready(type))
    return 0;
  Py_INCREF(type);
  if (!PyModule_AddObject(module, name, (PyObject *)type))
    return 1;
  Py_DECREF(type);
  return 0;
}

static int execute(PyObject *module) {
  /* Types and the cache of names are those of one interpreter. Python 3.12 and
   * later check it themselves. */
  if (PyInterpreterState_Get() != PyInterpreterState_Main()) {
    PyErr_SetString(PyExc_ImportError,
                    "mlir_prof._scopes can be used in the main interpreter "
                    "only");
    return -1;
  }
  prof_scope_sessions(); /* Attaches, so that levels are known. */
  if (!psc_prepare_scopes() || !add_type(module, "scope", &psc_scope_type) ||
      !add_type(module, "timed", &psc_timed_type) ||
      !add_type(module, "Context", &psc_context_type) ||
      !add_type(module, "Strand", &psc_strand_type) ||
      !add_type(module, "Session", &psc_session_type) ||
      !add_type(module, "Recording", &psc_recording_type))
    return -1;
  if (PyModule_AddFunctions(module, psc_switch_functions))
    return -1;
  return PyModule_AddFunctions(module, psc_trace_functions);
}

static void free_module(void *module) { psc_forget_names(); }

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)execute},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030D0000
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "mlir_prof._scopes",
    .m_doc = "The scope profiler: scopes, and recordings of them.",
    .m_methods = psc_functions,
    .m_slots = slots,
    .m_free = free_module,
};

PyMODINIT_FUNC PyInit__scopes(void) { return PyModuleDef_Init(&definition); }
