package dev.millrace.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.internal.lifetime.Lifetime;
import dev.millrace.memory.Allocator;
import dev.millrace.testing.LeakCheck;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TypedAccessTest {
    @RegisterExtension
    final LeakCheck memory = new LeakCheck();

    @Test
    void mapKeepsNullsAndDoesNotShowThemToTheFunction() {
        Column longs = Columns.of(memory.allocator(), DataType.INT64, Arrays.asList(1L, null, 4L, 5L));
        LongColumn slice = (LongColumn) longs.slice(1, 3);
        LongColumn mapped = slice.map(memory.allocator(), value -> 20 / value);
        assertThat(RandomValues.valuesOf(mapped)).containsExactly(null, 5L, 4L);
        DoubleColumn doubles = Columns.ofDoubles(memory.allocator(), 1, 2);
        DoubleColumn halves = doubles.map(memory.allocator(), value -> value / 2);
        assertThat(halves.toArray()).containsExactly(0.5, 1);
        List.of(longs, mapped, doubles, halves).forEach(Column::release);
    }

    @Test
    void aFunctionThatThrowsLeavesNoMemoryBehind() {
        IntColumn ints = Columns.ofInts(memory.allocator(), 1, 0);
        assertThatThrownBy(() -> ints.map(memory.allocator(), value -> 1 / value))
                .isInstanceOf(ArithmeticException.class);
        ints.release();
    }

    @Test
    void arraysGoInAndOutInBulk() {
        Allocator allocator = memory.allocator();
        try (LongBuilder builder = new LongBuilder(allocator, DataType.INT64, 0)) {
            builder.appendNull();
            builder.append(new long[] {1, 2, 3, 4}, 1, 3);
            LongColumn column = builder.build();
            assertThat(RandomValues.valuesOf(column)).containsExactly(null, 2L, 3L, 4L);
            long[] target = new long[3];
            column.copyTo(2, target, 1, 2);
            assertThat(target).containsExactly(0, 3, 4);
            column.release();
        }
    }

    @Test
    void stringsOfEveryKindAreEncodedAndMeasured() {
        String[] strings = {
            "",
            "ascii",
            "é",
            "\0",
            "é\0",
            "\0\0é",
            "日本語",
            "\uD83D\uDE00",
            "lone \uD800 surrogate",
            "x".repeat(100_000),
            "ß".repeat(20_000)
        };
        StringColumn column = Columns.ofStrings(memory.allocator(), strings);
        for (int i = 0; i < strings.length; i++) {
            byte[] encoded = strings[i].getBytes(java.nio.charset.StandardCharsets.UTF_8);
            assertThat(column.byteLength(i)).isEqualTo(encoded.length);
            assertThat(column.bytes(i).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .isEqualTo(encoded);
        }
        column.release();
    }

    @Test
    void offsetsBecomeWideWhenTheDataPassesTheThreshold() {
        try (StringColumnBuilder builder = new StringColumnBuilder(memory.allocator(), 2, 10)) {
            List<String> values = List.of("abc", "defg", "hij", "klmnop", "q", "r", "s", "t", "u", "v");
            values.forEach(builder::append);
            long size = builder.sizeBytes();
            StringColumn column = builder.build();
            assertThat(column.offsetWidth()).isEqualTo(8);
            assertThat(column.sizeBytes()).isEqualTo(size);
            assertThat(column.toArray()).containsExactlyElementsOf(values);
            assertThat(column.slice(2, 3).toArray()).containsExactly("hij", "klmnop", "q");
            column.release();
        }
        try (ListBuilder builder = new ListBuilder(memory.allocator(), DataType.list(DataType.INT32), 0, 2)) {
            builder.append(new int[] {1, 2});
            builder.append((Object) null);
            builder.append(List.of(3, 4, 5));
            ListColumn column = builder.build();
            assertThat(column.offsetWidth()).isEqualTo(8);
            assertThat(RandomValues.valuesOf(column)).containsExactly(List.of(1, 2), null, List.of(3, 4, 5));
            assertThat(((IntColumn) column.get(2)).toArray()).containsExactly(3, 4, 5);
            column.release();
        }
    }

    @Test
    void nestedColumnsGiveTypedViews() {
        DataType.Struct type = DataType.struct(
                new Field("price", DataType.decimal(9, 2)),
                new Field("tags", DataType.map(DataType.UTF8, DataType.INT32)));
        StructColumn column = (StructColumn) Columns.of(
                memory.allocator(),
                type,
                List.of(Map.of("price", new BigDecimal("-3.50"), "tags", Map.of("a", 1)), Map.of()));
        DecimalColumn prices = (DecimalColumn) column.child("price");
        assertThat(prices.get(0)).isEqualTo(new BigDecimal("-3.50"));
        assertThat(prices.low(0)).isEqualTo(-350);
        assertThat(prices.high(0)).isEqualTo(-1);
        MapColumn tags = (MapColumn) column.child(1);
        assertThat(tags.keys().value(tags.start(0))).isEqualTo("a");
        assertThatThrownBy(() -> column.child("cost"))
                .hasMessage("There is no field 'cost' in struct<price: decimal(9, 2), tags: map<utf8, int32>>.");
        column.release();
    }

    @Test
    void aDictionaryStoresEachValueOnce() {
        DictionaryColumn column = (DictionaryColumn)
                Columns.of(memory.allocator(), DataType.dictionary(DataType.UTF8), Arrays.asList("b", "a", null, "b"));
        assertThat(column.dictionary().length()).isEqualTo(2);
        assertThat(column.index(3)).isZero();
        assertThat(column.isNull(2)).isTrue();
        column.release();
    }

    @Test
    void tensorsAreDenseAndCompareByContent() {
        DataType.Tensor type = DataType.tensor(DataType.FLOAT32, 2, 2);
        Tensor one = Tensor.of(new float[] {1, 2, 3, 4}, 2, 2);
        TensorColumn column =
                Columns.ofTensors(memory.allocator(), type, List.of(one, Tensor.of(new float[] {5, 6, 7, 8}, 2, 2)));
        assertThat(column.tensor(0)).isEqualTo(one).hasSameHashCodeAs(one);
        assertThat(column.slice(1, 1).toFloats()).containsExactly(5, 6, 7, 8);
        assertThat(column.segment(1).byteSize()).isEqualTo(16);
        assertThat(one.toString()).isEqualTo("tensor<float32, 2x2> [1.0, 2.0, 3.0, 4.0]");
        assertThatThrownBy(() -> Tensor.of(new float[3], 2, 2))
                .hasMessage("A tensor of shape [2, 2] has 4 elements, not 3.");
        column.release();
    }

    @Test
    void aViewUsedAfterItsLifeSaysSo() {
        LongColumn column = Columns.ofLongs(memory.allocator(), 1, 2);
        Lifetime lifetime = new Lifetime("mapBatches(resize)");
        LongColumn view = column.slice(0, 2);
        view.bindTo(lifetime);
        assertThat(view.get(0)).isEqualTo(1);
        lifetime.end();
        assertThatThrownBy(() -> view.get(0))
                .hasMessageContaining("mapBatches(resize) was used after the function returned");
        column.release();
    }
}
