package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.internal.backpressure.ConcurrencyCap;
import dev.millrace.internal.backpressure.DownstreamCapacity;
import dev.millrace.internal.backpressure.MemoryWait;
import dev.millrace.internal.backpressure.OutputDemand;
import dev.millrace.internal.backpressure.ResourceBudget;
import dev.millrace.internal.backpressure.TaskVerdict;
import dev.millrace.internal.operator.TaskOperator;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.testing.AtOnce;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Each policy by itself: when it refuses, and what it says then.
@Timeout(30)
class PoliciesTest {
    private Harness run = Harness.withCpus(4);
    private final FakePrograms plans = run.programs;

    @AfterEach
    void nothingIsLeft() {
        run.close();
    }

    private List<TaskOperator> operators() {
        return run.scheduler.pipeline().tasks();
    }

    private TaskOperator operator(String name) {
        return operators().stream()
                .filter(operator -> operator.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static TaskVerdict refusal(String policy, String reason) {
        return new TaskVerdict(false, policy, reason);
    }

    @Test
    void aConcurrencyCapCountsTasksInFlight() {
        PhysicalPlan map = plans.map("map", plans.read(8, 1, 1), new Compute.Tasks(1), 0, List::of);
        run.open(map).ask();
        ConcurrencyCap policy = new ConcurrencyCap();
        assertThat(policy.check(operator("map"))).isEqualTo(TaskVerdict.ALLOWED);
        for (FakeRuntime.Task task : List.copyOf(run.runtime.of("read"))) {
            task.run();
        }
        run.settle();
        assertThat(operator("map").inFlight()).isEqualTo(1);
        assertThat(policy.check(operator("map"))).isEqualTo(refusal("ConcurrencyCap", "1 tasks in flight, at most 1"));
        assertThat(policy.check(operator("read"))).isEqualTo(TaskVerdict.ALLOWED);
        assertThat(policy.yieldsWhenNothingRuns()).isFalse();
    }

    @Test
    void aConcurrencyCapCountsTheCallsThatActorsTake() {
        PhysicalPlan map = plans.map("map", plans.read(8, 1, 1), new Compute.Actors(1, 1, 1, 1), 0, List::of);
        run.open(map).ask();
        ConcurrencyCap policy = new ConcurrencyCap();
        assertThat(policy.check(operator("map")))
                .isEqualTo(refusal("ConcurrencyCap", "0 calls in flight, 0 of 1 actors ready take 0"));
        run.runtime.actors.values().forEach(FakeRuntime.Actor::becomeReady);
        run.settle();
        assertThat(policy.check(operator("map"))).isEqualTo(TaskVerdict.ALLOWED);
    }

    @Test
    void beforeTheConsumerAsksOneReadRunsAhead() {
        run.open(plans.copy("map", plans.read(8, 1, 1)));
        OutputDemand policy =
                new OutputDemand(operators(), run.scheduler.pipeline().output());
        assertThat(run.runtime.tasks).hasSize(1);
        assertThat(policy.check(operator("read"))).isEqualTo(refusal("OutputDemand", "no block has been asked for"));
        assertThat(policy.check(operator("map"))).isEqualTo(refusal("OutputDemand", "no block has been asked for"));
        run.ask();
        assertThat(policy.check(operator("map"))).isEqualTo(TaskVerdict.ALLOWED);
    }

    @Test
    void blocksThatNobodyTakesAreEnough() {
        run.open(plans.read(100, 1, 1)).ask().runAll();
        OutputDemand policy =
                new OutputDemand(operators(), run.scheduler.pipeline().output());
        int room = run.scheduler.pipeline().output().room();
        assertThat(policy.check(operator("read")))
                .isEqualTo(refusal(
                        "OutputDemand",
                        run.scheduler.pipeline().output().waitingBlocks()
                                + " finished blocks wait for the consumer, at most " + room));
        assertThat(run.take()).isNotNull();
    }

    @Test
    void whatIsUnderWayIsEnoughForALimit() {
        run.open(new PhysicalPlan.Limit("limit", plans.read(100, 1, 10), 0, 3)).ask();
        OutputDemand policy =
                new OutputDemand(operators(), run.scheduler.pipeline().output());
        assertThat(policy.check(operator("read")))
                .isEqualTo(refusal(
                        "OutputDemand", "1 tasks under way are expected to bring the rows that a limit still wants"));
    }

    @Test
    void outputThatPilesUpHoldsItsMaker() {
        run.open(plans.read(100, 1, 1)).ask().runAll();
        DownstreamCapacity policy = downstream(2);
        TaskOperator read = operator("read");
        assertThat(read.queuedBlocks()).isGreaterThanOrEqualTo(2);
        assertThat(policy.check(read))
                .isEqualTo(refusal(
                        "DownstreamCapacity",
                        read.queuedBlocks() + " blocks wait for " + read.feeds().name() + ", at most 2"));
        assertThat(downstream(1000).check(read)).isEqualTo(TaskVerdict.ALLOWED);
        assertThat(policy.yieldsWhenNothingRuns()).isTrue();
    }

    @Test
    void theBatchesOfActorsAreCollectedWhileTheyStart() {
        run.open(plans.map("map", plans.read(100, 1, 1), new Compute.Actors(1, 1, 1, 1), 10, List::of))
                .ask();
        DownstreamCapacity policy = downstream(2);
        for (int blocks = 0; blocks < 80; blocks++) {
            assertThat(policy.check(operator("read"))).as("%s blocks", blocks).isEqualTo(TaskVerdict.ALLOWED);
            run.runtime.of("read").getFirst().run();
            run.settle();
        }
        assertThat(policy.check(operator("read")))
                .isEqualTo(refusal("DownstreamCapacity", "80 blocks wait for map, at most 80"));

        run.runtime.actors.values().iterator().next().becomeReady();
        run.settle();

        assertThat(policy.check(operator("read")).reason())
                .as("half of it is enough once they work")
                .endsWith("at most 40");
    }

    @Test
    void aBudgetThatIsUsedUpNamesNeedAndLimit() {
        run = new Harness(new FakePrograms(), new Resources(4, 0, 1 << 20, Map.of()));
        run.programs.targetBytes = 400;
        run.open(run.programs.read(100, 1, 100)).ask();
        ResourceBudget policy = new ResourceBudget(operators(), 0.5);
        policy.limit(100);
        policy.refresh();
        assertThat(policy.check(operator("read")).policy()).isEqualTo("ResourceBudget");
        assertThat(policy.check(operator("read")).reason()).matches("needs \\d+ bytes, \\d+ left of the run's 100");
        policy.limit(1 << 30);
        policy.refresh();
        assertThat(policy.check(operator("read"))).isEqualTo(TaskVerdict.ALLOWED);
        assertThat(policy.yieldsWhenNothingRuns()).isTrue();
    }

    @Test
    void aTaskThatWaitsForMemoryHoldsItsOperatorAndThoseBefore() throws Exception {
        run.memory = Allocator.root("test", 1 << 20);
        run.open(plans.copy("second", plans.copy("first", plans.read(8, 1, 1)))).ask();
        MemoryWait policy = new MemoryWait(operators());
        operators().forEach(operator -> assertThat(policy.check(operator)).isEqualTo(TaskVerdict.ALLOWED));
        Buffer held = run.memory.allocate(1 << 19);
        Buffer more = run.memory.allocate(1 << 18);
        FutureTask<Void> waiting = new FutureTask<>(() -> {
            Allocator account = operator("first").account();
            try (MemoryTurn _ = account.enter(1)) {
                account.allocate(1 << 19).release();
            }
            return null;
        });
        Thread.ofPlatform().daemon().start(waiting);
        while (operator("first").waitingForMemory() == 0 && !waiting.isDone()) {
            Thread.onSpinWait();
        }
        policy.refresh();
        String reason = "1 task of first waits for 524288 bytes of memory, 786432 of 1048576 are in use";
        assertThat(policy.check(operator("read"))).isEqualTo(refusal("Memory", reason));
        assertThat(policy.check(operator("first"))).isEqualTo(refusal("Memory", reason));
        assertThat(policy.check(operator("second"))).isEqualTo(TaskVerdict.ALLOWED);
        held.release();
        more.release();
        AtOnce.result(waiting);
        policy.refresh();
        assertThat(policy.check(operator("first"))).isEqualTo(TaskVerdict.ALLOWED);
    }

    private static DownstreamCapacity downstream(int floor) {
        DownstreamCapacity policy = new DownstreamCapacity(2);
        policy.floor(floor);
        return policy;
    }
}
