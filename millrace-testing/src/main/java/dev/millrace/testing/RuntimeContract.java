package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.compute.ActorContext;
import dev.millrace.compute.Resources;
import dev.millrace.error.TaskCancelled;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.TaskContext;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The guarantees of every runtime: for tasks and blocks ([TaskContract]), credit and cancellation ([CreditContract]),
/// and here for actors. A runtime's test extends this class and opens the runtime. Actors log their events in a diary
/// file, wherever they run.
public abstract class RuntimeContract extends CreditContract {
    @TempDir
    Path folder;

    private final AtomicLong ids = new AtomicLong(1000);

    /// An actor whose state is a counter; logs its start and stop.
    private record Counter(String diary) implements ActorProgram {
        @Override
        public Object start(ActorContext context) throws Exception {
            note(diary, "start");
            return new AtomicLong();
        }

        @Override
        public void stop(Object state) throws Exception {
            note(diary, "stop at " + state);
        }
    }

    private record Unstartable(String reason) implements ActorProgram {
        @Override
        public Object start(ActorContext context) throws IOException {
            throw new IOException(reason);
        }

        @Override
        public void stop(Object state) {
            throw new AssertionError("there is nothing to stop");
        }
    }

    /// An actor that logs its context.
    private record Curious(String diary) implements ActorProgram {
        @Override
        public Object start(ActorContext context) throws IOException {
            note(diary, context.operator() + ": " + context.resources() + ", devices " + context.gpus());
            return context;
        }

        @Override
        public void stop(Object state) {}
    }

    /// Adds one to the actor's counter and emits it.
    private static final TaskProgram INCREMENT = context -> {
        long now = counter(context).incrementAndGet();
        context.emit(TaskBlocks.of(context.allocator(), now));
    };

    private static AtomicLong counter(TaskContext context) {
        return (AtomicLong) Objects.requireNonNull(context.actorState(), "the call runs in an actor");
    }

