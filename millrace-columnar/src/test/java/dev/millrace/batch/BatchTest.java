package dev.millrace.batch;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.LongColumn;
import dev.millrace.column.Tensor;
import dev.millrace.memory.Allocator;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BatchTest {
    private final Allocator allocator = Allocator.root("test", 1 << 26);

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    /// What a function makes of ids 0 to 9 (5 is null) and their names.
    private List<Row> apply(UnaryOperator<Batch> function) {
        try (BatchScope scope = new BatchScope("test", allocator);
                Block result = scope.toBlock(function.apply(scope.adopt(ids())))) {
            RowCursor cursor = new RowCursor(result);
            List<Row> rows = new java.util.ArrayList<>();
            for (long i = 0; i < result.rows(); i++) {
                cursor.moveTo(i);
                rows.add(cursor.copy());
            }
            return rows;
        }
    }

    private Block ids() {
        Schema schema = Schema.of(
                new Field("id", DataType.INT64), new Field("name", DataType.UTF8), new Field("x", DataType.FLOAT64));
        try (BlockBuilder builder = new BlockBuilder(allocator, schema, 10)) {
            for (long i = 0; i < 10; i++) {
                builder.append(i == 5 ? null : i, "n" + i, i / 2.0);
            }
            return builder.build();
        }
    }

    @Test
    void columnsAreTakenByTheirType() {
        try (BatchScope scope = new BatchScope("test", allocator)) {
            Batch batch = scope.adopt(ids());
            assertThat(batch.rows()).isEqualTo(10);
            assertThat(batch.columns()).containsExactly("id", "name", "x");
            assertThat(batch.longs("id").get(3)).isEqualTo(3);
            assertThat(batch.longs("id").isNull(5)).isTrue();
            assertThat(batch.strings("name").get(3)).isEqualTo("n3");
            assertThat(batch.doubles("x").get(3)).isEqualTo(1.5);
            assertThat(batch.row(5)).isEqualTo(Row.of("id", null, "name", "n5", "x", 2.5));
            assertThatThrownBy(() -> batch.doubles("name"))
                    .hasMessage("Column 'name' is utf8, not a DoubleColumn. Take it with batch.strings(\"name\").");
            assertThatThrownBy(() -> batch.column("Name"))
                    .hasMessage(
                            "There is no column 'Name' in this batch. Did you mean 'name'? The columns are [id, name, x].");
        }
    }

    @Test
    void aBatchAndItsColumnsEndWithTheCall() {
        Batch batch;
        LongColumn ids;
        Batch copy;
        try (BatchScope scope = new BatchScope("mapBatches(resize)", allocator)) {
            batch = scope.adopt(ids());
            ids = batch.longs("id");
            copy = batch.copy();
        }
        assertThatThrownBy(() -> batch.longs("id"))
                .hasMessageStartingWith(
                        "A batch or column of mapBatches(resize) was used after the function returned.");
        assertThatThrownBy(() -> ids.get(0)).hasMessageContaining("used after the function returned");
        assertThat(copy.longs("id").get(9)).isEqualTo(9);
        assertThat(copy.row(5)).isEqualTo(Row.of("id", null, "name", "n5", "x", 2.5));
    }

    @Test
    void whatIsMadeInAnEpisodeEndsWithItAndTheRestWithTheCall() {
        try (BatchScope scope = new BatchScope("flatMapBatches(f)", allocator)) {
            Batch batch = scope.adopt(ids());
            Batch before = batch.with("before", new long[10]);
            LongBuilder early = batch.newLongs();
            for (int i = 0; i < 10; i++) {
                early.append(i);
            }
            scope.nextEpisode();
            long held = allocator.heldBytes();
            Batch made = before.with("early", early).mapDoubles("x", x -> x + 1);
            Batch slice = batch.slice(2, 3);
            try (Block result = scope.toBlock(made)) {
                scope.nextEpisode();
                assertThat(result.column("early").value(9)).isEqualTo(9L);
                assertThatThrownBy(() -> made.doubles("x"))
                        .hasMessageStartingWith(
                                "A batch or column of flatMapBatches(f) was used after its next batch was emitted.");
                assertThatThrownBy(() -> made.with("y", new long[10])).hasMessageContaining("next batch was emitted");
                assertThatThrownBy(() -> scope.toBlock(made)).hasMessageContaining("next batch was emitted");
            }
            assertThat(allocator.heldBytes()).isLessThan(held);
            assertThat(slice.longs("id").get(0)).isEqualTo(2);
            try (Block again = scope.toBlock(before.with("y", new long[10]))) {
                assertThat(again.schema().names()).containsExactly("id", "name", "x", "before", "y");
            }
        }
    }

    @Test
    void whatIsMadeOfABatchAfterItsEndIsNotHeld() {
        Batch batch;
        try (BatchScope scope = new BatchScope("mapBatches(resize)", allocator)) {
            batch = scope.adopt(ids());
        }
        assertThatThrownBy(() -> batch.with("y", new long[10])).hasMessageContaining("after the function returned");
        assertThatThrownBy(() -> batch.withConstant("y", 1L)).hasMessageContaining("after the function returned");
        assertThat(allocator.heldBytes()).isZero();
    }

    @Test
    void columnsAreAddedReplacedDroppedAndRenamed() {
        assertThat(apply(b -> b.slice(0, 1).with("name", new String[] {"y"}).with("n", new int[] {7})))
                .containsExactly(Row.of("id", 0L, "name", "y", "x", 0.0, "n", 7));
        assertThat(apply(b -> b.slice(1, 1).without("x").rename("id", "ID")))
                .containsExactly(Row.of("ID", 1L, "name", "n1"));
        assertThat(apply(b -> b.slice(2, 1).select("x", "id"))).containsExactly(Row.of("x", 1.0, "id", 2L));
        assertThat(apply(b -> b.slice(2, 1).select("id").withConstant("k", "v")))
                .containsExactly(Row.of("id", 2L, "k", "v"));
        assertThatThrownBy(() -> apply(b -> b.without("nope"))).hasMessageContaining("The columns are [id, name, x].");
        assertThatThrownBy(() -> apply(b -> b.rename("id", "x"))).hasMessageContaining("a column 'x' already");
    }

    @Test
    void columnsAreMadeOfArraysListsAndTensors() {
        assertThat(apply(b -> b.none()
                        .with("l", new long[] {1})
                        .with("d", new double[] {1.5})
                        .with("f", new float[] {2.5f})
                        .with("b", new boolean[] {true})
                        .with("list", Arrays.asList((Object) List.of(1L, 2L)))
                        .with("bytes", new byte[][] {{1}})
                        .with("t", new Tensor[] {Tensor.of(new float[] {1, 2}, 2)})))
                .containsExactly(Row.builder()
                        .set("l", 1L)
                        .set("d", 1.5)
                        .set("f", 2.5f)
                        .set("b", true)
                        .set("list", List.of(1L, 2L))
                        .set("bytes", new byte[] {1})
                        .set("t", Tensor.of(new float[] {1, 2}, 2))
                        .build());
        assertThatThrownBy(() -> apply(b -> b.with("k", 5)))
                .hasMessage(
                        "Column 'k' cannot be made of Integer. Give an array, a list of values or a column; the same"
                                + " value in every row is withConstant(name, value).");
        assertThatThrownBy(() -> apply(b -> b.with("k", List.of(1, "x")))).hasMessageStartingWith("Column 'k': ");
    }

    @Test
    void expressionsAreEvaluatedOnTheBatch() {
        assertThat(apply(b -> b.slice(3, 1).with("y", col("x").times(2))))
                .containsExactly(Row.of("id", 3L, "name", "n3", "x", 1.5, "y", 3.0));
        assertThat(apply(b -> b.filter(col("id").gt(7)).select("id")))
                .containsExactly(Row.of("id", 8L), Row.of("id", 9L));
    }

    @Test
    void typedFunctionsSkipNulls() {
        assertThat(apply(b -> b.mapLongs("id", x -> x * 2).slice(4, 3).select("id")))
                .containsExactly(Row.of("id", 8L), Row.of("id", null), Row.of("id", 12L));
        assertThat(apply(b -> b.filterLongs("id", x -> x % 3 == 0).select("id")))
                .containsExactly(Row.of("id", 0L), Row.of("id", 3L), Row.of("id", 6L), Row.of("id", 9L));
        assertThat(apply(b -> b.mapDoubles("x", x -> -x).slice(9, 1).select("x")))
                .containsExactly(Row.of("x", -4.5));
        assertThat(apply(b -> b.mapStrings("name", s -> s.equals("n1") ? null : s + "!")
                        .slice(0, 2)
                        .select("name")))
                .containsExactly(Row.of("name", "n0!"), Row.of("name", null));
        assertThat(apply(b -> b.filterStrings("name", "n7"::equals).select("name")))
                .containsExactly(Row.of("name", "n7"));
        assertThat(apply(b -> b.filterDoubles("x", x -> x > 4).select("x"))).containsExactly(Row.of("x", 4.5));
    }

    @Test
    void everyLambdaGetsItsOwnLoopAndTheSameResults() {
        LongUnaryOperator[] maps = {x -> x + 1, x -> x * 3, x -> -x, x -> x ^ 1};
        LongPredicate[] tests = {x -> x > 10, x -> x % 2 == 0, x -> true, x -> false};
        long[] values = new long[1003];
        Arrays.setAll(values, i -> i * 7L % 101);
        for (LongUnaryOperator map : maps) {
            for (LongPredicate test : tests) {
                Batch batch = Batch.of("v", values).mapLongs("v", map).filterLongs("v", test);
                assertThat(batch.longs("v").toArray())
                        .isEqualTo(Arrays.stream(values).map(map).filter(test).toArray());
            }
        }
        int[] ints = Arrays.stream(values).mapToInt(v -> (int) v).toArray();
        assertThat(Batch.of("v", ints)
                        .mapInts("v", x -> x + 1)
                        .filterInts("v", x -> x > 50)
                        .ints("v")
                        .toArray())
                .isEqualTo(
                        Arrays.stream(ints).map(x -> x + 1).filter(x -> x > 50).toArray());
        assertThat(Batch.of("v", new float[] {1, 2, 3})
                        .mapFloats("v", x -> x / 2)
                        .filterFloats("v", x -> x >= 1)
                        .floats("v")
                        .toArray())
                .containsExactly(1f, 1.5f);
    }

    @Test
    void rowsAreChosenByMaskByPositionAndByPredicate() {
        assertThat(apply(b ->
                        b.slice(0, 3).filter(new boolean[] {true, false, true}).select("id")))
                .containsExactly(Row.of("id", 0L), Row.of("id", 2L));
        assertThat(apply(b -> b.take(9, 0, 9).select("id")))
                .containsExactly(Row.of("id", 9L), Row.of("id", 0L), Row.of("id", 9L));
        assertThat(apply(b -> b.filterRows(row -> !row.isNull("id") && row.getLong("id") == 4)
                        .select("name")))
                .containsExactly(Row.of("name", "n4"));
        assertThatThrownBy(() -> apply(b -> b.take(10))).hasMessage("take: there is no row 10 in a batch of 10.");
        assertThatThrownBy(() -> apply(b -> b.filter(new boolean[3]))).hasMessage("filter: 3 booleans for 10 rows.");
    }

    @Test
    void buildersAreTheTasksMemoryAndNobodyFreesThem() {
        assertThat(apply(b -> {
                    LongBuilder used = b.newLongs();
                    LongBuilder forgotten = b.newLongs();
                    LongBuilder dropped = b.newLongs();
                    for (long i = 0; i < 1000; i++) {
                        used.append(i);
                        forgotten.append(i);
                        dropped.append(i);
                    }
                    LongColumn neverUsed = dropped.build();
                    assertThat(neverUsed.length()).isEqualTo(1000);
                    b.allocator().allocate(1 << 16);
                    return b.none().with("n", used).slice(999, 1);
                }))
                .containsExactly(Row.of("n", 999L));
    }

    @Test
    void aColumnMayBeUsedTwiceSlicedAndMappedByHand() {
        assertThat(apply(b -> {
                    LongColumn ids = b.longs("id");
                    LongColumn built = ids.map(b.allocator(), x -> x + 1);
                    return b.select("id")
                            .slice(4, 2)
                            .with("same", ids.slice(4, 2))
                            .with("mapped", built.slice(4, 2))
                            .with("again", built.slice(4, 2));
                }))
                .containsExactly(
                        Row.of("id", 4L, "same", 4L, "mapped", 5L, "again", 5L),
                        Row.of("id", null, "same", null, "mapped", null, "again", null));
    }

    @Test
    void whatTheFunctionThrowsLeavesNothingBehind() {
        assertThatThrownBy(() -> apply(b -> {
                    b.newStrings().append("x");
                    b.mapDoubles("x", x -> x + 1);
                    throw new IllegalStateException("stop");
                }))
                .hasMessage("stop");
        assertThatThrownBy(() -> apply(b -> b.mapDoubles("x", x -> {
                    throw new IllegalStateException("stop");
                })))
                .hasMessage("stop");
    }

    @Test
    void aBatchMadeOutsideOfTheCallIsCopiedIntoTheTasksAccount() {
        Batch kept = Batch.of("a", new long[] {1, 2}, "b", List.of("x", "y"));
        assertThat(apply(_ -> kept)).containsExactly(Row.of("a", 1L, "b", "x"), Row.of("a", 2L, "b", "y"));
        assertThat(kept.longs("a").get(1)).isEqualTo(2);
        assertThat(kept.toRows()).hasSize(2);
    }
}
