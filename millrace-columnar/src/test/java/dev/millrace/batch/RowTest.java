package dev.millrace.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.TimeUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowTest {
    private final Allocator allocator = Allocator.root("test", 1 << 24);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    @Test
    void aRowHoldsItsValuesInOrder() {
        Row row = Row.of("id", 1L, "s", "x", "n", null);
        assertThat(row.columns()).containsExactly("id", "s", "n");
        assertThat(row.getLong("id")).isEqualTo(1);
        assertThat(row.getString("s")).isEqualTo("x");
        assertThat(row.isNull("n")).isTrue();
        assertThat(row.has("s")).isTrue();
        assertThat(row.has("t")).isFalse();
        assertThat(row).hasToString("{id: 1, s: x, n: null}");
    }

    @Test
    void namesThatAreEqualButNotTheSameObjectAreFound() {
        Row row = Row.of(new String("id"), 7L);
        assertThat(row.getLong("id")).isEqualTo(7);
    }

    @Test
    void rowsFromMapsBuildersAndManyPairsAreEqual() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("a", 1);
        map.put("b", 2);
        map.put("c", 3);
        map.put("d", 4);
        Row row = Row.of("a", 1, "b", 2, "c", 3, "d", 4);
        assertThat(row).isEqualTo(Row.of(map)).hasSameHashCodeAs(Row.of(map));
        assertThat(Row.builder()
                        .set("a", 0)
                        .set("b", 2)
                        .set("c", 3)
                        .set("d", 4)
                        .set("a", 1)
                        .build())
                .isEqualTo(row);
        assertThat(row.asMap()).isEqualTo(map);
    }

    @Test
    void rowsWithArraysAreEqualByTheirElements() {
        assertThat(Row.of("b", new byte[] {1, 2})).isEqualTo(Row.of("b", new byte[] {1, 2}));
        assertThat(Row.of("b", new byte[] {1, 2})).hasSameHashCodeAs(Row.of("b", new byte[] {1, 2}));
    }

    @Test
    void withWithoutAndRenameMakeNewRows() {
        Row row = Row.of("a", 1, "b", 2);
        assertThat(row.with("b", 3)).isEqualTo(Row.of("a", 1, "b", 3));
        assertThat(row.with("c", 3)).isEqualTo(Row.of("a", 1, "b", 2, "c", 3));
        assertThat(row.without("a")).isEqualTo(Row.of("b", 2));
        assertThat(row.rename("a", "x")).isEqualTo(Row.of("x", 1, "b", 2));
        assertThatThrownBy(() -> row.rename("a", "b")).hasMessage("rename: there is a column 'b' already, beside 'a'.");
        assertThat(row).isEqualTo(Row.of("a", 1, "b", 2));
    }

    @Test
    void anUnknownColumnIsAnErrorThatListsTheColumns() {
        assertThatThrownBy(() -> Row.of("id", 1L, "s", "x").getLong("ID"))
                .isInstanceOf(MillraceException.class)
                .hasMessage("There is no column 'ID' in this row. Did you mean 'id'? The columns are [id, s].");
    }

    @Test
    void aWrongTypeIsAnErrorThatNamesTheGetter() {
        Row row = Row.of("id", 1L, "s", "x");
        assertThatThrownBy(() -> row.getLong("s"))
                .hasMessage("Column 's' is utf8, which getLong does not read. Use getString.");
        assertThatThrownBy(() -> row.getInt("id"))
                .hasMessage("Column 'id' is int64, which getInt does not read. Use getLong.");
        assertThatThrownBy(() -> Row.of("x", null).getDouble("x"))
                .hasMessage("Column 'x' is null in this row, and getDouble has no value for that. Ask isNull first.");
    }

    @Test
    void numbersWiden() {
        Row row = Row.of("i", 3, "f", 1.5f);
        assertThat(row.getLong("i")).isEqualTo(3);
        assertThat(row.getDouble("i")).isEqualTo(3.0);
        assertThat(row.getDouble("f")).isEqualTo(1.5);
        assertThat(row.getDecimal("i")).isEqualTo(BigDecimal.valueOf(3));
    }

    @Test
    void namesAndValuesMustTakeTurns() {
        assertThatThrownBy(() -> Row.of("a", 1, "b"))
                .hasMessage("Row.of takes names and values by turns, not 3 arguments.");
        assertThatThrownBy(() -> Row.of("a", 1, "b", 2, "c", 3, 4, 5))
                .hasMessage("Row.of takes names and values by turns: argument 7 must be a name, not 4.");
    }

    @Test
    void aRowIsSerialisable() throws Exception {
        Row row = Row.of("id", 1L, "list", List.of(1, 2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(row);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(row);
        }
    }

    @Test
    void aCursorReadsEveryTypeOfABlock() {
        Schema schema = Schema.of(
                new Field("l", DataType.INT64),
                new Field("i", DataType.INT32),
                new Field("b", DataType.UINT8),
                new Field("d", DataType.FLOAT64),
                new Field("f", DataType.FLOAT32),
                new Field("s", DataType.UTF8),
                new Field("bool", DataType.BOOL),
                new Field("bin", DataType.BINARY),
                new Field("day", DataType.DATE),
                new Field("at", DataType.timestamp(TimeUnit.MILLISECOND)),
                new Field("list", DataType.list(DataType.INT64)),
                new Field("struct", DataType.struct(new Field("x", DataType.INT32))),
                new Field("cat", DataType.dictionary(DataType.UTF8)));
        LocalDate day = LocalDate.of(2026, 11, 15);
        LocalDateTime at = day.atTime(8, 30);
        try (BlockBuilder builder = new BlockBuilder(allocator, schema, 2)) {
            builder.append(
                    1L, 2, 200, 1.5, 2.5f, "x", true, new byte[] {9}, day, at, List.of(1L, 2L), Map.of("x", 7), "c");
            builder.append(new Object[schema.size()]);
            try (Block block = builder.build()) {
                RowCursor row = new RowCursor(block);
                assertThat(row.getLong("l")).isEqualTo(1);
                assertThat(row.getLong("i")).isEqualTo(2);
                assertThat(row.getInt("i")).isEqualTo(2);
                assertThat(row.getInt("b")).isEqualTo(200);
                assertThat(row.getLong("b")).isEqualTo(200);
                assertThat(row.getDouble("d")).isEqualTo(1.5);
                assertThat(row.getDouble("l")).isEqualTo(1.0);
                assertThat(row.getFloat("f")).isEqualTo(2.5f);
                assertThat(row.getDouble("f")).isEqualTo(2.5);
                assertThat(row.getString("s")).isEqualTo("x");
                assertThat(row.getString("cat")).isEqualTo("c");
                assertThat(row.getBoolean("bool")).isTrue();
                assertThat(row.getBytes("bin")).containsExactly(9);
                assertThat(row.getDate("day")).isEqualTo(day);
                assertThat(row.getDateTime("at")).isEqualTo(at);
                assertThat(row.getList("list")).isEqualTo(List.of(1L, 2L));
                assertThat(row.getRow("struct")).isEqualTo(Row.of("x", 7));
                assertThatThrownBy(() -> row.getLong("at"))
                        .hasMessage("Column 'at' is timestamp[ms], which getLong does not read. Use getDateTime.");
                assertThatThrownBy(() -> row.getInt("l"))
                        .hasMessage("Column 'l' is int64, which getInt does not read. Use getLong.");
                row.moveTo(1);
                assertThat(row.isNull("l")).isTrue();
                assertThat(row.getString("s")).isNull();
                assertThat(row.getRow("struct")).isNull();
                assertThatThrownBy(() -> row.getLong("l")).hasMessageContaining("'l' is null in this row");
                assertThatThrownBy(() -> row.getFloat("f")).hasMessageContaining("'f' is null in this row");
            }
        }
    }

    @Test
    void aCursorIsAnErrorAfterItsEndAndItsCopyIsNot() {
        try (BlockBuilder builder = new BlockBuilder(allocator, Schema.of("id", DataType.INT64), 1)) {
            builder.append(5L);
            try (Block block = builder.build()) {
                RowCursor row = new RowCursor(block);
                Row copy = row.copy();
                row.end();
                assertThatThrownBy(() -> row.getLong("id")).hasMessageContaining("used after the function returned");
                assertThatThrownBy(() -> row.get("id")).hasMessageContaining("used after the function returned");
                assertThatThrownBy(row::columns).hasMessageContaining("used after the function returned");
                assertThat(copy.getLong("id")).isEqualTo(5);
            }
        }
    }

    @Test
    void aWideBlockIsReadByNameToo() {
        Field[] fields = new Field[100];
        Object[] values = new Object[100];
        for (int i = 0; i < 100; i++) {
            fields[i] = new Field("column" + i, DataType.INT64);
            values[i] = (long) i;
        }
        try (BlockBuilder builder = new BlockBuilder(allocator, Schema.of(fields), 1)) {
            builder.append(values);
            try (Block block = builder.build()) {
                RowCursor row = new RowCursor(block);
                for (int i = 0; i < 100; i++) {
                    assertThat(row.getLong("column" + i)).isEqualTo(i);
                }
                assertThat(row.has("column100")).isFalse();
            }
        }
    }
}