    private static void note(String diary, String line) throws IOException {
        Files.writeString(Path.of(diary), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private List<String> diary() {
        try {
            Path file = folder.resolve("diary");
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String diaryPath() {
        return folder.resolve("diary").toString();
    }

    private ActorRef start(ActorProgram program, int concurrency) {
        long id = ids.incrementAndGet();
        return runtime.startActor(new ActorSpec(id, "model", program, Resources.NONE, concurrency), recorder);
    }

    private long call(ActorRef actor, TaskProgram program) {
        long id = ids.incrementAndGet();
        runtime.submit(
                new TaskSpec(id, "model", program, actor, List.of(), 1, Resources.NONE, driver, false), recorder);
        return id;
    }

    /// Waits for lines in the diary: an actor's stop sends no event.
    private void awaitDiary(String... lines) throws InterruptedException {
        long deadline = System.nanoTime() + 50_000_000_000L;
        while (!diary().equals(List.of(lines)) && System.nanoTime() < deadline) {
            Thread.sleep(2);
        }
        assertThat(diary()).containsExactly(lines);
    }

    @Test
    void anActorStartsOnceKeepsItsStateAndStopsOnce() throws Exception {
        ActorRef actor = start(new Counter(diaryPath()), 1);
        assertThat(recorder.awaitActor(actor.id(), TaskEvent.ActorReady.class))
                .isEqualTo(new TaskEvent.ActorReady(actor.id()));
        for (long expected = 1; expected <= 3; expected++) {
            long call = call(actor, INCREMENT);
            assertThat(recorder.awaitEnd(call)).isInstanceOf(TaskEvent.Finished.class);
            assertThat(take(call)).containsExactly(expected);
        }
        runtime.stopActor(actor);
        awaitDiary("start", "stop at 3");
        assertThat(recorder.ofActor(actor.id())).hasSize(1);
    }

    @Test
    void anActorIsToldWhatItHas() throws Exception {
        Resources need = new Resources(2, 0, 1 << 20, Map.of("license", 1.0));
        ActorRef actor = runtime.startActor(
                new ActorSpec(ids.incrementAndGet(), "model", new Curious(diaryPath()), need, 1), recorder);
        recorder.awaitActor(actor.id(), TaskEvent.ActorReady.class);
        runtime.stopActor(actor);
        awaitDiary("model: 2 CPU, 1 MiB, 1 license, devices []");
    }

    @Test
    void callsThatComeBeforeTheActorIsReadyWaitForIt() {
        ActorRef actor = start(new Counter(diaryPath()), 1);
        List<Long> calls = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            calls.add(call(actor, INCREMENT));
        }
        List<Long> seen = new ArrayList<>();
        for (long call : calls) {
            recorder.awaitEnd(call);
            seen.addAll(take(call));
        }
        assertThat(seen).isSorted().hasSize(20);
        runtime.stopActor(actor);
    }

    @Test
    void anActorThatDoesNotStartFailsAndSoDoItsCalls() {
        ActorRef actor = start(new Unstartable("model.onnx is missing"), 1);
        long early = call(actor, INCREMENT);
        TaskEvent.ActorFailed failed =
                (TaskEvent.ActorFailed) recorder.awaitActor(actor.id(), TaskEvent.ActorFailed.class);
        assertThat(failed.cause()).isInstanceOf(IOException.class).hasMessage("model.onnx is missing");
        assertThat(failed.workerLost()).isFalse();
        long late = call(actor, INCREMENT);
        for (long call : List.of(early, late)) {
            assertThat(failed(recorder.awaitEnd(call)).cause()).hasMessage("model.onnx is missing");
        }
        assertThat(recorder.ofActor(actor.id())).hasSize(1);
    }

    @Test
    void aCallThatFailsLeavesTheActorAlive() {
        ActorRef actor = start(new Counter(diaryPath()), 1);
        long bad = call(actor, context -> {
            throw new IllegalStateException("bad batch");
        });
        assertThat(failed(recorder.awaitEnd(bad)).cause()).hasMessage("bad batch");
        long good = call(actor, INCREMENT);
        recorder.awaitEnd(good);
        assertThat(take(good)).containsExactly(1L);
        runtime.stopActor(actor);
    }

    @Test
    void anActorStopsAfterTheCallsItWasGiven() throws Exception {
        ActorRef actor = start(new Counter(diaryPath()), 1);
        long slow = call(actor, context -> {
            Thread.sleep(50);
            counter(context).addAndGet(10);
        });
        long queued = call(actor, context -> counter(context).addAndGet(100));
        runtime.stopActor(actor);
        assertThat(recorder.awaitEnd(slow)).isInstanceOf(TaskEvent.Finished.class);
        assertThat(recorder.awaitEnd(queued)).isInstanceOf(TaskEvent.Finished.class);
        awaitDiary("start", "stop at 110");
    }

    @Test
    void aCallAfterTheStopFails() {
        ActorRef actor = start(new Counter(diaryPath()), 1);
        runtime.stopActor(actor);
        long late = call(actor, INCREMENT);
        assertThat(failed(recorder.awaitEnd(late)).cause()).hasMessageContaining("stopped");
    }

    @Test
    void anActorRunsAsManyCallsAtOnceAsItsConcurrency() {
        ActorRef actor = start(new Counter(diaryPath()), 3);
        // Each call waits until three have entered: with fewer threads none would complete.
        List<Long> calls = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            calls.add(call(actor, context -> {
                AtomicLong entered = counter(context);
                entered.incrementAndGet();
                while (entered.get() < 3 && !context.isCancelled()) {
                    Thread.sleep(1);
                }
            }));
        }
        calls.forEach(call -> assertThat(recorder.awaitEnd(call)).isInstanceOf(TaskEvent.Finished.class));
        runtime.stopActor(actor);
    }

    @Test
    void aConcurrentActorStopsOnceAfterTheLastCall() throws Exception {
        ActorRef actor = start(new Counter(diaryPath()), 4);
        List<Long> calls = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            calls.add(call(actor, INCREMENT));
        }
        runtime.stopActor(actor);
        calls.forEach(call -> {
            recorder.awaitEnd(call);
            take(call);
        });
        awaitDiary("start", "stop at 40");
    }

    @Test
    void cancelEndsACallThatStillWaitsBehindAnother() {
        ActorRef actor = start(new Counter(diaryPath()), 1);
        long running = call(actor, context -> Thread.sleep(3_600_000));
        long waiting = call(actor, INCREMENT);
        runtime.cancel(waiting);
        assertThat(failed(recorder.awaitEnd(waiting)).cause()).isInstanceOf(TaskCancelled.class);
        assertThat(recorder.of(running)).isEmpty();
        runtime.cancel(running);
        assertThat(failed(recorder.awaitEnd(running)).cause()).isInstanceOf(TaskCancelled.class);
        long next = call(actor, INCREMENT);
        recorder.awaitEnd(next);
        assertThat(take(next)).containsExactly(1L);
        runtime.stopActor(actor);
    }

    @Test
    void actorsThatAreNotStoppedStopWhenTheRuntimeCloses() {
        ActorRef actor = start(new Counter(diaryPath()), 2);
        recorder.awaitActor(actor.id(), TaskEvent.ActorReady.class);
        runtime.close();
        assertThat(diary()).containsExactly("start", "stop at 0");
    }

    @Test
    void manyActorsLiveSideBySide() {
        List<ActorRef> actors = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            actors.add(start(new Counter(diaryPath()), 1));
        }
        List<Long> calls = new ArrayList<>();
        actors.forEach(actor -> calls.add(call(actor, INCREMENT)));
        calls.forEach(call -> {
            recorder.awaitEnd(call);
            assertThat(take(call)).containsExactly(1L);
        });
        actors.forEach(runtime::stopActor);
    }
}
