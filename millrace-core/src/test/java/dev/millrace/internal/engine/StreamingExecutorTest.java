package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.block.Block;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.LongColumn;
import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.exchange.ReduceLayout;
import dev.millrace.internal.exchange.ShardMaker;
import dev.millrace.internal.exchange.ShuffleReducer;
import dev.millrace.internal.operator.ProgramFactory;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.internal.transform.ChainSpec;
import dev.millrace.internal.transform.VerbSite;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.BlockPlace;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.Settings;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.stats.RunStats;
import dev.millrace.testing.AtOnce;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The loop with its thread, on the embedded runtime, with real blocks.
@Timeout(60)
class StreamingExecutorTest {
    private final Allocator memory = Allocator.root("session", 1 << 28);
    private final EmbeddedRuntime runtime = new EmbeddedRuntime(Resources.cpus(4));
    private final FairCapacity capacity = new FairCapacity(Resources.cpus(4));
    private final FakePrograms plans = new FakePrograms();
    private Settings settings = Settings.DEFAULT;

    @AfterEach
    void nothingIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(t -> t.getName().startsWith("millrace-loop"));
        assertThat(capacity.used().cpus()).isZero();
        runtime.close();
        memory.close();
    }

    /// Programs that make real blocks of what the fake ones say.
    private final class RealPrograms implements ProgramFactory {
        @Override
        public TaskProgram shards(ShardMaker maker, long firstRow, long shardBytes, VerbSite verb) {
            throw new UnsupportedOperationException();
        }

        @Override
        public TaskProgram reduce(ShuffleReducer reducer, ReduceLayout layout, ChainSpec tail, VerbSite verb) {
            throw new UnsupportedOperationException();
        }

        @Override
        public TaskProgram read(Split split, ChainSpec chain) {
            return run(plans.read(split, chain));
        }

        @Override
        public TaskProgram map(ChainSpec chain, List<BlockPlace> places) {
            return run(plans.map(chain, places));
        }

        @Override
        public TaskProgram zip(int leftInputs, ChainSpec chain, VerbSite verb) {
            return run(plans.zip(leftInputs, chain, verb));
        }

        @Override
        public ActorProgram actor(ChainSpec chain) {
            return plans.actor(chain);
        }

        private static TaskProgram run(TaskProgram fake) {
            return context -> {
                List<long[]> inputs = new ArrayList<>();
                for (int i = 0; i < context.inputs(); i++) {
                    try (Block block = context.input(i)) {
                        inputs.add(values(block));
                    }
                }
                for (long[] rows : ((FakePrograms.FakeProgram) fake).body().apply(inputs)) {
                    context.emit(block(context, rows));
                }
            };
        }

        private static Block block(TaskContext context, long[] rows) {
            try (LongBuilder builder = new LongBuilder(context.allocator(), DataType.INT64, rows.length)) {
                builder.append(rows, 0, rows.length);
                return Block.of(Schema.of("id", DataType.INT64), List.of(builder.build()), rows.length);
            }
        }
    }

    private static long[] values(Block block) {
        LongColumn column = (LongColumn) block.column(0);
        return LongStream.range(0, block.rows()).map(column::get).toArray();
    }

    private PlanRun start(PhysicalPlan plan) {
        return ExecutionEngine.start(plan, context(), new RealPrograms());
    }

    private ExecutionContext context() {
        return new ExecutionContext(runtime, capacity, memory, settings, "test", run -> {});
    }

    private long[] take(PlanRun run) {
        BlockSlice slice = run.next();
        if (slice == null) {
            return null;
        }
        try (Block block = runtime.get(slice)) {
            return values(block);
        } finally {
            slice.release();
        }
    }

    private long[] drain(PlanRun run) {
        List<long[]> all = new ArrayList<>();
        for (long[] rows = take(run); rows != null; rows = take(run)) {
            all.add(rows);
        }
        return FakePrograms.concat(all);
    }

    @Test
    void rowsComeThroughInOrderAndStatsAreFinal() {
        try (PlanRun run = start(new PhysicalPlan.Limit("limit", plans.copy("map", plans.read(200, 3, 10)), 5, 4000))) {
            assertThat(drain(run)).isEqualTo(LongStream.range(5, 4005).toArray());
            assertThat(run.next()).isNull();
            run.close();
            assertThat(run.stats().state()).isEqualTo(RunStats.State.FINISHED);
            assertThat(run.stats().outputRows()).isEqualTo(4000);
        }
    }

    @Test
    void actorsDoTheirPart() {
        PhysicalPlan plan = plans.map("model", plans.read(50, 2, 10), new Compute.Actors(1, 3, 2, 1), 25, List::of);
        try (PlanRun run = start(plan)) {
            assertThat(drain(run)).isEqualTo(LongStream.range(0, 1000).toArray());
        }
    }

    @Test
    void blocksThatTheConsumerKeepsOutliveTheRun() {
        List<BlockSlice> kept = new ArrayList<>();
        try (PlanRun run = start(plans.read(5, 1, 10))) {
            for (BlockSlice slice = run.next(); slice != null; slice = run.next()) {
                kept.add(slice);
            }
        }
        assertThat(memory.heldBytes()).isPositive();
        kept.forEach(BlockSlice::release);
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void closingEarlyCancelsAndFreesEverything() {
        PlanRun run = start(plans.copy("map", plans.read(10_000, 4, 100)));
        take(run);

        run.close();
        run.close();

        assertThat(memory.heldBytes()).isZero();
        assertThat(run.stats().state()).isEqualTo(RunStats.State.CANCELLED);
        assertThatThrownBy(run::next).hasMessageContaining("closed");
    }

    @Test
    void aRunThatWasNeverAskedCloses() {
        start(plans.read(10, 1, 1)).close();

        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void aFailureReachesTheConsumerAndFreesEverything() {
        try (PlanRun run = start(plans.map("map(f)", plans.read(100, 2, 10), rows -> {
            if (rows[0] == 500) {
                throw new IllegalStateException("row 500");
            }
            return List.of(rows);
        }))) {
            assertThatThrownBy(() -> drain(run)).hasMessageContaining("map(f)").hasMessageContaining("row 500");
            assertThatThrownBy(run::next).hasMessageContaining("row 500");
            run.close();
            assertThat(run.stats().state()).isEqualTo(RunStats.State.FAILED);
        }
        assertThat(memory.heldBytes()).isZero();
    }

    @Test
    void anInterruptedConsumerIsToldAndMayClose() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        PlanRun run = start(plans.map("wait", plans.read(1, 1, 1), rows -> {
            await(never);
            return List.of(rows);
        }));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread consumer = Thread.ofPlatform().start(() -> {
            try {
                run.next();
            } catch (Throwable e) {
                thrown.set(e);
                flag.set(Thread.currentThread().isInterrupted());
                run.close();
            }
        });
        Thread.sleep(100);
        consumer.interrupt();
        consumer.join();

        assertThat(thrown.get()).isInstanceOf(MillraceException.class).hasMessageContaining("interrupted");
        assertThat(flag).isTrue();
    }

    private static <T> FutureTask<T> started(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void statsCanBeAskedFromAnyThreadWhileTheRunGoesOn() throws Exception {
        try (PlanRun run = start(plans.copy("map", plans.read(500, 2, 10)))) {
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger asked = new AtomicInteger();
            List<FutureTask<Void>> askers = IntStream.range(0, 3)
                    .mapToObj(_ -> StreamingExecutorTest.<Void>started(() -> {
                        do {
                            assertThat(run.stats().operators()).hasSize(2);
                            asked.incrementAndGet();
                        } while (!done.get());
                        return null;
                    }))
                    .toList();
            assertThat(drain(run)).hasSize(10_000);
            done.set(true);
            for (FutureTask<Void> asker : askers) {
                AtOnce.result(asker);
            }
            assertThat(asked).hasPositiveValue();
        }
    }

    @Test
    void severalRunsShareTheSession() throws Exception {
        List<FutureTask<Integer>> runs = IntStream.range(0, 6)
                .mapToObj(_ -> {
                    PhysicalPlan plan = plans.copy("map", plans.read(100, 2, 10));
                    return started(() -> {
                        try (PlanRun run = start(plan)) {
                            return drain(run).length;
                        }
                    });
                })
                .toList();
        for (FutureTask<Integer> run : runs) {
            assertThat(AtOnce.result(run)).isEqualTo(2000);
        }
    }

    @Test
    void equalPartsReachTheirConsumers() throws Exception {
        List<PlanRun> views = ExecutionEngine.startSplit(plans.read(10, 1, 10), context(), new RealPrograms(), 3, true);
        List<FutureTask<Integer>> consumers = views.stream()
                .map(each -> started(() -> {
                    try (PlanRun view = each) {
                        return drain(view).length;
                    }
                }))
                .toList();
        for (FutureTask<Integer> consumer : consumers) {
            assertThat(AtOnce.result(consumer)).isEqualTo(33);
        }
    }

    @Test
    void aConsumerThatLeavesDoesNotHoldTheOthersUp() {
        List<PlanRun> views =
                ExecutionEngine.startSplit(plans.read(100, 1, 10), context(), new RealPrograms(), 2, false);
        views.get(0).close();
        try (PlanRun left = views.get(1)) {
            assertThat(drain(left).length).isGreaterThan(900);
        }
    }

    @Test
    void noProgressForTooLongIsAnErrorThatNamesWhatRuns() {
        CountDownLatch never = new CountDownLatch(1);
        settings = settings.with(FaultSettings.DEFAULT
                .withIoAttempts(1, Duration.ofSeconds(1))
                .withStallTimeout(Duration.ofMillis(1500)));
        PhysicalPlan plan = plans.map("wait", plans.read(1, 1, 1), rows -> {
            await(never);
            return List.of(rows);
        });
        try (PlanRun run = start(plan)) {
            assertThatThrownBy(run::next)
                    .isInstanceOfSatisfying(
                            MillraceException.class,
                            e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                    .hasMessageContaining("no progress for 1.5 s")
                    .hasMessageContaining("wait has 1 tasks under way")
                    .hasMessageContaining("Memory: 512 of 268435456 bytes in use; read holds 512; wait holds 0")
                    .hasMessageContaining("millrace-worker-")
                    .hasMessageContaining("dev.millrace.internal.engine.StreamingExecutorTest.await(");
        }
    }

    /// A source whose listing is up to the test.
    private record Listing(Iterator<Split> iterator) implements Source {
        @Override
        public String name() {
            return "Listing";
        }

        @Override
        public Optional<Schema> schema() {
            return Optional.empty();
        }

        @Override
        public Iterator<Split> splits(SplitRequest request) {
            return iterator;
        }
    }

    @Test
    void aListingThatFailsFailsTheRun() {
        Iterator<Split> failing = new Iterator<>() {
            @Override
            public boolean hasNext() {
                throw new IllegalStateException("no such folder");
            }

            @Override
            public Split next() {
                throw new AssertionError();
            }
        };
        try (PlanRun run = start(plans.read("read", new Listing(failing)))) {
            assertThatThrownBy(run::next)
                    .hasMessage("Listing: its splits could not be listed: java.lang.IllegalStateException:"
                            + " no such folder");
        }
    }

    /// Endless, slow, and closed by whoever uses it.
    private static final class Endless implements Iterator<Split>, AutoCloseable {
        final AtomicInteger given = new AtomicInteger();
        final CountDownLatch closed = new CountDownLatch(1);
        final boolean hangs;

        Endless(boolean hangs) {
            this.hangs = hangs;
        }

        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Split next() {
            if (hangs && given.get() > 0) {
                await(new CountDownLatch(1));
            }
            return new FakePrograms.FakeSplit(List.of(new long[] {given.getAndIncrement()}));
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void splitsAreListedAsTheyAreNeededAndTheListingIsClosed() throws Exception {
        Endless splits = new Endless(false);
        try (PlanRun run = start(new PhysicalPlan.Limit("limit", plans.read("read", new Listing(splits)), 0, 2))) {
            assertThat(drain(run)).containsExactly(0, 1);
        }
        assertThat(splits.given.get()).isLessThan(20);
        assertThat(splits.closed.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aListingThatHangsDoesNotKeepARunFromClosing() throws Exception {
        Endless splits = new Endless(true);
        try (PlanRun run = start(plans.read("read", new Listing(splits)))) {
            assertThat(take(run)).containsExactly(0);
        }
        assertThat(splits.closed.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
