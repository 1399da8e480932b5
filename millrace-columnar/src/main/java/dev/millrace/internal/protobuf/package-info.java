/// Reads protocol buffers without their library: TFRecord files and headers of ONNX models.
@NullMarked
package dev.millrace.internal.protobuf;

import org.jspecify.annotations.NullMarked;
