package dev.millrace.internal.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.block.Block;
import dev.millrace.compute.Resources;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.runtime.embedded.EmbeddedRuntime;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskSpec;
import dev.millrace.settings.FaultSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.TaskBlocks;
import dev.millrace.testing.TaskRecorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Tasks that run far longer than their siblings are run a second time on an idle node, and the first that ends counts.
@Timeout(60)
class StragglerTest {
    private static final StragglerWatch.Rule SOON = new StragglerWatch.Rule(TimeUnit.MILLISECONDS.toNanos(50), 3, 3);

    /// Two nodes of two CPUs, which are threads of this process.
    private static final class TwoNodes implements Runtime {
        final Runtime below = new EmbeddedRuntime(Resources.cpus(4));
        final List<String> placed = new ArrayList<>();

        @Override
        public String name() {
            return "two nodes";
        }

        @Override
        public Resources capacity() {
            return below.capacity();
        }

        @Override
        public List<Node> nodes() {
            return List.of(new Node("a", Resources.cpus(2), 1 << 30), new Node("b", Resources.cpus(2), 1 << 30));
        }

        @Override
        public boolean shipsPrograms() {
            return false;
        }

        @Override
        public void submit(TaskSpec task, Consumer<TaskEvent> events) {
            synchronized (placed) {
                placed.add(task.node());
            }
            below.submit(task, events);
        }

        @Override
        public void grant(long task, int blocks) {
            below.grant(task, blocks);
        }

        @Override
        public void cancel(long task) {
            below.cancel(task);
        }

        @Override
        public ActorRef startActor(ActorSpec actor, Consumer<TaskEvent> events) {
            return below.startActor(actor, events);
        }

        @Override
        public void stopActor(ActorRef actor) {
            below.stopActor(actor);
        }

        @Override
        public BlockRef put(Block block) {
            return below.put(block);
        }

        @Override
        public Block get(BlockSlice slice) {
            return below.get(slice);
        }

        @Override
        public void close() {
            below.close();
        }
    }

    private final Allocator driver = Allocator.root("driver", 1L << 30);
    private final TwoNodes nodes = new TwoNodes();
    private final RecoveringRuntime runtime = new RecoveringRuntime(nodes, driver, FaultSettings.DEFAULT, SOON);
    private final TaskRecorder recorder = new TaskRecorder();
    private long ids;

    @AfterEach
    void everythingIsReleased() {
        runtime.close();
        assertThat(runtime.recipes()).isZero();
        driver.close();
        assertThat(recorder.violations()).isEmpty();
    }

    private long submit(int credit, TaskProgram program) {
        long id = ++ids;
        runtime.submit(
                new TaskSpec(
                        id,
                        id,
                        "test",
                        program,
                        null,
                        List.of(),
                        credit,
                        Resources.cpus(1),
                        driver,
                        false,
                        "a",
                        TaskSpec.Stage.NONE),
                recorder);
        return id;
    }

    private void siblings() {
        for (int i = 0; i < 3; i++) {
            recorder.awaitEnd(submit(1, _ -> {}));
        }
    }

    private List<Long> take(long task) {
        List<Long> values = new ArrayList<>();
        recorder.blocks(task).forEach(ready -> values.addAll(TaskBlocks.take(runtime, ready.block())));
        return values;
    }

