package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Row;
import dev.millrace.function.RecordFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RecordStepTest {
    private final FakeTask task = new FakeTask();

    @AfterEach
    void nothingIsHeld() {
        task.close();
    }

    record Trip(String zone, double distance, double fare) {}

    record Fare(String zone, double perKm) {}

    enum Size {
        SMALL,
        LARGE
    }

    record Inner(int a, String b) {}

    record Everything(
            long l,
            int i,
            short s,
            byte b,
            float f,
            double d,
            boolean z,
            Integer boxed,
            String text,
            Size size,
            byte[] bytes,
            BigDecimal decimal,
            LocalDate date,
            Instant instant,
            Inner inner,
            List<Inner> inners,
            List<String> texts,
            double[] numbers,
            Map<String, Long> counts) {}

    private static <I, O> TransformStep map(Class<I> input, Class<O> output, RecordFunction<I, O> function) {
        return FakeTask.rows("map(f)", new RowOperation.MapRecord<>(input, output, function));
    }

    @Test
    void recordsInRecordsOut() throws Exception {
        task.input(
                        Row.of("zone", "a", "distance", 2.0, "fare", 3.0, "other", 1),
                        Row.of("zone", null, "distance", 4.0, "fare", 2.0, "other", 1))
                .run(map(Trip.class, Fare.class, trip -> new Fare(trip.zone(), trip.fare() / trip.distance())));
        assertThat(task.rows()).containsExactly(Row.of("zone", "a", "perKm", 1.5), Row.of("zone", null, "perKm", 0.5));
    }

    @Test
    void everyComponentTypeGoesThere() throws Exception {
        Everything full = new Everything(
                1L,
                2,
                (short) 3,
                (byte) 4,
                1.5f,
                2.5,
                true,
                7,
                "text",
                Size.LARGE,
                new byte[] {1, 2},
                new BigDecimal("1.25"),
                LocalDate.of(2026, 1, 2),
                Instant.ofEpochSecond(5),
                new Inner(1, "x"),
                List.of(new Inner(2, "y")),
                List.of("p", "q"),
                new double[] {0.5},
                Map.of("k", 9L));
        Everything sparse = new Everything(
                0, 0, (short) 0, (byte) 0, 0, 0, false, null, null, null, null, null, null, null, null, null, null,
                null, null);
        try (FakeTask first = new FakeTask();
                FakeTask second = new FakeTask()) {
            first.ids(0, 2)
                    .run(FakeTask.rows(
                            "flatMap(f)",
                            new RowOperation.MapRecord<>(
                                    IdOnly.class, Everything.class, id -> id.id() == 0 ? full : sparse)));
            Schema schema = RecordCodec.schemaOf(Everything.class);
            assertThat(first.outputs.getFirst().schema()).isEqualTo(schema);
            assertThat(schema.type("size")).isEqualTo(DataType.UTF8);
            assertThat(schema.type("inners"))
                    .isEqualTo(DataType.list(
                            DataType.struct(new Field("a", DataType.INT32), new Field("b", DataType.UTF8))));
            // And back from the columns.
            second.input(first.outputs.getFirst().retain());
            List<Everything> seen = Collections.synchronizedList(new java.util.ArrayList<>());
            second.run(FakeTask.rows("filter(f)", new RowOperation.FilterRecord<Everything>(Everything.class, e -> {
                seen.add(e);
                return true;
            })));
            assertThat(seen.get(1)).isEqualTo(sparse);
            Everything back = seen.getFirst();
            assertThat(back.bytes()).containsExactly(1, 2);
            assertThat(back.numbers()).containsExactly(0.5);
            assertThat(back.decimal()).isEqualByComparingTo("1.25");
            assertThat(List.of(back.l(), back.i(), back.s(), back.b(), back.f(), back.d(), back.z(), back.boxed()))
                    .isEqualTo(List.of(1L, 2, (short) 3, (byte) 4, 1.5f, 2.5, true, 7));
            assertThat(Arrays.asList(
                            back.text(), back.size(), back.date(), back.instant(), back.inner(), back.inners()))
                    .isEqualTo(Arrays.asList(
                            full.text(), full.size(), full.date(), full.instant(), full.inner(), full.inners()));
            assertThat(back.texts()).isEqualTo(full.texts());
            assertThat(back.counts()).isEqualTo(full.counts());
        }
    }

    record IdOnly(long id) {}

    @Test
    void recordsPassBetweenFusedFunctionsWithoutRows() throws Exception {
        TransformStep fused = map(IdOnly.class, IdOnly.class, r -> new IdOnly(r.id() + 1))
                .mergeWith(FakeTask.rows(
                        "filter(p)", new RowOperation.FilterRecord<IdOnly>(IdOnly.class, r -> r.id() > 2)))
                .orElseThrow()
                .mergeWith(FakeTask.rows("filter(row)", new RowOperation.Filter(row -> row.getLong("id") < 5)))
                .orElseThrow()
                .mergeWith(FakeTask.rows(
                        "flatMap(f)",
                        new RowOperation.FlatMapRecord<IdOnly, Fare>(
                                IdOnly.class, Fare.class, r -> List.of(new Fare("a", r.id()), new Fare("b", r.id())))))
                .orElseThrow();
        task.ids(0, 10).run(fused);
        assertThat(task.rows())
                .containsExactly(
                        Row.of("zone", "a", "perKm", 3.0),
                        Row.of("zone", "b", "perKm", 3.0),
                        Row.of("zone", "a", "perKm", 4.0),
                        Row.of("zone", "b", "perKm", 4.0));
    }

    @Test
    void valuesThatAreNoRecordsAreTheItemColumn() throws Exception {
        task.input(Row.of("item", "a"), Row.of("item", "bcd")).run(map(String.class, Integer.class, String::length));
        assertThat(task.rows()).containsExactly(Row.of("item", 1), Row.of("item", 3));
    }

    @Test
    void numbersNarrowWhereTheValueFits() throws Exception {
        record Narrow(int id) {}
        task.ids(0, 2).run(map(Narrow.class, Narrow.class, n -> n));
        assertThat(task.rows()).containsExactly(Row.of("id", 0), Row.of("id", 1));
        try (FakeTask large = new FakeTask()) {
            assertThatThrownBy(() -> large.ids(1L << 40, (1L << 40) + 1).run(map(Narrow.class, Narrow.class, n -> n)))
                    .hasMessageContaining(
                            "The value 1099511627776 does not fit component 'id' of Narrow, which is a int.");
        }
    }

    @Test
    void aPrimitiveComponentRefusesNullAndNamesRowAndColumn() {
        assertThatThrownBy(() -> task.input(
                                Row.of("zone", "a", "distance", 1.0, "fare", 1.0),
                                Row.of("zone", "a", "distance", 1.0, "fare", null))
                        .run(map(Trip.class, Fare.class, trip -> new Fare(trip.zone(), 0))))
                .hasMessage(
                        "map(f) failed on its input block, row 1: Column 'fare' is null, but component 'fare' of Trip is"
                                + " a double, which cannot be null. Use Double, or drop such rows first.");
    }

    @Test
    void aMissingColumnIsAnErrorThatListsTheColumns() {
        assertThatThrownBy(() -> RecordCodec.check("map", Trip.class, Schema.of("zone", DataType.UTF8)))
                .hasMessage(
                        "map: Trip has a component 'distance', but there is no such column. The columns are [zone].");
        assertThatThrownBy(() -> task.ids(0, 1).run(map(Trip.class, Fare.class, _ -> null)))
                .hasMessageContaining(
                        "Trip has a component 'zone', but there is no such column. The columns are [id].");
    }

    @Test
    void aComponentWithoutAColumnTypeIsAnErrorAtTheCall() {
        record Odd(Thread thread) {}
        assertThatThrownBy(() -> RecordCodec.schemaOf(Odd.class))
                .hasMessageStartingWith(
                        "The component 'thread' of Odd is a java.lang.Thread, which no column type stands for.");
    }

    @Test
    void noInputStillTellsTheSchemaOfTheRecords() throws Exception {
        task.ids(0, 5)
                .run(
                        FakeTask.rows("filter(none)", new RowOperation.Filter(_ -> false)),
                        map(IdOnly.class, Fare.class, r -> new Fare("z", r.id())));
        assertThat(task.outputs).hasSize(1);
        assertThat(task.outputs.getFirst().schema()).isEqualTo(RecordCodec.schemaOf(Fare.class));
        assertThat(task.outputs.getFirst().rows()).isZero();
    }
}
