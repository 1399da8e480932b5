package dev.millrace.internal.onnx;

import dev.millrace.internal.protobuf.ProtobufFields;
import dev.millrace.models.tensor.ModelTensor;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The inputs and outputs that a model file declares, read without loading the model: the file is memory-mapped, and
/// its weights are skipped.
///
/// @param inputs without those that are initialised by weights
public record ModelHeader(List<ModelTensor> inputs, List<ModelTensor> outputs) {
    /// Reads a local file in ONNX format.
    ///
    /// @return empty for other files, for a missing one, and for one that does not declare all types and shapes:
    ///     loading the model reports what is wrong with it
    public static Optional<ModelHeader> read(String path) {
        if (!ModelFile.isLocal(path)) {
            return Optional.empty();
        }
        Path file = ModelFile.local(path);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            return Optional.of(
                    new ModelProto(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena)).read());
        } catch (IOException | Undeclared _) {
            return Optional.empty();
        }
    }

    /// The file is not an ONNX model, or does not declare a type or shape.
    private static final class Undeclared extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Undeclared(String what) {
            super(what, null, false, false);
        }
    }

    /// Field numbers are those of `onnx.proto`.
    private static final class ModelProto extends ProtobufFields {
        private static final int GRAPH = 7 << 3 | BYTES;
        private static final int GRAPH_INITIALIZER = 5 << 3 | BYTES;
        private static final int GRAPH_INPUT = 11 << 3 | BYTES;
        private static final int GRAPH_OUTPUT = 12 << 3 | BYTES;
        private static final int TENSOR_NAME = 8 << 3 | BYTES;
        private static final int VALUE_NAME = 1 << 3 | BYTES;
        private static final int VALUE_TYPE = 2 << 3 | BYTES;
        private static final int TYPE_TENSOR = 1 << 3 | BYTES;
        private static final int TENSOR_ELEMENT = 1 << 3 | VARINT;
        private static final int TENSOR_SHAPE = 2 << 3 | BYTES;
        private static final int SHAPE_DIMENSION = 1 << 3 | BYTES;
        private static final int DIMENSION_SIZE = 1 << 3 | VARINT;
        private static final int DIMENSION_NAME = 2 << 3 | BYTES;

        private final long size;
        private final List<ModelTensor> inputs = new ArrayList<>();
        private final List<ModelTensor> outputs = new ArrayList<>();
        private final Set<String> weights = new HashSet<>();

        ModelProto(MemorySegment file) {
            this.size = file.byteSize();
            begin(file, 0);
        }

        ModelHeader read() {
            eachField(size, (tag, end) -> {
                if (tag == GRAPH) {
                    graph(end);
                }
            });
            inputs.removeIf(input -> weights.contains(input.name()));
            if (inputs.isEmpty() || outputs.isEmpty()) {
                throw new Undeclared("there is no graph with inputs and outputs");
            }
            return new ModelHeader(List.copyOf(inputs), List.copyOf(outputs));
        }

        private void graph(long graphEnd) {
            eachField(graphEnd, (tag, end) -> {
                switch (tag) {
                    case GRAPH_INITIALIZER -> weights.add(text(end, TENSOR_NAME));
                    case GRAPH_INPUT -> inputs.add(value(end));
                    case GRAPH_OUTPUT -> outputs.add(value(end));
                    default -> {}
                }
            });
        }

        private ModelTensor value(long valueEnd) {
            String[] name = {""};
            DataType[] element = new DataType[1];
            List<Long> shape = new ArrayList<>();
            List<String> names = new ArrayList<>();
            boolean[] hasShape = new boolean[1];
            eachField(valueEnd, (tag, end) -> {
                if (tag == VALUE_NAME) {
                    name[0] = text(end);
                } else if (tag == VALUE_TYPE) {
                    eachField(end, (kind, kindEnd) -> {
                        if (kind == TYPE_TENSOR) {
                            eachField(kindEnd, (part, partEnd) -> {
                                if (part == TENSOR_ELEMENT) {
                                    element[0] = ElementTypes.ofCode((int) varint(partEnd));
                                } else if (part == TENSOR_SHAPE) {
                                    hasShape[0] = true;
                                    shape(partEnd, shape, names);
                                }
                            });
                        }
                    });
                }
            });
            if (element[0] == null || !hasShape[0]) {
                throw new Undeclared(name[0]);
            }
            return new ModelTensor(name[0], element[0], shape, names);
        }

        private void shape(long shapeEnd, List<Long> shape, List<String> names) {
            eachField(shapeEnd, (tag, end) -> {
                if (tag == SHAPE_DIMENSION) {
                    long[] length = {ModelTensor.OPEN};
                    String[] name = {""};
                    eachField(end, (part, partEnd) -> {
                        if (part == DIMENSION_SIZE) {
                            length[0] = Math.max(ModelTensor.OPEN, varint(partEnd));
                        } else if (part == DIMENSION_NAME) {
                            name[0] = text(partEnd);
                        }
                    });
                    shape.add(length[0]);
                    names.add(name[0]);
                }
            });
        }

        private interface FieldVisitor {
            /// @param end the end of a length-delimited field; of the message for other fields
            void visit(int tag, long end);
        }

        /// Calls the visitor at the value of each field; it may read the value or skip it.
        private void eachField(long messageEnd, FieldVisitor visitor) {
            while (at < messageEnd) {
                long tag = varint(messageEnd);
                if (tag <= 0 || tag > Integer.MAX_VALUE) {
                    throw malformed("a field has the number " + (tag >>> 3));
                }
                if ((tag & 7) == BYTES) {
                    long end = lengthEnd(messageEnd);
                    visitor.visit((int) tag, end);
                    at = end;
                } else {
                    long from = at;
                    visitor.visit((int) tag, messageEnd);
                    at = from;
                    skip((int) tag & 7, messageEnd);
                }
            }
        }

        /// The text of a field in the message that begins here.
        private String text(long messageEnd, int field) {
            String[] found = {""};
            eachField(messageEnd, (tag, end) -> {
                if (tag == field) {
                    found[0] = text(end);
                }
            });
            return found[0];
        }

        private String text(long end) {
            return new String(memory().asSlice(at, end - at).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
        }

        @Override
        protected RuntimeException malformed(String what) {
            return new Undeclared(what);
        }
    }
}
