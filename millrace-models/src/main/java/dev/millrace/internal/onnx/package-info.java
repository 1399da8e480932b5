/// The implementation of ONNX models for `dev.millrace.models`: sessions of onnxruntime, and the conversion between
/// columns and its tensors. The input and output are columns.
@NullMarked
package dev.millrace.internal.onnx;

import org.jspecify.annotations.NullMarked;
