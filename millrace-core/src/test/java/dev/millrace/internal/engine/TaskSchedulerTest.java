package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Compute;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.ExecutionSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskSchedulerTest {
    private Harness run = Harness.withCpus(4);
    private final FakePrograms plans = run.programs;

    @AfterEach
    void nothingIsLeft() {
        run.close();
    }

    @Test
    void rowsComeOutInTheOrderOfTheInput() {
        run.open(plans.copy("map", plans.read(20, 3, 5)));

        assertThat(run.drain()).isEqualTo(ids(300));
    }

    /// What was there when the scheduler looked may be held back a moment later, by a request for memory.
    @Test
    void anOperatorWithNothingToStartStartsNothing() {
        run.open(plans.copy("map", plans.read(1, 1, 10)));
        for (TaskOperator operator : run.scheduler.pipeline().tasks()) {
            long submitted = run.runtime.submittedTo(operator.name());
            if (!operator.inputReady() && !operator.launcher().hasUrgent()) {
                assertThat(operator.launcher().startUrgent()
                                || operator.launcher().startNew())
                        .isFalse();
            }
            assertThat(run.runtime.submittedTo(operator.name())).isEqualTo(submitted);
        }
        assertThat(run.scheduler.pipeline().tasks().stream()
                        .filter(operator -> !operator.inputReady())
                        .count())
                .isEqualTo(2);
        assertThat(run.drain()).isEqualTo(ids(10));
    }

    /// The younger one would wait for the older one's rows, in its slot, and so for ever.
    @Test
    void aTaskThatWaitsForItsNextTryKeepsItsSlot() {
        run.open(plans.map("map", plans.read(3, 1, 10), new Compute.Tasks(1), 0, values -> List.of(values, values)))
                .ask();
        run.runtime.of("read").forEach(FakeRuntime.Task::run);
        run.settle();

        run.runtime
                .of("map")
                .getFirst()
                .fail(new MillraceException(Culprit.RESOURCES, "no answer", new IOException("timed out")), false);
        run.settle();

        assertThat(run.runtime.of("map")).isEmpty();
        run.clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(run.drain()).hasSize(60);
    }

    @Test
    void oneReadRunsAheadOfTheConsumer() {
        run.open(plans.read(1000, 1, 10));

        assertThat(run.runtime.tasks).hasSize(1);
        run.ask();
        assertThat(run.runtime.tasks).hasSize(4);
    }

    @Test
    void takeThreeOfAHugeDatasetStartsOneReadTask() {
        run.open(new PhysicalPlan.Limit("limit", plans.copy("map", plans.read(1_000_000, 1, 10)), 0, 3))
                .ask();
        assertThat(run.runtime.submitted).hasSize(1);

        assertThat(run.drain()).containsExactly(0, 1, 2);
        assertThat(run.runtime.submittedTo("read")).isEqualTo(1);
        assertThat(run.runtime.submittedTo("map")).isEqualTo(1);
    }

    @Test
    void aLimitThatNeedsMoreStartsAsManyTasksAsItExpectsToNeed() {
        run.open(new PhysicalPlan.Limit("limit", plans.read(1000, 1, 10), 0, 35))
                .ask();
        assertThat(run.runtime.tasks).hasSize(1);

        run.runtime.of("read").getFirst().run();
        run.settle();

        assertThat(run.runtime.tasks).hasSize(3);
        assertThat(run.drain()).isEqualTo(ids(35));
    }

    @Test
    void limitStopsUpstreamAfterTheBlockThatReachesIt() {
        run.open(new PhysicalPlan.Limit("limit", plans.read(8, 4, 10), 0, 15)).ask();
        FakeRuntime.Task head = run.runtime.of("read").getFirst();
        head.step();
        run.settle();
        assertThat(run.runtime.tasks.values()).noneMatch(t -> t.cancelled);

        head.step();
        run.settle();

        assertThat(run.runtime.tasks.values()).isNotEmpty().allMatch(t -> t.cancelled);
        assertThat(run.take()).hasSize(10);
        assertThat(run.take()).containsExactly(10, 11, 12, 13, 14);
    }

    @Test
    void anOffsetSkipsRowsAcrossBlocks() {
        run.open(new PhysicalPlan.Limit("limit", plans.read(3, 2, 4), 6, 5));

        assertThat(run.drain()).containsExactly(6, 7, 8, 9, 10);
    }

    @Test
    void aLimitOfNothingStartsNothing() {
        run.open(new PhysicalPlan.Limit("limit", plans.read(3, 2, 4), 0, 0));

        assertThat(run.drain()).isEmpty();
        assertThat(run.runtime.submitted).isEmpty();
    }

    @Test
    void aPausedTaskGivesItsCpuBack() {
        run = Harness.withCpus(1);
        run.open(run.programs.read(2, 5, 1)).ask();
        assertThat(run.capacity.used().cpus()).isEqualTo(1);

        run.runtime.of("read").getFirst().run();
        run.settle();

        assertThat(run.runtime.of("read").getFirst().toldPaused).isTrue();
        assertThat(run.capacity.used().cpus()).isZero();
        assertThat(run.drain()).isEqualTo(ids(10));
    }

    @Test
    void aPausedTaskGoesOnOnlyWithACpu() {
        run = Harness.withCpus(1);
        run.open(run.programs.read(1, 5, 1)).ask();
        FakeRuntime.Task task = run.runtime.of("read").getFirst();
        task.run();
        CapacityShare.Member other = run.capacity.join("other", () -> {});
        run.settle();
        assertThat(other.tryTake(run.programs.need, null)).isNotNull();

        run.take();
        assertThat(task.credit).isZero();
        other.giveBack(run.programs.need, run.capacity.nodes().getFirst());
        other.close();
        run.settle();

        assertThat(task.credit).isEqualTo(1);
        assertThat(run.stats("read").heldNanos()).containsKey("Capacity");
    }

    @Test
    void aTaskThatWasGrantedCreditOnTheWayIsNotPaused() {
        run.open(plans.read(1, 5, 1)).ask();
        FakeRuntime.Task task = run.runtime.of("read").getFirst();
        task.step();
        task.step();
        run.settle();
        // Out of credit: it says so, but before the loop hears of it a block is taken and credit is on its way.
        task.step();
        assertThat(task.toldPaused).isTrue();
        run.scheduler.tick();
        run.outlets.getFirst().take().release();
        run.demand = false;
        run.scheduler.demanded();
        run.settle();

        assertThat(task.credit).isEqualTo(1);
        assertThat(run.capacity.used().cpus()).isEqualTo(1);
    }

    @Test
    void blocksOfTheOldestTaskPassAtOnceAndLaterOnesWait() {
        run.open(plans.read(2, 2, 1)).ask();
        List<FakeRuntime.Task> tasks = run.runtime.of("read");
        tasks.get(1).step();
        run.settle();
        assertThat(run.take()).isNull();

        tasks.get(0).step();
        run.settle();

        assertThat(run.take()).containsExactly(0);
        assertThat(run.take()).isNull();
    }

    @Test
    void withoutOrderBlocksPassAsTheyCome() {
        run = Harness.withCpus(4).with(ExecutionSettings.DEFAULT.withPreserveOrder(false));
        run.open(run.programs.read(2, 2, 1)).ask();

        run.runtime.of("read").get(1).step();
        run.settle();

        assertThat(run.take()).containsExactly(2);
    }

    @Test
    void nothingRunsWhenNobodyTakes() {
        run.open(plans.copy("map", plans.read(1000, 1, 10))).ask().runAll();

        assertThat(run.runtime.tasks).isEmpty();
        assertThat(run.runtime.submitted.size()).isLessThan(40);
        assertThat(run.stats("map").heldReason()).contains("2 finished blocks wait for the consumer, at most 2");
        assertThat(run.stats("read").heldReason()).contains("blocks wait for map, at most 8");
    }

    @Test
    void aSlowFirstTaskDoesNotLetOthersRunFarAhead() {
        run.open(plans.read(1000, 1, 1)).ask();
        for (int i = 0; i < 100; i++) {
            run.runtime.of("read").stream().skip(1).toList().forEach(FakeRuntime.Task::run);
            run.settle();
        }

        assertThat(run.runtime.submitted.size()).isBetween(8, 20);
        assertThat(run.drain()).isEqualTo(ids(1000));
    }

    @Test
    void smallBlocksAreBundledUntilTheyHaveEnoughRows() {
        List<Integer> sizes = new ArrayList<>();
        run.open(plans.map("map", plans.read(10, 1, 10), new Compute.Tasks(1), 25, rows -> {
            sizes.add(rows.length);
            return List.of(rows);
        }));

        assertThat(run.drain()).isEqualTo(ids(100));
        assertThat(sizes).containsExactly(30, 30, 30, 10);
    }

    @Test
    void actorsGetWholeBatchesAndTheRestOfABlockBeginsTheNext() {
        List<Integer> sizes = new ArrayList<>();
        run.open(plans.map("map", plans.read(3, 1, 37), new Compute.Actors(1, 1, 1, 1), 10, rows -> {
            sizes.add(rows.length);
            return List.of(rows);
        }));

        assertThat(run.drain()).isEqualTo(ids(111));
        assertThat(sizes).containsExactly(30, 40, 41);
    }

    @Test
    void aBundleIsCompleteWithAnEighthOfTheMemoryWhateverRowsItLacks() {
        // A row of these blocks has eight bytes: thirty of them are an eighth.
        run.memory = Allocator.root("test", 8 * 30 * Long.BYTES);
        List<Integer> sizes = new ArrayList<>();
        run.open(plans.map("map", plans.read(10, 1, 10), new Compute.Tasks(1), 75, rows -> {
            sizes.add(rows.length);
            return List.of(rows);
        }));

        assertThat(run.drain()).isEqualTo(ids(100));
        assertThat(sizes).containsExactly(30, 30, 30, 10);
        assertThat(run.stats("map").counters()).containsEntry("batchesShrunk", 3L);
    }

    @Test
    void aConcurrencyCapHolds() {
        run.open(plans.map("map", plans.read(10, 1, 1), new Compute.Tasks(1), 0, List::of))
                .ask();
        run.runtime.of("read").forEach(FakeRuntime.Task::run);
        run.settle();

        assertThat(run.runtime.of("map")).hasSize(1);
        assertThat(run.stats("map").heldReason()).isEqualTo("1 tasks in flight, at most 1");
    }

    @Test
    void aUnionKeepsTheOrderOfItsInputs() {
        run.open(new PhysicalPlan.Union(
                "union", List.of(plans.read(3, 2, 2), plans.copy("map", plans.read(2, 1, 3)), plans.read(1, 1, 1))));

        assertThat(run.drain()).isEqualTo(FakePrograms.concat(List.of(ids(12), ids(6), ids(1))));
    }

    @Test
    void aZipPairsRowsAcrossBlocksOfDifferentSizes() {
        run.open(plans.zip(plans.read(3, 2, 5), plans.copy("map", plans.read(2, 3, 5))));

        assertThat(run.drain())
                .isEqualTo(LongStream.range(0, 30)
                        .map(i -> FakePrograms.pair(i, i))
                        .toArray());
    }

    @Test
    void aZipOfUnequalLengthsNamesBoth() {
        run.open(plans.zip(plans.read(1, 1, 3), plans.read(2, 1, 2)));

        assertThatThrownBy(run::drain)
                .isInstanceOf(MillraceException.class)
                .hasMessage("Cannot zip datasets of different number of rows: 3, 4");
    }

    @Test
    void blocksThatAreThereComeFirstAndStayWithTheirOwner() {
        BlockSlice mine = BlockSlice.whole(run.runtime.block(ids(5)));
        run.open(plans.copy("map", new PhysicalPlan.Blocks("blocks", List.of(mine, mine))));

        assertThat(run.drain()).containsExactly(0, 1, 2, 3, 4, 0, 1, 2, 3, 4);
        mine.release();
    }

    @Test
    void aUsersExceptionStopsTheRunAndNamesTheOperator() {
        run.open(plans.copy("map(f)", plans.read(10, 1, 1))).ask();
        run.runtime.of("read").forEach(FakeRuntime.Task::run);
        run.settle();
        IllegalStateException cause = new IllegalStateException("no");

        run.runtime.of("map(f)").getFirst().fail(cause, false);
        run.settle();

        assertThatThrownBy(run::take)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessageContaining("map(f)")
                .hasCause(cause);
        assertThat(run.runtime.tasks.values()).allMatch(t -> t.cancelled);
    }

    @Test
    void anErrorThatIsWordedAlreadyComesAsItIs() {
        run.open(plans.read(1, 1, 1)).ask();
        MillraceException told = MillraceException.data("part-3 is corrupt");

        run.runtime.of("read").getFirst().fail(told, false);
        run.settle();

        assertThatThrownBy(run::take)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(told.culprit()))
                .hasMessage(told.getMessage())
                .hasCause(told);
    }

    @Test
    void aLostWorkerIsRetriedAndNoBlockComesTwice() {
        run.open(plans.read(1, 5, 2)).ask();
        for (int lost = 0; lost < 2; lost++) {
            FakeRuntime.Task task = run.runtime.of("read").getFirst();
            for (int i = 0; i <= lost && task.canStep(); i++) {
                task.step();
            }
            task.fail(new IllegalStateException("node gone"), true);
            run.settle();
        }

        assertThat(run.drain()).isEqualTo(ids(10));
        assertThat(run.stats("read").tasksFailed()).isEqualTo(2);
    }

    @Test
    void aTaskThatTakesThreeWorkersWithItEndsTheRunAndIsNamed() {
        run.open(plans.map("resize", plans.read(1, 1, 4), List::of)).ask();
        run.runtime.of("read").getFirst().run();
        run.settle();
        for (int lost = 0; lost < 3; lost++) {
            run.runtime.of("resize").getFirst().fail(new IllegalStateException("worker-7 exited with 1"), true);
            run.settle();
        }

        assertThatThrownBy(run::take)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessageStartingWith("resize")
                .hasMessageContaining(
                        "3 workers were lost, one after the other, while they ran its task over rows 0 to 3"
                                + " of fake.")
                .hasMessageContaining("System.exit()")
                .hasMessageContaining("native code")
                .hasMessageContaining("the last one: worker-7 exited with 1");
    }

    @Test
    void aPausedTaskIsNotBlamedForLostWorkers() {
        run.open(plans.read(1, 9, 2)).ask();
        FakeRuntime.Task task = run.runtime.of("read").getFirst();
        for (int lost = 0; lost < 5; lost++) {
            task = run.runtime.of("read").getFirst();
            while (task.canStep()) {
                task.step();
            }
            run.settle();
            task.fail(new IllegalStateException("node gone"), true);
            run.settle();
        }

        assertThat(run.drain()).isEqualTo(ids(18));
    }

    @Test
    void aUsersExceptionIsRetriedWhereAskedFor() {
        run.settings = run.settings.with(run.settings.faults().withUserRetries(1, List.of("IOException")));
        run.open(plans.read(1, 2, 1)).ask();
        run.runtime.of("read").getFirst().fail(new java.io.FileNotFoundException("gone for now"), false);
        run.settle();
        assertThat(run.runtime.of("read")).hasSize(1);

        run.runtime.of("read").getFirst().fail(new java.io.FileNotFoundException("gone for good"), false);
        run.settle();

        assertThatThrownBy(run::take).hasMessageContaining("gone for good");
    }

    @Test
    void anIoErrorOfASourceIsTriedAgainAfterLongerAndLongerPausesAndNoBlockComesTwice() {
        run.settings = run.settings.with(run.settings.faults().withIoAttempts(4, Duration.ofSeconds(1)));
        run.open(plans.read(1, 3, 2)).ask();
        long[] least = {125, 250, 500};
        for (long millis : least) {
            run.runtime.of("read").getFirst().step();
            run.runtime.of("read").getFirst().fail(io("connection reset"), false);
            run.settle();
            assertThat(run.runtime.of("read")).isEmpty();
            long pause = run.scheduler.deadline() - run.clock.get();
            assertThat(Duration.ofNanos(pause)).isBetween(Duration.ofMillis(millis), Duration.ofMillis(2 * millis));
            run.clock.addAndGet(pause - 1);
            run.settle();
            assertThat(run.runtime.of("read")).isEmpty();
            run.clock.addAndGet(1);
            run.settle();
            assertThat(run.runtime.of("read")).hasSize(1);
        }
        assertThat(run.drain()).isEqualTo(ids(6));
    }

    @Test
    void anIoErrorThatStaysFailsTheRunAndSaysHowOftenItWasTried() {
        run.settings = run.settings.with(run.settings.faults().withIoAttempts(2, Duration.ofMillis(1)));
        run.open(plans.read(1, 3, 2)).ask();
        run.runtime.of("read").getFirst().fail(io("connection reset"), false);
        run.settle();
        run.clock.set(run.scheduler.deadline());
        run.settle();
        run.runtime.of("read").getFirst().fail(io("connection reset"), false);
        run.settle();

        assertThatThrownBy(run::take).hasMessage("Reading part-3 failed: connection reset (It was tried 2 times.)");
    }

    @Test
    void aRunThatIsClosedWhileATaskWaitsForItsNextTryEnds() {
        run.open(plans.read(1, 3, 2)).ask();
        run.runtime.of("read").getFirst().fail(io("connection reset"), false);
        run.settle();
        run.close();
        run = Harness.withCpus(1);
        run.open(plans.read(1, 1, 1));
    }

    private static MillraceException io(String message) {
        return new MillraceException(
                dev.millrace.error.Culprit.RESOURCES,
                "Reading part-3 failed: " + message,
                new java.io.IOException(message));
    }

    @Test
    void erroredBlocksAreDroppedUpToALimit() {
        run.settings = run.settings.with(run.settings.faults().withMaxErroredBlocks(1));
        run.open(plans.read(3, 1, 1)).ask();
        run.runtime.of("read").get(1).fail(new IllegalStateException("bad"), false);

        assertThat(run.drain()).containsExactly(0, 2);
    }

    @Test
    void memoryHoldsAnOperatorAndTheReasonSaysSo() {
        run = new Harness(new FakePrograms(), new dev.millrace.compute.Resources(4, 0, 4000, java.util.Map.of()));
        run.programs.targetBytes = 400;
        run.open(run.programs.read(100, 1, 100)).ask();

        // Half of 4000 bytes is the run's, half of that is shared and a quarter reserved for tasks: three blocks of
        // 400.
        assertThat(run.runtime.tasks).hasSize(1);
        assertThat(run.stats("read").heldReason()).isEqualTo("needs 1200 bytes, 0 left of the run's 2000");
        assertThat(run.drain()).isEqualTo(ids(10_000));
    }

    @Test
    void aTaskLargerThanAllMemoryStillRunsAlone() {
        run = new Harness(new FakePrograms(), new dev.millrace.compute.Resources(4, 0, 100, java.util.Map.of()));
        run.open(run.programs.copy("map", run.programs.read(10, 1, 100)));

        assertThat(run.drain()).isEqualTo(ids(1000));
    }

    @Test
    void consumersShareBlocksByAvailability() {
        run.open(plans.read(6, 1, 1), 2, false).ask().runAll();

        long[] a = run.take(0);
        long[] b = run.take(1);

        assertThat(LongStream.of(a[0], b[0])).containsExactly(0L, 1L);
    }

    @Test
    void equalPartsHaveTheSameNumberOfRows() {
        run.open(plans.read(5, 1, 2), 3, true).ask();
        long[] rows = new long[3];
        for (int round = 0; round < 20; round++) {
            run.runAll();
            for (int i = 0; i < 3; i++) {
                long[] block = run.outlets.get(i).isReady() ? run.take(i) : null;
                rows[i] += block == null ? 0 : block.length;
            }
        }

        assertThat(rows).containsExactly(3, 3, 3);
    }

    @Test
    void statsCountRowsBlocksAndBytes() {
        run.open(plans.map("map", plans.read(4, 2, 5), rows -> List.of(Arrays.copyOf(rows, 2))));
        run.drain();

        assertThat(run.stats("read").outputRows()).isEqualTo(40);
        assertThat(run.stats("read").tasksFinished()).isEqualTo(4);
        assertThat(run.stats("read").totalTasks()).hasValue(4);
        assertThat(run.stats("map").inputRows()).isEqualTo(40);
        assertThat(run.stats("map").inputBytes()).isEqualTo(320);
        assertThat(run.stats("map").outputBlocks()).isEqualTo(8);
        assertThat(run.stats("map").rowsPerBlock().max()).isEqualTo(2);
        assertThat(run.stats("map").finished()).isTrue();
        assertThat(run.scheduler.stats().outputRows()).isEqualTo(16);
    }

    static long[] ids(long rows) {
        return LongStream.range(0, rows).toArray();
    }
}
