/*===- Module.c - The extension mlir_prof._model --------------------------===*
 *
 * Part of mlir-prof, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*/

#include "Model.h"

static PyMethodDef functions[] = {
    {"open", (PyCFunction)(void (*)(void))pmo_open,
     METH_VARARGS | METH_KEYWORDS,
     "open(path, threads=0)\n--\n\nLoads a compiled model (*.mprof) to run on "
     "at most `threads` threads (0: as many as it was compiled for). Its code "
     "can do anything that this process can."},
    {"copy", pmo_copy, METH_VARARGS,
     "copy(data, dtype, shape)\n--\n\nAn Array with the bytes of `data`, of a "
     "type that NumPy does not have: \"bfloat16\"."},
    {"share_memory", pmo_find_sharing, METH_VARARGS,
     "share_memory(first, second)\n--\n\nWhether two arrays have a byte in "
     "common; not so if one does not lend its memory."},
    {NULL, NULL, 0, NULL}};

static int execute(PyObject *module) {
  pmo_model_error = PyErr_NewExceptionWithDoc(
      "mlir_prof._model.ModelError",
      "The code of a model failed; the text names the op.", PyExc_RuntimeError,
      NULL);
  if (!pmo_model_error ||
      PyModule_AddObjectRef(module, "ModelError", pmo_model_error) ||
      PyType_Ready(&pmo_model_type) || PyType_Ready(&pmo_array_type) ||
      PyType_Ready(&pmo_caller_type) ||
      PyModule_AddObjectRef(module, "Model", (PyObject *)&pmo_model_type))
    return -1;
  return PyModule_AddObjectRef(module, "Array", (PyObject *)&pmo_array_type);
}

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)execute},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#endif
    {0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "mlir_prof._model",
    .m_doc = "Compiled models, which run without MLIR.",
    .m_methods = functions,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__model(void) { return PyModuleDef_Init(&definition); }
