package dev.millrace.internal.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.batch.Batch;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.column.Columns;
import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.function.BatchFunction;
import dev.millrace.function.RowFunction;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskProgramsTest {
    private final FakeTask task = new FakeTask();

    @AfterEach
    void nothingIsHeld() {
        task.close();
    }

    /// `chunks` chunks of ten ids; fails where asked. Notes in `log` what happens to its reader.
    record TenAtATime(int chunks, int failAt, List<String> log) implements Split {
        @Override
        public String description() {
            return "part-3";
        }

        @Override
        public SplitReader open(ReadContext context) throws IOException {
            if (failAt == 0) {
                throw new IOException("no such file");
            }
            return new SplitReader() {
                private int at;

                @Override
                public Block next() throws IOException {
                    if (++at == failAt) {
                        throw new IOException("disk on fire");
                    }
                    if (at > chunks) {
                        return null;
                    }
                    log.add("read " + at);
                    long[] ids = new long[10];
                    for (int i = 0; i < 10; i++) {
                        ids[i] = (at - 1L) * 10 + i;
                    }
                    return Block.of(
                            Schema.of("id", DataType.INT64), List.of(Columns.ofLongs(context.allocator(), ids)), 10);
                }

                @Override
                public void close() {
                    log.add("closed");
                }
            };
        }
    }

    private final List<String> log = new ArrayList<>();

    private static TransformStep map(String name, RowFunction function) {
        return FakeTask.rows(name, new RowOperation.Map(function));
    }

    private static TransformStep batches(String name, int size, BatchFunction function) {
        return FakeTask.batches(name, new BatchOperation.Function(function), size);
    }

    @Test
    void aReadTaskReadsAndTransforms() throws Exception {
        task.run(new TaskPrograms.ReadProgram(
                new TenAtATime(3, -1, log), FakeTask.chain(map("map(f)", row -> Row.of("x", row.getLong("id") + 1)))));
        assertThat(task.rows()).hasSize(30).last().isEqualTo(Row.of("x", 30L));
        assertThat(task.counters).containsEntry(TaskCounters.ROWS_IN, 30L);
        assertThat(log).containsExactly("read 1", "read 2", "read 3", "closed");
    }

    @Test
    void aLimitStopsTheReaderEarly() throws Exception {
        task.run(new TaskPrograms.ReadProgram(new TenAtATime(1000, -1, log), FakeTask.chain(new LimitStep(12))));
        assertThat(task.rows()).hasSize(12);
        assertThat(log).containsExactly("read 1", "read 2", "closed");
    }

    @Test
    void aReaderThatFailsIsNamedWithItsSplitAndRow() {
        assertThatThrownBy(() -> task.run(
                        new TaskPrograms.ReadProgram(new TenAtATime(3, 3, log), FakeTask.chain(new LimitStep(99)))))
                .isInstanceOf(MillraceException.class)
                .hasMessage("Reading part-3 failed after row 20: java.io.IOException: disk on fire")
                .hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(() -> task.run(
                        new TaskPrograms.ReadProgram(new TenAtATime(3, 0, log), FakeTask.chain(new LimitStep(99)))))
                .hasMessage("Opening part-3 failed: java.io.IOException: no such file");
        assertThat(log).endsWith("closed");
    }

    @Test
    void anErrorInALaterChunkNamesItsRows() {
        assertThatThrownBy(() -> task.run(new TaskPrograms.ReadProgram(
                        new TenAtATime(3, -1, log),
                        FakeTask.chain(map("map(f)", row -> Row.of("x", 1 / (row.getLong("id") - 24)))))))
                .hasMessageStartingWith("map(f) failed on part-3, row 24: ArithmeticException: / by zero");
    }

    @Test
    void aBatchThatSpansChunksNamesItsRows() {
        assertThatThrownBy(() -> task.run(new TaskPrograms.ReadProgram(
                        new TenAtATime(3, -1, log), FakeTask.chain(batches("mapBatches(f)", 8, batch -> {
                            if (batch.longs("id").get(0) == 16) {
                                throw new IllegalStateException("sixteen");
                            }
                            return batch;
                        })))))
                .hasMessageStartingWith("mapBatches(f) failed on part-3, rows 16-23: IllegalStateException: sixteen");
    }

    @Test
    void withoutStepsBlocksPassThrough() throws Exception {
        task.ids(0, 3).ids(3, 5).run();
        assertThat(task.rows()).extracting(row -> row.getLong("id")).containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void anEmptyInputGivesOneEmptyBlock() throws Exception {
        task.input(dev.millrace.block.Blocks.empty(Schema.of("id", DataType.INT64)))
                .run(new LimitStep(3));
        assertThat(task.outputs).hasSize(1);
        assertThat(task.outputs.getFirst().schema()).isEqualTo(Schema.of("id", DataType.INT64));
    }

    @Test
    void aCancelledTaskUnwinds() {
        assertThatThrownBy(() -> task.run(new TaskPrograms.ReadProgram(
                        new TenAtATime(1000, -1, log), FakeTask.chain(map("map(f)", row -> {
                            task.cancelled |= row.getLong("id") == 25;
                            return row;
                        })))))
                .isInstanceOf(TaskCancelled.class);
        assertThat(log).containsExactly("read 1", "read 2", "read 3", "closed");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 9, 10, 11, 15, 19, 20, 29})
    void whereverAFunctionThrowsNothingIsLeftBehind(int failAt) {
        assertThatThrownBy(() -> task.run(new TaskPrograms.ReadProgram(
                        new TenAtATime(3, -1, log),
                        new ChainSpec(
                                "o",
                                List.of(
                                        batches("first", 7, b -> b.mapLongs("id", x -> x)),
                                        map("second", row -> Row.of("id", row.getLong("id"), "s", "text")),
                                        batches(
                                                "third",
                                                4,
                                                b -> b.filterLongs("id", x -> {
                                                    if (x == failAt) {
                                                        throw new IllegalStateException("here");
                                                    }
                                                    return true;
                                                })),
                                        map("fourth", row -> row)),
                                100,
                                50))))
                .hasMessageStartingWith("third failed on part-3, ");
        assertThat(log).endsWith("closed");
    }

    @Test
    void zipPairsRowsAcrossBlocksAndRenamesClashes() throws Exception {
        task.input(Row.of("a", 1L, "b", 1L), Row.of("a", 2L, "b", 2L))
                .input(Row.of("a", 3L, "b", 3L))
                .input(Row.of("a", "x", "c", 1))
                .input(Row.of("a", "y", "c", 2), Row.of("a", "z", "c", 3))
                .run(new TaskPrograms.ZipProgram(2, FakeTask.chain(), new VerbSite("zip", "")));
        assertThat(task.rows())
                .containsExactly(
                        Row.of("a", 1L, "b", 1L, "a_1", "x", "c", 1),
                        Row.of("a", 2L, "b", 2L, "a_1", "y", "c", 2),
                        Row.of("a", 3L, "b", 3L, "a_1", "z", "c", 3));
        assertThat(ProjectionResolution.zipped(
                                Schema.of("a", DataType.INT64, "a_1", DataType.INT64), Schema.of("a", DataType.INT64))
                        .names())
                .containsExactly("a", "a_1", "a_2");
    }

    @Test
    void aZipOfNothingTellsItsSchema() throws Exception {
        task.input(dev.millrace.block.Blocks.empty(Schema.of("a", DataType.INT64)))
                .input(dev.millrace.block.Blocks.empty(Schema.of("a", DataType.UTF8)))
                .run(new TaskPrograms.ZipProgram(1, FakeTask.chain(), new VerbSite("zip", "")));
        assertThat(task.outputs.getFirst().schema()).isEqualTo(Schema.of("a", DataType.INT64, "a_1", DataType.UTF8));
    }

    /// A model that notes when it is made and closed.
    static final class Model implements BatchFunction, AutoCloseable {
        private final String name;
        private final List<String> log;

        Model(String name, List<String> log) {
            this.name = name;
            this.log = log;
            log.add("made " + name);
        }

        @Override
        public Batch apply(Batch batch) {
            return batch.withConstant(name, true);
        }

        @Override
        public void close() {
            log.add("closed " + name);
        }
    }

    private static final ActorContext HERE = new ActorContext("model", Resources.NONE, List.of());

    private TransformStep model(String name) {
        return FakeTask.batches("mapBatches(" + name + ")", new BatchOperation.Stateful(() -> new Model(name, log)), 2);
    }

    @Test
    void anActorMakesItsObjectsInOrderAndClosesThemInReverse() throws Exception {
        ChainSpec chain = FakeTask.chain(
                model("a"),
                FakeTask.rows("map(counter)", new RowOperation.Stateful(RowOperation.Stateful.Kind.MAP, () ->
                        (RowFunction) row -> row.with("n", 1))),
                model("b"));
        assertThat(chain.isStateful()).isTrue();
        ActorProgram actor = new ChainActor(chain);
        task.actorState = actor.start(HERE);
        task.ids(0, 3).run(new TaskPrograms.MapProgram(chain));
        actor.stop(task.actorState);
        assertThat(task.rows()).hasSize(3).first().isEqualTo(Row.of("id", 0L, "a", true, "n", 1, "b", true));
        assertThat(log).containsExactly("made a", "made b", "closed b", "closed a");
    }

    @Test
    void aFactoryLearnsWhatItsActorHas() throws Exception {
        ActorContext actor = new ActorContext("mapBatches(m)", Resources.cpus(3), List.of(1));
        List<ActorContext> seen = new ArrayList<>();
        ChainSpec chain = FakeTask.chain(FakeTask.batches(
                "mapBatches(m)",
                new BatchOperation.Stateful(() -> {
                    seen.add(ActorContext.current().orElseThrow());
                    return (BatchFunction) batch -> batch;
                }),
                2));
        new ChainActor(chain).start(actor);
        assertThat(seen).containsExactly(actor);
        assertThat(ActorContext.current()).isEmpty();
    }

    @Test
    void anActorThatFailsToStartClosesWhatItMade() {
        TransformStep broken = FakeTask.batches(
                "mapBatches(broken)",
                new BatchOperation.Stateful(() -> {
                    throw new IOException("no weights");
                }),
                2);
        assertThatThrownBy(() -> new ChainActor(FakeTask.chain(model("a"), broken)).start(HERE))
                .isInstanceOf(MillraceException.class)
                .hasMessageStartingWith("mapBatches(broken) did not start: IOException: no weights")
                .extracting(e -> ((MillraceException) e).culprit())
                .isEqualTo(Culprit.USER);
        assertThat(log).containsExactly("made a", "closed a");
    }

    @Test
    void objectsThatThrowTheSameExceptionAreAllClosed() throws Exception {
        IllegalStateException shared = new IllegalStateException("the device is gone");
        class Broken implements BatchFunction, AutoCloseable {
            @Override
            public Batch apply(Batch batch) {
                return batch;
            }

            @Override
            public void close() {
                log.add("closed broken");
                throw shared;
            }
        }
        TransformStep broken = FakeTask.batches("mapBatches(broken)", new BatchOperation.Stateful(Broken::new), 2);
        ActorProgram actor = new ChainActor(FakeTask.chain(model("a"), broken, broken));
        Object state = actor.start(HERE);
        assertThatThrownBy(() -> actor.stop(state))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("did not close: IllegalStateException: the device is gone")
                .hasRootCause(shared);
        assertThat(log).containsExactly("made a", "closed broken", "closed broken", "closed a");
    }

    @Test
    void aFactoryOfTheWrongKindIsAnError() {
        TransformStep wrong = FakeTask.rows(
                "filter(Model)",
                new RowOperation.Stateful(RowOperation.Stateful.Kind.FILTER, () -> new Model("m", log)));
        assertThatThrownBy(() -> new ChainActor(FakeTask.chain(wrong)).start(HERE))
                .hasMessageContaining("filter(Model): its factory returned a ")
                .hasMessageContaining("which is no RowPredicate.");
        assertThatThrownBy(() -> new ChainActor(FakeTask.chain(
                                FakeTask.batches("mapBatches(x)", new BatchOperation.Stateful(() -> null), 1)))
                        .start(HERE))
                .hasMessage("mapBatches(x): its factory returned null. Return an object.");
    }
}
