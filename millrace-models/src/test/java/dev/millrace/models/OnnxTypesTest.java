package dev.millrace.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.column.Columns;
import dev.millrace.column.Tensor;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every element type that columns and models share, through models that answer what they are given.
class OnnxTypesTest {
    private static List<Object> valuesOf(Batch batch, String column) {
        List<Object> values = new ArrayList<>();
        for (long i = 0; i < batch.rows(); i++) {
            values.add(batch.row(i).get(column));
        }
        return values;
    }

    static Stream<Arguments> plainValues() {
        return Stream.of(
                Arguments.of("float16", DataType.FLOAT16, List.of(1.5f, -2f, 0.25f)),
                Arguments.of("float32", DataType.FLOAT32, List.of(1.1f, -2.2f, 3e30f)),
                Arguments.of("float64", DataType.FLOAT64, List.of(1.1, -2.2, 3e300)),
                Arguments.of("int8", DataType.INT8, List.of((byte) -128, (byte) 0, (byte) 127)),
                Arguments.of("int16", DataType.INT16, List.of((short) -32768, (short) 0, (short) 32767)),
                Arguments.of("int32", DataType.INT32, List.of(Integer.MIN_VALUE, 0, Integer.MAX_VALUE)),
                Arguments.of("int64", DataType.INT64, List.of(Long.MIN_VALUE, 0L, Long.MAX_VALUE)),
                Arguments.of("uint8", DataType.UINT8, List.of((short) 0, (short) 128, (short) 255)),
                Arguments.of("bool", DataType.BOOL, List.of(true, false, true)),
                Arguments.of("string", DataType.UTF8, List.of("", "mill", "Mühle")));
    }

    @ParameterizedTest
    @MethodSource("plainValues")
    void aColumnOfPlainValuesComesBack(String name, DataType type, List<?> values) {
        try (LoadedModel model = TestModels.onnx("value-" + name).create()) {
            Batch in = Batch.of("in", Columns.of(Allocator.collected("test"), type, values));
            Batch out = model.apply(in);
            assertThat(out.schema().type("out")).isEqualTo(type);
            assertThat(valuesOf(out, "out")).isEqualTo(valuesOf(in, "in"));
            assertThat(out.columns()).containsExactly("in", "out");
        }
    }

    static Stream<Arguments> pairs() {
        return Stream.of(
                Arguments.of("float32", Tensor.of(new float[] {1, -2}, 2)),
                Arguments.of("float64", Tensor.of(new double[] {1, -2}, 2)),
                Arguments.of("int8", Tensor.of(new byte[] {1, -2}, 2)),
                Arguments.of("int16", Tensor.of(new short[] {1, -2}, 2)),
                Arguments.of("int32", Tensor.of(new int[] {1, -2}, 2)),
                Arguments.of("int64", Tensor.of(new long[] {1, -2}, 2)),
                Arguments.of("uint8", Tensor.ofUnsigned(new byte[] {1, -2}, 2)),
                Arguments.of("bool", Tensor.ofUnsigned(new byte[] {1, 0}, 2)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aColumnOfTensorsComesBackWithoutACopy(String name, Tensor value) {
        try (LoadedModel model = TestModels.onnx("pair-" + name).create()) {
            Batch out = model.apply(Batch.of("in", new Tensor[] {value, value, value}));
            assertThat(valuesOf(out, "out")).isEqualTo(List.of(value, value, value));
            assertThat(model.copiedBytes()).isZero();
        }
    }

    @Test
    void halfFloatsOfTensorsComeBack() {
        try (LoadedModel model = TestModels.onnx("pair-float16").create()) {
            DataType.Tensor type = DataType.tensor(DataType.FLOAT16, 2);
            short[] halves = {Float.floatToFloat16(1.5f), Float.floatToFloat16(-0.25f)};
            Tensor value =
                    Tensor.copyOf(DataType.FLOAT16, new int[] {2}, java.lang.foreign.MemorySegment.ofArray(halves));
            Batch out =
                    model.apply(Batch.of("in", Columns.of(Allocator.collected("test"), type, List.of(value, value))));
            assertThat(valuesOf(out, "out")).isEqualTo(List.of(value, value));
        }
    }

    @Test
    void wideUnsignedIntegersComeOut() {
        for (String name : List.of("uint16", "uint32", "uint64")) {
            try (LoadedModel model = TestModels.onnx("to-" + name).create()) {
                Batch out = model.apply(Batch.of("in", new float[] {0, 40_000, 65_535}));
                assertThat(out.schema().type("out").toString()).isEqualTo(name);
                assertThat(valuesOf(out, "out"))
                        .extracting(value ->
                                value instanceof BigInteger big ? big.longValue() : ((Number) value).longValue())
                        .containsExactly(0L, 40_000L, 65_535L);
            }
        }
    }
}
