package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.consume.SessionExecutions;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.FairCapacity;
import dev.millrace.internal.resource.NeedCheck;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Where tasks and actors run on a runtime of several nodes, and what happens when nodes come and go.
class NodesTest {
    private static final long MIB = 1 << 20;

    private final FakeRuntime runtime = new FakeRuntime();
    private final FakePrograms plans = new FakePrograms();
    private final AtomicLong clock = new AtomicLong(1);
    private FairCapacity capacity;
    private Harness run;

    private static Runtime.Node node(String name, double cpus) {
        return new Runtime.Node(name, Resources.cpus(cpus), 0);
    }

    private Harness on(Runtime.Node... nodes) {
        List.of(nodes).forEach(runtime::join);
        capacity = FairCapacity.of(runtime, UnaryOperator.identity());
        run = new Harness(plans, capacity, runtime, clock, new AtomicLong());
        return run;
    }

    private List<String> nodesOf(String operator) {
        return runtime.of(operator).stream().map(task -> task.spec.node()).toList();
    }

    private static long[] ids(int rows) {
        return LongStream.range(0, rows).toArray();
    }

    @Test
    void tasksWithoutInputAreSpreadOverTheNodes() {
        on(node("a", 2), node("b", 2), node("c", 1)).open(plans.read(100, 1, 1)).ask();
        run.runAll();

        assertThat(run.drain()).isEqualTo(ids(100));
        assertThat(run.scheduler.stats().tasksPerNode().keySet()).containsExactlyInAnyOrder("a", "b", "c");
        run.close();
    }

    @Test
    void aTaskRunsWhereItsInputIs() {
        runtime.bytes = _ -> 64 * MIB;
        on(node("a", 2), node("b", 2), node("c", 2))
                .open(plans.copy("map", plans.read(60, 1, 10)))
                .ask();
        List<String> elsewhere = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            runtime.of("map").forEach(task -> {
                if (!task.spec
                        .node()
                        .equals(task.spec.inputs().getFirst().block().node())) {
                    elsewhere.add(task.spec.node());
                }
            });
            runtime.tasks.values().stream().toList().forEach(FakeRuntime.Task::run);
            run.settle();
            while (run.outlets.getFirst().isReady() && run.take() != null) {
                run.settle();
            }
        }

