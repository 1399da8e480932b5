package dev.millrace.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.compute.Compute;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.physical.PhysicalPlan;
import dev.millrace.runtime.BlockSlice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ActorPoolTest {
    private Harness run = Harness.withCpus(8);

    @AfterEach
    void nothingIsLeft() {
        run.close();
    }

    private PhysicalPlan pool(int blocks, Compute.Actors size) {
        return run.programs.map("model", run.programs.read(blocks, 1, 1), size, 0, List::of);
    }

    private List<FakeRuntime.Actor> actors() {
        return new ArrayList<>(run.runtime.actors.values());
    }

    private void readAll() {
        for (int i = 0; i < 50; i++) {
            run.runtime.of("read").forEach(FakeRuntime.Task::run);
            run.settle();
        }
    }

    @Test
    void actorsStartWhenOutputIsAskedFor() {
        run.open(pool(10, new Compute.Actors(2, 2, 2, 1)));
        assertThat(actors()).isEmpty();

        run.ask();

        assertThat(actors()).hasSize(2);
    }

    @Test
    void aPoolStartsWithItsInitialActors() {
        run.open(pool(100, new Compute.Actors(1, 4, 3, 1))).ask();

        assertThat(actors()).hasSize(3);
    }

    @Test
    void workBeginsWithTheFirstActorThatIsReady() {
        run.open(pool(10, new Compute.Actors(3, 3, 3, 1))).ask();
        readAll();
        assertThat(run.runtime.of("model")).isEmpty();

        actors().get(1).becomeReady();
        run.settle();

        // Not the next one too: another actor may be ready before it has ended.
        assertThat(run.runtime.of("model")).hasSize(1);
    }

    @Test
    void aBlockOfSeveralBatchesIsWorkForThePool() {
        run.open(run.programs.map("model", run.programs.read(1, 1, 64), new Compute.Actors(4, 4, 4, 1), 16, List::of))
                .ask();
        readAll();
        actors().forEach(FakeRuntime.Actor::becomeReady);
        run.settle();

        assertThat(actors())
                .allSatisfy(actor -> assertThat(actor.calls)
                        .singleElement()
                        .satisfies(call -> assertThat(rows(call)).isEqualTo(16)));
    }

    @Test
    void aPoolGrowsForTheRowsOfOneBlockBeforeAnyCallHasEnded() {
        run.open(run.programs.map("model", run.programs.read(1, 1, 64), new Compute.Actors(1, 4, 1, 1), 4, List::of))
                .ask();
        readAll();
        for (int actors = 1; actors < 4; actors++) {
            assertThat(actors()).hasSize(actors);
            actors().getLast().becomeReady();
            run.settle();
        }
        assertThat(actors()).hasSize(4);
    }

    @Test
    void anActorGetsAsManyCallsAsMayBeInFlight() {
        run.open(pool(40, new Compute.Actors(1, 1, 1, 2, 5, 1))).ask();
        readAll();
        actors().forEach(FakeRuntime.Actor::becomeReady);
        run.settle();

        assertThat(actors().getFirst().calls).hasSize(5);
    }

    /// 256 rows behind a limit, in calls that take equally long, are spread as evenly as batches allow.
    @Test
    void rowsBehindALimitAreSpreadEvenly() {
        PhysicalPlan limit = new PhysicalPlan.Limit("limit", run.programs.read(3, 1, 100), 0, 256);
        run.open(run.programs.map("model", limit, new Compute.Actors(4, 4, 4, 1), 16, List::of))
                .ask();
        actors().forEach(FakeRuntime.Actor::becomeReady);
        Map<Long, Long> rows = new TreeMap<>();
        while (rows.values().stream().mapToLong(Long::longValue).sum() < 256) {
            run.runtime.of("read").forEach(FakeRuntime.Task::run);
            run.settle();
            for (FakeRuntime.Actor actor : actors()) {
                if (!actor.calls.isEmpty()) {
                    FakeRuntime.Task call = actor.calls.getFirst();
                    rows.merge(actor.id(), rows(call), Long::sum);
                    call.run();
                }
            }
            while (run.take() != null) {
                run.settle();
            }
        }
        assertThat(rows.values()).hasSize(4).allMatch(count -> Math.abs(count - 64) <= 16);
    }

    private static long rows(FakeRuntime.Task call) {
        return call.spec.inputs().stream().mapToLong(BlockSlice::rows).sum();
    }

    @Test
    void callsGoToTheLeastBusyActorTwoPerSlot() {
        run.open(pool(40, new Compute.Actors(2, 2, 2, 2))).ask();
        readAll();
        actors().forEach(FakeRuntime.Actor::becomeReady);
        run.settle();

        assertThat(actors()).allSatisfy(actor -> assertThat(actor.calls).hasSize(4));
        assertThat(run.stats("model").heldReason()).isEqualTo("8 calls in flight, 2 of 2 actors ready take 8");
    }

    @Test
    void aPoolGrowsWhileItsActorsHaveMoreThanTheyCanDo() {
        run.open(pool(100, new Compute.Actors(1, 3, 1, 1))).ask();
        readAll();
        assertThat(actors()).hasSize(1);

        actors().getFirst().becomeReady();
        run.settle().settle();
        assertThat(actors()).hasSize(2);
        actors().get(1).becomeReady();
        // Reads that end leave their CPUs to the second actor.
        readAll();

        assertThat(actors()).hasSize(3);
        assertThat(run.stats("model").actors()).isEqualTo(3);
    }

    @Test
    void anUnderusedPoolShrinksAfterAWhile() {
        run.open(pool(100, new Compute.Actors(1, 3, 3, 1))).ask();
        actors().forEach(FakeRuntime.Actor::becomeReady);
        run.settle();
        assertThat(run.scheduler.deadline())
                .isEqualTo(run.clock.get() + Duration.ofSeconds(10).toNanos());

        run.clock.addAndGet(Duration.ofSeconds(9).toNanos());
        run.settle();
        assertThat(actors()).hasSize(3);
        run.clock.addAndGet(Duration.ofSeconds(1).toNanos());
        run.settle();

        assertThat(actors()).hasSize(2);
    }

    @Test
    void aPoolFromZeroStartsWithItsFirstInput() {
        run.open(pool(10, new Compute.Actors(0, 2, 0, 1))).ask();
        assertThat(actors()).isEmpty();

        readAll();

        assertThat(actors()).hasSize(1);
        assertThat(run.drain()).isEqualTo(LongStream.range(0, 10).toArray());
    }

    @Test
    void actorsThatAreNotNeededAnyMoreAreStopped() {
        run.open(pool(3, new Compute.Actors(2, 2, 2, 1)));

        run.drain();

        assertThat(actors()).isEmpty();
        assertThat(run.runtime.actorsStopped).isEqualTo(2);
        assertThat(run.capacity.used().cpus()).isZero();
    }

    @Test
    void anActorThatDoesNotStartIsTheUsersErrorAndNamesTheOperator() {
        run.open(pool(3, new Compute.Actors(2, 2, 2, 1))).ask();
        IllegalStateException cause = new IllegalStateException("no such model");

        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(actors()).hasSize(2);
            // Both fail, and that is one attempt.
            actors().getFirst().fail(cause, false);
            actors().getFirst().fail(cause, false);
            run.settle();
            assertThat(actors()).isEmpty();
            // The pool waits before it tries again, and tells the loop for how long.
            run.clock.addAndGet(1_000_000);
            run.settle();
            assertThat(actors()).isEmpty();
            if (attempt < 3) {
                run.clock.set(run.scheduler.deadline());
                run.settle();
            }
        }

        assertThatThrownBy(run::take)
                .isInstanceOfSatisfying(
                        MillraceException.class, e -> assertThat(e.culprit()).isEqualTo(Culprit.USER))
                .hasMessageContaining("model: an actor did not start, 3 times")
                .hasCause(cause);
    }

    @Test
    void anActorThatStartsAtTheSecondTryIsAsGoodAsAny() {
        run.open(pool(3, new Compute.Actors(1, 1, 1, 1))).ask();
        actors().getFirst().fail(new IllegalStateException("the model server is busy"), false);
        run.settle();
        run.clock.set(run.scheduler.deadline());
        run.settle();

        assertThat(run.drain()).isEqualTo(LongStream.range(0, 3).toArray());
    }

    @Test
    void aCallBehindAPausedOneHoldsNoCpus() {
        PhysicalPlan.Map five = run.programs.map(
                "model",
                run.programs.read(2, 1, 1),
                new Compute.Actors(1, 1, 1, 1),
                0,
                ids -> java.util.Collections.nCopies(5, ids));
        run.open(run.programs.map("slow", five, new Compute.Tasks(1), 0, List::of))
                .ask();
        run.runtime.of("read").getFirst().run();
        run.settle();
        actors().getFirst().becomeReady();
        run.settle();
        // The slow one takes the first block, and the call stops at two more.
        for (int i = 0; i < 3; i++) {
            run.runtime.of("model").getFirst().run();
            run.settle();
        }
        run.runtime.of("read").forEach(FakeRuntime.Task::run);
        run.settle();

        assertThat(run.runtime.of("model")).hasSize(2);
        assertThat(run.runtime.of("slow")).hasSize(1);
        assertThat(run.capacity.used().cpus()).as("the slow one's").isEqualTo(1);
        assertThat(run.drain()).hasSize(10);
    }

    @Test
    void aLostActorIsReplacedAndItsCallsRunAgain() {
        run.open(pool(20, new Compute.Actors(1, 1, 1, 1))).ask();
        readAll();
        actors().getFirst().becomeReady();
        run.settle();
        actors().getFirst().calls.getFirst().step();

        actors().getFirst().fail(new IllegalStateException("node gone"), true);
        run.settle();

        assertThat(actors()).hasSize(1);
        assertThat(run.drain()).isEqualTo(LongStream.range(0, 20).toArray());
    }

    @Test
    void aCallThatTakesThreeWorkersWithItEndsTheRunAndThoseBehindItAreNotBlamed() {
        run.open(pool(20, new Compute.Actors(1, 1, 1, 1))).ask();
        readAll();
        for (int lost = 0; lost < 3; lost++) {
            assertThat(run.scheduler.failure()).isNull();
            actors().getFirst().becomeReady();
            run.settle();
            assertThat(actors().getFirst().calls).hasSizeGreaterThan(1);
            actors().getFirst().fail(new IllegalStateException("node gone"), true);
            run.settle();
        }

        assertThatThrownBy(run::take).hasMessageStartingWith("model").hasMessageContaining("3 workers were lost");
    }

    @Test
    void threeWorkersLostByStartsOfActorsEndTheRun() {
        run.open(pool(3, new Compute.Actors(2, 2, 2, 1))).ask();
        for (int lost = 0; lost < 3; lost++) {
            assertThat(run.scheduler.failure()).isNull();
            assertThat(actors()).hasSize(2);
            // Both are on one worker.
            List.copyOf(actors()).forEach(actor -> actor.fail(new IllegalStateException("node gone"), true));
            run.settle();
        }

        assertThatThrownBy(run::take)
                .hasMessageStartingWith("model")
                .hasMessageContaining("3 workers were lost, one after the other, while an actor started there");
    }

    @Test
    void aPoolAsLargeAsTheMachineRunsBesideTheReadBelowIt() {
        run = Harness.withCpus(2);
        run.open(pool(10, new Compute.Actors(2, 2, 2, 1)));

        assertThat(run.drain()).isEqualTo(LongStream.range(0, 10).toArray());
        assertThat(run.runtime.actorsStarted).isEqualTo(2);
    }

    @Test
    void actorsThatLoadHaveOneCpuTogetherAndGiveItBack() {
        run = Harness.withCpus(3);
        run.open(pool(10, new Compute.Actors(2, 2, 2, 1))).ask();
        assertThat(run.runtime.of("read")).as("beside those that load").hasSize(2);

        actors().getFirst().becomeReady();
        run.settle();
        assertThat(run.runtime.of("read")).as("one still loads").hasSize(2);

        actors().getLast().becomeReady();
        run.settle();
        assertThat(run.runtime.of("read")).hasSize(3);
        assertThat(run.drain()).isEqualTo(LongStream.range(0, 10).toArray());
        assertThat(run.capacity.used().cpus()).isZero();
    }

    @Test
    void whereThereIsOneCpuItReadsWhileActorsLoad() {
        run = Harness.withCpus(1);
        run.open(pool(10, new Compute.Actors(1, 1, 1, 1))).ask();

        assertThat(run.runtime.of("read")).hasSize(1);
    }

    @Test
    void oneCpuIsEnoughForAPoolAndTheReadBelowIt() {
        run = Harness.withCpus(1);
        run.open(pool(10, new Compute.Actors(1, 1, 1, 1)));

        assertThat(run.drain()).isEqualTo(LongStream.range(0, 10).toArray());
    }
}
