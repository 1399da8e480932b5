/// Reading of protocol buffers without their library: TFRecord files and headers of ONNX models.
package dev.millrace.internal.protobuf;
