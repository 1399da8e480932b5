package dev.millrace;

import static dev.millrace.Behaviour.column;
import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.compute.Compute;
import dev.millrace.compute.ErrorPolicy;
import dev.millrace.function.AsyncBatchFunction;
import dev.millrace.function.BatchEmitter;
import dev.millrace.function.BatchFlatFunction;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.OutputSchema;
import dev.millrace.function.RowFunction;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Verbs that call a user's function.
interface FunctionBehaviour extends Behaviour {
    record Number(long id) {}

    record Square(long id, double root, String text) {}

    /// Counts how often it is made and closed.
    class Adder implements BatchFunction, AutoCloseable {
        private static final long serialVersionUID = 1L;
        static final AtomicInteger MADE = new AtomicInteger();
        static final AtomicInteger CLOSED = new AtomicInteger();

        Adder() {
            MADE.incrementAndGet();
        }

        @Override
        public Batch apply(Batch batch) {
            return batch.mapLongs("id", id -> id + 100);
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    static Row doubled(Row row) {
        return Row.of("id", row.getLong("id") * 2);
    }

    @Test
    default void mapCallsTheFunctionWithEachRow() {
        assertThat(column("id", session().range(4, 2).map(FunctionBehaviour::doubled)))
                .containsExactly(0L, 2L, 4L, 6L);
        Dataset squares = session().range(3).map(row -> row.with("square", row.getLong("id") * row.getLong("id")));
        assertThat(squares.takeAll())
                .containsExactly(
                        Row.of("id", 0L, "square", 0L), Row.of("id", 1L, "square", 1L), Row.of("id", 2L, "square", 4L));
        assertThat(squares.schema()).isEqualTo(Schema.of("id", DataType.INT64, "square", DataType.INT64));
    }

    @Test
    default void mapOverRecordsKnowsItsSchema() {
        Dataset squares = session()
                .range(5)
                .map(Number.class, Square.class, n -> new Square(n.id(), Math.sqrt((double) n.id()), "n" + n.id()));
        assertThat(squares.columns()).containsExactly("id", "root", "text");
        assertThat(squares.lastRun()).isEmpty();
        assertThat(squares.take(2)).last().isEqualTo(Row.of("id", 1L, "root", 1.0, "text", "n1"));
    }

    @Test
    default void filterByFunction() {
        assertThat(column("id", session().range(10).filter(row -> row.getLong("id") % 4 == 0)))
                .containsExactly(0L, 4L, 8L);
        assertThat(column("id", session().range(10).filter(Number.class, n -> n.id() > 7)))
                .containsExactly(8L, 9L);
    }

    @Test
    default void flatMapGivesAnyNumberOfRows() {
        Dataset twice = session().range(3).flatMap(row -> Collections.nCopies((int) row.getLong("id"), row.copy()));
        assertThat(column("id", twice)).containsExactly(1L, 2L, 2L);
        assertThat(session().range(3).flatMap(row -> List.of()).takeAll()).isEmpty();
        Dataset records = session()
                .range(2)
                .flatMap(
                        Number.class,
                        Square.class,
                        n -> List.of(new Square(n.id(), 0, "a"), new Square(n.id(), 1, "b")));
        assertThat(column("text", records)).containsExactly("a", "b", "a", "b");
    }

    @Test
    default void flatMapToNothingHasNoColumns() {
        assertThat(session().range(3).flatMap(row -> List.of()).schema()).isEqualTo(Schema.empty());
    }

    @Test
    default void mapBatchesSeesWholeBlocks() {
        Dataset sizes = session().range(10, 3).mapBatches(batch -> Batch.of("size", new long[] {batch.rows()}));
        assertThat(column("size", sizes)).containsExactly(3L, 3L, 3L, 1L);
    }

    @Test
    default void mapBatchesSeesWholeBlocksAlsoInTheTaskThatReadsThem() {
        Dataset sizes = session()
                .range(1_000_000, 2)
                .filter(col("id").lt(900_000))
                .mapBatches(batch -> Batch.of("size", new long[] {batch.rows()}));
        assertThat(column("size", sizes)).containsExactly(500_000L, 400_000L);
    }

    @Test
    default void mapBatchesCutsToTheBatchSize() {
        Dataset sizes = session()
                .range(10, 1)
                .mapBatches(
                        batch -> Batch.of("size", new long[] {batch.rows()}),
                        Compute.tasks().batchSize(3));
        assertThat(column("size", sizes)).containsExactly(3L, 3L, 3L, 1L);
    }

    @Test
    default void mapBatchesMayReturnLists() {
        Dataset lists = session().range(2, 1).mapBatches(batch -> Batch.of("a", List.of(List.of(1L), List.of(2L, 3L))));
        assertThat(column("a", lists)).containsExactly(List.of(1L), List.of(2L, 3L));
    }

    @Test
    default void mapBatchesWorksOnColumns() {
        Dataset twice = session().range(100_000).mapBatches(batch -> batch.mapLongs("id", id -> id * 2));
        assertThat(twice.sum("id"))
                .isEqualTo(LongStream.range(0, 100_000).map(id -> id * 2).sum());
    }

    @Test
    default void aFactoryMakesItsObjectOncePerActor() {
        Adder.MADE.set(0);
        Adder.CLOSED.set(0);
        Dataset added = session()
                .range(20, 10)
                .mapBatches(() -> new Adder(), Compute.actors(2).batchSize(1));
        assertThat(column("id", added))
                .isEqualTo(LongStream.range(100, 120)
                        .boxed()
                        .map(Object.class::cast)
                        .toList());
        assertThat(Adder.MADE.get()).isBetween(1, 2);
        session().close();
        assertThat(Adder.CLOSED.get()).isEqualTo(Adder.MADE.get());
    }

    @Test
    default void aFactoryWithoutComputeGetsAPool() {
        assertThat(column("id", session().range(3).mapBatches(() -> new Adder())))
                .containsExactly(100L, 101L, 102L);
    }

    /// Emits each row as a batch, as often as its id, with a number of its own.
    class Repeater implements BatchFlatFunction, OutputSchema {
        private static final long serialVersionUID = 1L;

        @Override
        public void apply(Batch batch, BatchEmitter out) {
            for (long row = 0; row < batch.rows(); row++) {
                for (long i = 0; i < batch.longs("id").get(row); i++) {
                    out.emit(batch.slice(row, 1).with("n", new long[] {i}));
                }
            }
        }

        @Override
        public Optional<Schema> outputSchema(Schema input) {
            return Optional.of(Schema.of("id", DataType.INT64, "n", DataType.INT64));
        }
    }

    @Test
    default void flatMapBatchesEmitsAnyNumberOfBatches() {
        Dataset repeated = session().range(4, 2).flatMapBatches(new Repeater());
        assertThat(repeated.columns()).containsExactly("id", "n");
        assertThat(repeated.lastRun()).isEmpty();
        for (Dataset each : List.of(
                repeated,
                session().range(4, 2).flatMapBatches(() -> new Repeater(), Compute.actors(2)),
                session().range(4).filter(col("id").ge(0)).flatMapBatches(new Repeater(), Compute.tasks(1)))) {
            assertThat(column("id", each)).containsExactly(1L, 2L, 2L, 3L, 3L, 3L);
            assertThat(column("n", each)).containsExactly(0L, 0L, 1L, 0L, 1L, 2L);
        }
        assertThat(session().range(3).flatMapBatches((batch, out) -> {}).takeAll())
                .isEmpty();
    }

    @Test
    default void flatMapBatchesOfAnEndlessFunctionEndsWithTheLimit() {
        Dataset endless = session().range(2, 1).flatMapBatches((batch, out) -> {
            while (out.emit(batch)) {}
        });
        assertThat(column("id", endless.limit(5))).containsExactly(0L, 1L, 0L, 1L, 0L);
    }

    /// Adds in another thread.
    class AsyncAdder implements AsyncBatchFunction, OutputSchema {
        private static final long serialVersionUID = 1L;

        @Override
        public CompletionStage<Batch> apply(Batch batch) {
            return CompletableFuture.supplyAsync(() -> batch.mapLongs("id", id -> id + 100));
        }

        @Override
        public Optional<Schema> outputSchema(Schema input) {
            return Optional.of(input);
        }
    }

    @Test
    default void mapBatchesAsyncKeepsTheOrderOfRows() {
        Compute compute = Compute.tasks().batchSize(3).batchesInFlight(4);
        Dataset added = session().range(50, 2).mapBatchesAsync(new AsyncAdder(), compute);
        assertThat(added.columns()).containsExactly("id");
        assertThat(added.lastRun()).isEmpty();
        for (Dataset each : List.of(
                added,
                session()
                        .range(50, 2)
                        .mapBatchesAsync(
                                () -> new AsyncAdder(), Compute.actors(2).batchSize(3)),
                session()
                        .range(50)
                        .filter(row -> true)
                        .mapBatchesAsync(new AsyncAdder(), compute.cpus(0.5))
                        .map(row -> row))) {
            assertThat(column("id", each))
                    .isEqualTo(LongStream.range(100, 150)
                            .boxed()
                            .map(Object.class::cast)
                            .toList());
        }
    }

    @Test
    default void mapBatchesAsyncHasErrorPoliciesLikeMapBatches() {
        AsyncBatchFunction picky = batch -> CompletableFuture.supplyAsync(() -> {
            if (batch.longs("id").get(0) == 4) {
                throw new IllegalStateException("no 4");
            }
            return batch;
        });
        Compute pairs = Compute.defaults().batchSize(2);
        Dataset letters = session().range(8, 1).mapBatchesAsync(picky, pairs.onError(ErrorPolicy.deadLetter("async")));
        assertThat(column("id", letters)).containsExactly(0L, 1L, 2L, 3L, 6L, 7L);
        assertThat(column("message", letters.deadLetters())).containsExactly("no 4", "no 4");
        Behaviour.assertError(() ->
                        session().range(8, 1).mapBatchesAsync(picky, pairs).takeAll())
                .hasMessageStartingWith("mapBatchesAsync(")
                .hasMessageContaining("rows 4-5: IllegalStateException: no 4 at ");
        Behaviour.assertError(() -> session().range(1).mapBatches(batch -> batch, pairs.batchesInFlight(2)))
                .hasMessageContaining("mapBatches waits for each call; batchesInFlight is for mapBatchesAsync.");
    }

    @Test
    default void rowFunctionsWithStateLiveInActors() {
        Dataset rows = session()
                .range(4, 2)
                .map(
                        () -> {
                            long[] calls = {0};
                            return (RowFunction) row -> Row.of("calls", ++calls[0]);
                        },
                        Compute.actors(1));
        assertThat(column("calls", rows)).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
    }

    @Test
    default void functionsAndExpressionsChain() {
        Dataset chain = session()
                .range(100, 4)
                .map(row -> row.with("s", "n" + row.getLong("id")))
                .filter(col("id").lt(50))
                .mapBatches(batch -> batch.mapLongs("id", id -> id + 1))
                .filter(row -> row.getString("s").endsWith("7"))
                .select("id");
        assertThat(column("id", chain)).containsExactly(8L, 18L, 28L, 38L, 48L);
    }

    @Test
    default void unknownColumnsAfterAFunctionAreFoundWhenItRuns() {
        Dataset rows = session().range(3).map(row -> Row.of("a", 1L));
        assertThat(column("a", rows.select("a"))).containsExactly(1L, 1L, 1L);
        Behaviour.assertError(() -> rows.select("nope").takeAll())
                .hasMessageContaining("there is no column 'nope'")
                .hasMessageContaining("[a]");
    }

    @Test
    default void namesShowInStats() {
        Dataset named = session()
                .range(10)
                .map(FunctionBehaviour::doubled)
                .mapBatches(batch -> batch, Compute.tasks().name("keep"))
                .named("numbers");
        assertThat(named.stats()).isEqualTo("This dataset has not run yet.");
        named.takeAll();
        assertThat(named.stats()).contains("numbers").contains("map(doubled)").contains("keep");
        assertThat(named.lastRun().orElseThrow().outputRows()).isEqualTo(10);
    }
}