        assertThat(runtime.submittedTo("map")).isEqualTo(60);
        assertThat(elsewhere).isEmpty();
        run.close();
    }

    /// The node that has the input is full. A fetch of 64 MiB takes 67 ms: it waits so long, and no longer.
    @Test
    void aTaskWaitsForItsNodeAsLongAsAFetchTakes() {
        runtime.bytes = _ -> 64 * MIB;
        on(node("a", 1), node("b", 1));
        CapacityShare.Member other = capacity.join("other", () -> {});
        NodeRoom b = capacity.node("b");
        assertThat(other.tryTakeAt(Resources.cpus(1), b)).isTrue();
        run.open(plans.copy("map", plans.read(1, 1, 10))).ask();
        assertThat(nodesOf("read")).containsExactly("a");
        runtime.of("read").getFirst().run();
        assertThat(other.tryTakeAt(Resources.cpus(1), capacity.node("a"))).isFalse();
        other.giveBack(Resources.cpus(1), b);
        other.settled();
        run.round(1);
        // The read has emitted its block and still has its node's only CPU.
        assertThat(runtime.of("map")).isEmpty();
        assertThat(run.scheduler.deadline()).isEqualTo(clock.get() + 64 * MIB);

        clock.addAndGet(64 * MIB);
        run.round(0);

        assertThat(nodesOf("map")).containsExactly("b");
        other.close();
        assertThat(run.drain()).isEqualTo(ids(10));
        run.close();
    }

    @Test
    void aTaskNeedsOneNodeThatHasAllOfIt() {
        on(node("a", 2), node("b", 3));
        plans.need = Resources.cpus(4);
        PhysicalPlan plan = plans.read(1, 1, 1);

        assertThatThrownBy(() -> NeedCheck.check(plan, capacity, UnaryOperator.identity()))
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.RESOURCES))
                .hasMessage("read needs 4 CPUs, 3 are there on the largest of 2 nodes. Ask for less, or raise the"
                        + " session's limits.");
    }

    @Test
    void actorsAreSpreadAndCallsGoToTheOneThatIsNear() {
        on(node("a", 2), node("b", 2))
                .open(plans.map("model", plans.read(40, 1, 10), new Compute.Actors(2, 2, 2, 1), 0, List::of))
                .ask();
        assertThat(runtime.actors.values().stream().map(actor -> actor.spec.node()))
                .containsExactlyInAnyOrder("a", "b");
        runtime.actors.values().forEach(FakeRuntime.Actor::becomeReady);
        runtime.of("read").forEach(FakeRuntime.Task::run);
        run.settle();

        assertThat(runtime.of("model")).isNotEmpty();
        for (FakeRuntime.Task call : runtime.of("model").subList(0, 2)) {
            assertThat(call.spec.node())
                    .isEqualTo(call.spec.inputs().getFirst().block().node());
        }
        assertThat(run.drain()).isEqualTo(ids(400));
        run.close();
    }

    @Test
    void whatWasUsedOnALostNodeIsGivenBackOnce() {
        on(node("a", 2), node("b", 2));
        CapacityShare.Member member = capacity.join("run", () -> {});
        NodeRoom a = capacity.node("a");
        assertThat(member.tryTakeAt(Resources.cpus(2), a)).isTrue();
        assertThat(member.tryTake(Resources.cpus(1), a)).isEqualTo(capacity.node("b"));

        runtime.lose(node("a", 2));

        assertThat(capacity.total()).isEqualTo(Resources.cpus(2));
        assertThat(capacity.used()).isEqualTo(Resources.cpus(1));
        member.giveBack(Resources.cpus(2), a);
        assertThat(capacity.used()).isEqualTo(Resources.cpus(1));
        assertThat(member.tryTakeAt(Resources.cpus(1), a)).isFalse();
        member.giveBack(Resources.cpus(1), capacity.node("b"));
        assertThat(capacity.used().cpus()).isZero();
        member.close();
    }

    @Test
    void tasksOfALostNodeRunAgainOnTheOthers() {
        on(node("a", 2), node("b", 2))
                .open(plans.copy("map", plans.read(20, 2, 10)))
                .ask();
        runtime.tasks.values().stream().toList().forEach(FakeRuntime.Task::step);
        run.settle();

        runtime.lose(node("a", 2));
        run.settle();

        assertThat(runtime.tasks.values()).allMatch(task -> task.spec.node().equals("b"));
        assertThat(run.drain()).isEqualTo(ids(400));
        run.close();
    }

    @Test
    void aNodeThatJoinsGetsTasks() {
        on(node("a", 1)).open(plans.read(20, 1, 10)).ask();
        assertThat(nodesOf("read")).containsExactly("a");

        runtime.join(node("b", 1));
        run.take();

        assertThat(nodesOf("read")).contains("b");
        run.drain();
        run.close();
    }

    @Test
    void aRunWhoseNeedFitsNoNodeAnyMoreWaitsForOneThatComes() {
        plans.need = Resources.cpus(2);
        on(node("small", 1), node("large", 2)).open(plans.read(20, 1, 10)).ask();

        runtime.lose(node("large", 2));
        run.settle();
        assertThat(runtime.tasks).isEmpty();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(100));
        run.settle();
        runtime.join(node("another", 2));
        run.settle();

        assertThat(nodesOf("read")).containsExactly("another");
        clock.addAndGet(TimeUnit.SECONDS.toNanos(100));
        assertThat(run.drain()).isEqualTo(ids(200));
        run.close();
    }

    @Test
    void aRunWhoseNeedFitsNoNodeForTwoMinutesEndsWithASentence() {
        plans.need = Resources.cpus(2);
        on(node("small", 1), node("large", 2)).open(plans.read(20, 1, 10)).ask();
        runtime.lose(node("large", 2));
        run.settle();
        clock.set(run.scheduler.deadline());

        run.settle();

        assertThat(run.scheduler.failure())
                .hasMessage(
                        "Run 'test' cannot go on since nodes were lost: read needs 2 CPUs, 1 are there. No node that"
                                + " has it came within 120 s. Bring back the nodes, or ask for less.");
        run.close();
    }

    /// The driver's own line for memory is never asked: a consumer may wait there.
    @Test
    void aTaskThatMadeRoomOnItsWorkerIsTriedAgain() {
        on(node("a", 1), node("b", 1)).open(plans.read(2, 1, 10)).ask();
        runtime.of("read").getFirst().fail(new MemoryYielded(), false);
        run.settle();
        int before = runtime.submitted.size();

        clock.set(run.scheduler.deadline());
        run.settle();

        assertThat(runtime.submitted).hasSize(before + 1);
        assertThat(run.drain()).isEqualTo(ids(20));
        run.close();
    }

    /// 64 CPUs of four workers, seen from a driver with little memory of its own.
    @Test
    void blocksAreSizedByTheMemoryOfTheWorkers() {
        for (int i = 0; i < 4; i++) {
            runtime.join(new Runtime.Node("worker" + i, Resources.cpus(16), 64L << 30));
        }
        FairCapacity shares = FairCapacity.of(runtime, UnaryOperator.identity());
        Allocator driver = Allocator.root("driver", 1 << 28);
        SessionExecutions executions = new SessionExecutions(runtime, shares, driver);

        assertThat(executions.blockBytes(Settings.DEFAULT)).isEqualTo(256L << 30);
        runtime.join(new Runtime.Node("poor", Resources.cpus(16), 4L << 30));
        assertThat(executions.blockBytes(Settings.DEFAULT))
                .as("for each CPU, no more than the poorest has")
                .isEqualTo(20L << 30);
        assertThat(shares.memory().bytes()).isEqualTo(260L << 30);
        assertThat(shares.memory().leastNode()).isEqualTo(4L << 30);
        executions.close();
        driver.close();
    }

    @Test
    void poolsAreSizedByWhatFitsOnEachNode() {
        on(node("a", 3), node("b", 3));

        assertThat(capacity.fitting(Resources.cpus(2))).isEqualTo(2);
        assertThat(capacity.fitting(new Resources(1, 1, 0, Map.of()))).isZero();
    }

    // ---- tasks that wait at a node behind others

    private Harness queueingOn(Runtime.Node... nodes) {
        runtime.mayQueue = true;
        return on(nodes);
    }

    @Test
    void oneTaskWaitsBehindEachThatRunsAndTakesOverItsCpus() {
        queueingOn(node("a", 1), node("b", 1)).open(plans.read(6, 1, 1)).ask();

        List<FakeRuntime.Task> sent = runtime.of("read");
        assertThat(sent).hasSize(4);
        assertThat(sent).extracting(task -> task.spec.behind()).containsExactly(0L, 0L, 1L, 2L);
        assertThat(nodesOf("read")).containsExactly("a", "b", "a", "b");
        assertThat(capacity.used().cpus()).isEqualTo(2);
        assertThat(sent.get(2).canStep()).isFalse();
        sent.getFirst().run();
        assertThat(sent.get(2).canStep()).isTrue();
        run.settle();

        assertThat(capacity.used().cpus()).isEqualTo(2);
        assertThat(runtime.of("read").getLast().spec.behind()).isEqualTo(3);
        assertThat(run.drain()).isEqualTo(ids(6));
        run.close();
    }

    @Test
    void aQueuedTaskBeginsWhenTheOneInFrontOfItPauses() {
        queueingOn(node("a", 1)).open(plans.read(2, 5, 1)).ask();
        FakeRuntime.Task first = runtime.of("read").getFirst();
        FakeRuntime.Task second = runtime.of("read").getLast();
        assertThat(second.spec.behind()).isEqualTo(first.spec.id());

        first.run();
        assertThat(second.canStep()).isFalse();
        run.settle();

        assertThat(second.canStep()).isTrue();
        assertThat(capacity.used().cpus()).isEqualTo(1);
        assertThat(run.drain()).isEqualTo(ids(10));
        run.close();
    }

    @Test
    void aQueuedTaskIsMovedToANodeThatHasRoom() {
        queueingOn(node("a", 1)).open(plans.read(2, 1, 1)).ask();
        assertThat(nodesOf("read")).containsExactly("a", "a");

        runtime.join(node("b", 1));
        run.settle();
        FakeRuntime.Task queued = runtime.of("read").getLast();
        assertThat(queued.canStep()).isTrue();
        queued.step();
        run.settle();

        assertThat(runtime.recalls).isEqualTo(1);
        assertThat(nodesOf("read")).containsExactly("a", "b");
        assertThat(runtime.of("read").getLast().spec.behind()).isZero();
        assertThat(run.drain()).isEqualTo(ids(2));
        run.close();
    }

    @Test
    void aQueuedTaskThatHasBegunIsNotMoved() {
        queueingOn(node("a", 1)).open(plans.read(2, 1, 1)).ask();
        runtime.join(node("b", 1));
        run.settle();

        runtime.of("read").getFirst().run();
        runtime.of("read").getLast().run();
        run.settle();

        assertThat(runtime.recalls).isZero();
        assertThat(runtime.submittedTo("read")).isEqualTo(2);
        assertThat(run.drain()).isEqualTo(ids(2));
        run.close();
    }

    @Test
    void aLostNodeLosesTheQueuedTaskTooAndOnlyTheOtherWasAtWork() {
        queueingOn(node("a", 1)).open(plans.read(2, 1, 1)).ask();
        for (int i = 0; i < 2; i++) {
            runtime.lose(runtime.nodes().getFirst());
            runtime.join(node("next" + i, 1));
            run.settle();
            assertThat(nodesOf("read")).contains("next" + i);
        }

        assertThat(run.drain()).isEqualTo(ids(2));
        assertThat(run.scheduler.failure()).isNull();
        run.close();
    }

    @Test
    void nothingIsQueuedWhileAnotherRunWantsResources() {
        queueingOn(node("a", 2));
        CapacityShare.Member other = capacity.join("other", () -> {});
        assertThat(other.tryTake(Resources.cpus(1), null)).isNotNull();
        run.open(plans.read(6, 1, 1)).ask();

        assertThat(runtime.of("read")).hasSize(1);
        other.giveBack(Resources.cpus(1), capacity.node("a"));
        other.close();
        assertThat(run.drain()).isEqualTo(ids(6));
        run.close();
    }

    @Test
    void aStoppedRunEndsItsQueuedTasks() {
        queueingOn(node("a", 1)).open(plans.read(6, 1, 1)).ask();
        assertThat(runtime.of("read")).hasSize(2);

        run.close();

        assertThat(runtime.tasks).isEmpty();
    }
}
