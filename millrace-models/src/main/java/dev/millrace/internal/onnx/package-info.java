/// ONNX models under `dev.millrace.models`: sessions of onnxruntime, columns as its tensors and back. Columns come in
/// and go out; what onnxruntime needs stays in here.
@NullMarked
package dev.millrace.internal.onnx;

import org.jspecify.annotations.NullMarked;
