package dev.millrace.type;

import static dev.millrace.type.DataType.*;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TypesTest {
    record Pair(DataType a, DataType b, DataType common) {}

    static List<Pair> pairs() {
        return List.of(
                new Pair(DataType.NULL, UTF8, UTF8),
                new Pair(INT64, INT64, INT64),
                new Pair(INT8, INT32, INT32),
                new Pair(UINT8, UINT16, UINT16),
                new Pair(UINT8, INT8, INT16),
                new Pair(UINT32, INT8, INT64),
                new Pair(UINT64, INT8, INT64),
                new Pair(UINT8, INT64, INT64),
                new Pair(INT64, FLOAT64, FLOAT64),
                new Pair(INT64, FLOAT32, FLOAT64),
                new Pair(INT16, FLOAT32, FLOAT32),
                new Pair(INT8, FLOAT16, FLOAT16),
                new Pair(FLOAT16, FLOAT32, FLOAT32),
                new Pair(decimal(10, 2), decimal(8, 4), decimal(12, 4)),
                new Pair(decimal(10, 2), INT32, decimal(12, 2)),
                new Pair(decimal(10, 2), FLOAT32, FLOAT64),
                new Pair(DATE, timestamp(TimeUnit.MILLISECOND), timestamp(TimeUnit.MILLISECOND)),
                new Pair(time(TimeUnit.SECOND), time(TimeUnit.NANOSECOND), time(TimeUnit.NANOSECOND)),
                new Pair(duration(TimeUnit.SECOND), duration(TimeUnit.MICROSECOND), duration(TimeUnit.MICROSECOND)),
                new Pair(
                        timestamp(TimeUnit.SECOND, "Europe/Berlin"),
                        timestamp(TimeUnit.MICROSECOND, "Asia/Tokyo"),
                        timestamp(TimeUnit.MICROSECOND, "UTC")),
                new Pair(list(DataType.NULL), list(UTF8), list(UTF8)),
                new Pair(list(INT32), list(FLOAT64), list(FLOAT64)),
                new Pair(fixedList(INT32, 3), fixedList(INT64, 3), fixedList(INT64, 3)),
                new Pair(fixedList(INT32, 3), fixedList(INT32, 4), list(INT32)),
                new Pair(fixedList(INT32, 3), list(INT32), list(INT32)),
                new Pair(map(UTF8, INT32), map(UTF8, INT64), map(UTF8, INT64)),
                new Pair(tensor(FLOAT32, 2, 3), tensor(FLOAT64, 2, 3), tensor(FLOAT64, 2, 3)),
                new Pair(tensor(FLOAT32, 2, 3), tensor(FLOAT32, 4, 4), variableTensor(FLOAT32, 2)),
                new Pair(tensor(UINT8, 2, 3), variableTensor(UINT8, 2), variableTensor(UINT8, 2)),
                new Pair(dictionary(UTF8), UTF8, UTF8),
                new Pair(dictionary(INT32), dictionary(INT64), dictionary(INT64)));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void unifiesEitherWay(Pair pair) {
        assertThat(Types.unify(pair.a(), pair.b())).isEqualTo(pair.common());
        assertThat(Types.unify(pair.b(), pair.a())).isEqualTo(pair.common());
    }

    static List<List<DataType>> strangers() {
        return List.of(
                List.of(INT64, UTF8),
                List.of(BOOL, INT8),
                List.of(UTF8, BINARY),
                List.of(DATE, timestamp(TimeUnit.SECOND, "UTC")),
                List.of(timestamp(TimeUnit.SECOND), timestamp(TimeUnit.SECOND, "UTC")),
                List.of(list(INT64), list(UTF8)),
                List.of(list(INT64), struct()),
                List.of(tensor(INT8, 2), tensor(INT8, 2, 2)),
                List.of(decimal(38, 0), decimal(38, 10)));
    }

    @ParameterizedTest
    @MethodSource("strangers")
    void typesWithNothingInCommonAreNamedInTheError(List<DataType> types) {
        assertThatThrownBy(() -> Types.unify(types.get(0), types.get(1)))
                .hasMessage("The types " + types.get(0) + " and " + types.get(1) + " have no common type.");
        assertThatThrownBy(() -> Types.unify(types.get(1), types.get(0)))
                .hasMessageContaining(types.get(0).toString());
    }

    @Test
    void structsMergeFieldByFieldInTheOrderOfTheFirst() {
        DataType a = struct(new Field("x", INT32), new Field("y", UTF8));
        DataType b = struct(new Field("z", BOOL), new Field("x", FLOAT64));
        assertThat(Types.unify(a, b))
                .isEqualTo(struct(new Field("x", FLOAT64), new Field("y", UTF8), new Field("z", BOOL)));
    }

    @Test
    void schemasMergeAndAClashNamesTheColumn() {
        Schema a = Schema.of("id", INT64, "name", UTF8);
        Schema b = Schema.of("name", UTF8, "score", FLOAT32);
        assertThat(Types.unify(a, b).toString()).isEqualTo("id: int64, name: utf8, score: float32");
        assertThatThrownBy(() -> Types.unify(a, Schema.of("id", UTF8)))
                .hasMessage("Column 'id' is int64 in one place and utf8 in another, which have no common type."
                        + " Convert one of them first.");
    }

    @Test
    void aSchemaWithAFieldHasItInThePlaceOfItsNameOrLast() {
        Schema schema = Schema.of("a", DataType.INT64, "b", DataType.UTF8);
        assertThat(schema.with(new Field("a", DataType.BOOL)).toString()).isEqualTo("a: bool, b: utf8");
        assertThat(schema.with(new Field("c", DataType.BOOL)).toString()).isEqualTo("a: int64, b: utf8, c: bool");
        assertThat(schema.names()).containsExactly("a", "b");
    }
}