    @Test
    void theSecondAttemptProvidesTheRowsThatTheFirstHasNotDelivered() throws Exception {
        siblings();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch stopped = new CountDownLatch(1);
        long slow = submit(9, context -> {
            boolean first = runs.incrementAndGet() == 1;
            // The blocks of the attempts are cut at other rows.
            context.emitAside("letters", TaskBlocks.of(context.allocator(), 99));
            context.emit(TaskBlocks.range(context.allocator(), 0, first ? 2 : 3));
            if (first) {
                try {
                    new CountDownLatch(1).await();
                } finally {
                    stopped.countDown();
                }
            }
            context.emit(TaskBlocks.range(context.allocator(), 3, 2));
        });
        assertThat(recorder.awaitEnd(slow)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(stopped.getCount()).as("attempts that still run").isZero();
        assertThat(take(slow)).containsExactly(99L, 0L, 1L, 2L, 3L, 4L);
        assertThat(runtime.stragglers().won()).isEqualTo(1);
        assertThat(nodes.placed).endsWith("a", "b");
    }

    @Test
    void creditHoldsForTheBlocksOfTheSecondAttempt() {
        siblings();
        AtomicInteger runs = new AtomicInteger();
        long slow = submit(1, context -> {
            if (runs.incrementAndGet() == 1) {
                new CountDownLatch(1).await();
            }
            for (int i = 0; i < 3; i++) {
                context.emit(TaskBlocks.of(context.allocator(), i));
            }
        });
        recorder.await(slow, TaskEvent.Paused.class, 1);
        assertThat(recorder.blocks(slow)).hasSize(1);
        runtime.grant(slow, 1);
        recorder.await(slow, TaskEvent.Paused.class, 2);
        assertThat(recorder.blocks(slow)).hasSize(2);
        runtime.grant(slow, 5);
        recorder.awaitEnd(slow);
        assertThat(take(slow)).containsExactly(0L, 1L, 2L);
    }

    @Test
    void ifTheFirstEndsFirstTheSecondIsStoppedAndItsBlocksAreFreed() throws Exception {
        siblings();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        long slow = submit(9, context -> {
            boolean first = runs.incrementAndGet() == 1;
            context.emit(TaskBlocks.of(context.allocator(), 1));
            if (first) {
                second.await();
            } else {
                second.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    stopped.countDown();
                }
            }
        });
        assertThat(recorder.awaitEnd(slow)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(stopped.getCount()).as("attempts that still run").isZero();
        assertThat(take(slow)).containsExactly(1L);
        // It is counted when its submission has returned, which may be after the end of the task.
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (runtime.stragglers().begun() == 0 && System.nanoTime() < limit) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(runtime.stragglers().begun()).isEqualTo(1);
        assertThat(runtime.stragglers().won()).isZero();
    }

    @Test
    void aCancelledStragglerEndsWithBothAttempts() throws Exception {
        siblings();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch second = new CountDownLatch(2);
        CountDownLatch stopped = new CountDownLatch(2);
        long slow = submit(9, context -> {
            runs.incrementAndGet();
            second.countDown();
            try {
                new CountDownLatch(1).await();
            } finally {
                stopped.countDown();
            }
        });
        assertThat(second.await(20, TimeUnit.SECONDS)).isTrue();
        runtime.cancel(slow);
        TaskEvent end = recorder.awaitEnd(slow);
        assertThat(end)
                .isInstanceOfSatisfying(
                        TaskEvent.Failed.class,
                        failed -> assertThat(failed.cause()).isInstanceOf(TaskCancelled.class));
        assertThat(stopped.getCount()).as("attempts that still run").isZero();
    }

    @Test
    void aWriteCommitsOneAttempt(@TempDir Path folder) {
        ConcurrentHashMap<Long, Integer> seen = new ConcurrentHashMap<>();
        String out = folder.resolve("out").toString();
        StragglerWatch[] watch = new StragglerWatch[1];
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(account -> {
                    RecoveringRuntime own = new RecoveringRuntime(new TwoNodes(), account, FaultSettings.DEFAULT, SOON);
                    watch[0] = own.stragglers();
                    return own;
                })
                .open()) {
            long rows = session.range(1000, 20)
                    .map(row -> {
                        if (row.getLong("id") == 977 && seen.merge(977L, 1, Integer::sum) == 1) {
                            new CountDownLatch(1).await();
                        }
                        return row.copy();
                    })
                    .writeArrow(out)
                    .rows();
            assertThat(rows).isEqualTo(1000);
            assertThat(session.readArrow(out).sort("id").takeAll().stream().map(row -> row.getLong("id")))
                    .containsExactlyElementsOf(LongStream.range(0, 1000).boxed().toList());
        }
        // Beside load other tasks may be slow enough, too.
        assertThat(watch[0].won()).isPositive();
        assertThat(folder.resolve("out/_temporary")).doesNotExist();
    }
}
