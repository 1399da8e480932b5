package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.acme.Functions;
import dev.millrace.batch.Row;
import dev.millrace.column.Tensor;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.function.RowFlatFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.function.RowPredicate;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowStepTest {
    private final FakeTask task = new FakeTask();

    @AfterEach
    void nothingIsHeld() {
        task.close();
    }

    private static TransformStep map(RowFunction function) {
        return FakeTask.rows("map(f)", new RowOperation.Map(function));
    }

    private static TransformStep filter(RowPredicate predicate) {
        return FakeTask.rows("filter(p)", new RowOperation.Filter(predicate));
    }

    private static TransformStep flatMap(RowFlatFunction function) {
        return FakeTask.rows("flatMap(f)", new RowOperation.FlatMap(function));
    }

    /// The steps as the plan fuses them.
    private static TransformStep merged(TransformStep first, TransformStep... more) {
        TransformStep all = first;
        for (TransformStep step : more) {
            all = all.mergeWith(step).orElseThrow();
        }
        return all;
    }

    @Test
    void mapAndFilterRunRowByRow() throws Exception {
        List<String> calls = new ArrayList<>();
        task.ids(0, 4)
                .run(merged(
                        map(row -> {
                            calls.add("map " + row.getLong("id"));
                            return Row.of("id", row.getLong("id") * 2, "s", String.valueOf(row.getLong("id")));
                        }),
                        filter(row -> {
                            calls.add("filter " + row.getLong("id"));
                            return row.getLong("id") % 4 == 0;
                        })));
        assertThat(task.rows()).containsExactly(Row.of("id", 0L, "s", "0"), Row.of("id", 4L, "s", "2"));
        assertThat(calls).startsWith("map 0", "filter 0", "map 1", "filter 2");
    }

    @Test
    void filtersAloneKeepTheColumnsExactly() throws Exception {
        try (FakeTask typed = new FakeTask()) {
            typed.input(Row.of("b", (byte) 1, "t", Tensor.of(new float[] {1, 2}, 2)), Row.of("b", (byte) 2, "t", null))
                    .run(merged(filter(row -> row.isNull("t")), filter(row -> row.getInt("b") == 2)));
            assertThat(typed.outputs.getFirst().schema())
                    .isEqualTo(Schema.of(
                            new Field("b", DataType.INT8), new Field("t", DataType.tensor(DataType.FLOAT32, 2))));
            assertThat(typed.rows()).containsExactly(Row.of("b", (byte) 2, "t", null));
        }
    }

    @Test
    void aFilterThatKeepsNothingStillTellsTheSchema() throws Exception {
        task.ids(0, 10).run(filter(_ -> false));
        assertThat(task.outputs).hasSize(1);
        assertThat(task.outputs.getFirst().rows()).isZero();
        assertThat(task.outputs.getFirst().schema()).isEqualTo(Schema.of("id", DataType.INT64));
    }

    @Test
    void flatMapGivesRowsInOrder() throws Exception {
        task.ids(0, 3)
                .run(merged(
                        flatMap(row -> IntStream.range(0, (int) row.getLong("id"))
                                .mapToObj(i -> row.with("i", i))
                                .toList()),
                        map(row -> row.with("j", row.getInt("i") + 1))));
        assertThat(task.rows())
                .containsExactly(
                        Row.of("id", 1L, "i", 0, "j", 1),
                        Row.of("id", 2L, "i", 0, "j", 1),
                        Row.of("id", 2L, "i", 1, "j", 2));
    }

    @Test
    void aRowMayBePassedOnAsItIs() throws Exception {
        task.ids(0, 3).run(flatMap(row -> List.of(row, row)));
        assertThat(task.rows()).extracting(row -> row.getLong("id")).containsExactly(0L, 0L, 1L, 1L, 2L, 2L);
    }

    @Test
    void laterRowsWidenColumnsAndAddNewOnes() throws Exception {
        task.ids(0, 4).run(map(row -> switch ((int) row.getLong("id")) {
            case 0 -> Row.of("a", null);
            case 1 -> Row.of("a", 1L);
            case 2 -> Row.of("b", "new", "a", 2.5);
            default -> Row.of("a", 3);
        }));
        assertThat(task.outputs.getFirst().schema()).isEqualTo(Schema.of("a", DataType.FLOAT64, "b", DataType.UTF8));
        assertThat(task.rows())
                .containsExactly(
                        Row.of("a", null, "b", null),
                        Row.of("a", 1.0, "b", null),
                        Row.of("a", 2.5, "b", "new"),
                        Row.of("a", 3.0, "b", null));
    }

    @Test
    void nestedRowsListsAndRecordsBecomeStructs() throws Exception {
        record Point(int x, int y) {}
        task.ids(0, 1)
                .run(map(_ -> Row.of(
                        "row",
                        Row.of("a", 1),
                        "list",
                        List.of(Row.of("b", 2L)),
                        "map",
                        Map.of("c", Row.of("d", "e")),
                        "point",
                        new Point(1, 2))));
        assertThat(task.rows())
                .containsExactly(Row.of(
                        "row",
                        Map.of("a", 1),
                        "list",
                        List.of(Map.of("b", 2L)),
                        "map",
                        Map.of("c", Map.of("d", "e")),
                        "point",
                        Map.of("x", 1, "y", 2)));
    }

    @Test
    void numbersAndTextsInOneColumnAreAnErrorThatShowsBoth() {
        assertThatThrownBy(() ->
                        task.ids(0, 9).run(map(row -> row.getLong("id") < 7 ? Row.of("v", 1L) : Row.of("v", "seven"))))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith(
                        "map(f) failed on its input block, row 7: Column 'v' was 1 (int64) in a row before and"
                                + " is 'seven' (utf8) now. Return values of one type for a column.");
    }

    @Test
    void aUsersExceptionNamesOperatorRowAndLine() {
        assertThatThrownBy(() -> task.ids(0, 9).run(map(Functions::failOnFive)))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith("map(f) failed on its input block, row 5: IllegalStateException: no fives at"
                        + " com.acme.Functions.failOnFive(Functions.java:")
                .hasCauseInstanceOf(IllegalStateException.class)
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.USER);
    }

    @Test
    void theOperationThatFailedIsNamedInAFusedStep() {
        TransformStep fused = merged(
                map(row -> row),
                FakeTask.rows("filter(second)", new RowOperation.Filter(row -> row.getLong("nope") > 0)),
                map(row -> row));
        assertThatThrownBy(() -> task.ids(0, 3).run(fused))
                .hasMessageStartingWith(
                        "filter(second) failed on its input block, row 0: There is no column 'nope' in this"
                                + " row. The columns are [id].");
        assertThatThrownBy(() -> task.run(map(Functions::misspelt)))
                .hasMessageContaining("(com.acme.Functions.misspelt(Functions.java:");
    }

    @Test
    void aLazyIterableThatFailsIsTheFlatMapsError() {
        TransformStep fused = merged(
                flatMap(row -> () -> List.of(1, 2).stream()
                        .map(i -> {
                            if (i == 2) {
                                throw new IllegalStateException("two");
                            }
                            return row;
                        })
                        .iterator()),
                filter(_ -> true));
        assertThatThrownBy(() -> task.ids(0, 3).run(fused)).hasMessageStartingWith("flatMap(f) failed");
    }

    @Test
    void nullIsNoRow() {
        assertThatThrownBy(() -> task.ids(3, 5).run(map(_ -> null)))
                .hasMessageStartingWith(
                        "map(f) failed on its input block, row 0: It returned null. Return a row; to leave"
                                + " rows out, use filter or flatMap.");
        assertThatThrownBy(() -> task.run(flatMap(_ -> null)))
                .hasMessageContaining("It returned null. Return an empty list for no rows.");
        assertThatThrownBy(() -> task.run(flatMap(_ -> Arrays.asList((Row) null))))
                .hasMessageContaining("It returned null. Leave rows that should not come out of the list.");
    }

    @Test
    void twoColumnsOfOneNameAreAnError() {
        assertThatThrownBy(() -> task.ids(0, 2).run(map(_ -> Row.of("a", 1, "a", 2))))
                .hasMessageContaining("It returned a row with two columns named 'a'. Column names must be unique.");
    }

    @Test
    void aValueThatNoColumnHoldsIsAnErrorThatNamesTheColumn() {
        assertThatThrownBy(() -> task.ids(0, 1).run(map(_ -> Row.of("o", new Functions.Db()))))
                .hasMessageContaining("Column 'o': A value of com.acme.Functions$Db has no column type.");
    }

    @Test
    void aRowThatIsKeptIsAnErrorLater() throws Exception {
        List<Row> kept = new ArrayList<>();
        List<Row> copied = new ArrayList<>();
        task.ids(0, 3).run(map(row -> {
            kept.add(row);
            copied.add(row.copy());
            return row;
        }));
        assertThatThrownBy(() -> kept.getFirst().getLong("id"))
                .hasMessageStartingWith("A batch or column of map(f) was used after the function returned.");
        assertThat(copied).extracting(row -> row.getLong("id")).containsExactly(0L, 1L, 2L);
    }

    @Test
    void largeOutputsLeaveInChunksAndBlocks() throws Exception {
        String text = "x".repeat(1000);
        TransformStep grow = map(row -> Row.of("id", row.getLong("id"), "s", text));
        ChainSpec chain = new ChainSpec("o", List.of(grow), 1 << 20, 64 << 10);
        task.ids(0, 5000).run(new TaskPrograms.MapProgram(chain));
        assertThat(task.outputs.size()).isBetween(4, 6);
        assertThat(task.rows()).hasSize(5000);
        assertThat(task.rows().get(4321).getLong("id")).isEqualTo(4321);
    }
}
