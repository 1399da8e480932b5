package dev.millrace.internal.recovery;

import dev.millrace.error.TaskCancelled;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskReport;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A task of the engine on its way to the runtime below: it waits until all of its inputs are in the store, and its
/// blocks get recipes. A straggler may get a second attempt, of which the engine knows nothing: if that ends first, the
/// rows that the first has not delivered come from there. Guarded by its monitor, under which events are sent to the
/// engine, but nothing is called below.
final class ForwardedTask implements InputRequest.Listener {
    private static final int ENDLESS_CREDIT = 1 << 30;
    /// How long a straggler that was overtaken has to end when it is cancelled. Its node is slow.
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private enum State {
        /// For inputs that are made again.
        WAITING,
        SUBMITTED,
        ENDED
    }

    private final RecoveringRuntime runtime;
    private final Runtime below;
    private final TaskSpec spec;
    private final Consumer<TaskEvent> events;
    private final TaskRecipe recipe;
    private final ForwardedOutput output;
    private final AttemptClock clock;
    private final PoolActors.@Nullable LivingActor actor;

    private State state = State.WAITING;
    private @Nullable InputRequest request;
    /// The pieces of each input in the store, from the submission to the end.
    private List<List<BlockSlice>> inputs = List.of();
    /// Blocks that the engine allows, and that the runtime below does not know of.
    private int ungranted;

    private boolean known;
    /// It goes on below whatever the engine's credit is; what is beyond that waits.
    private boolean passes;

    private boolean cancelled;
    private @Nullable SecondAttempt second;
    /// The second attempt ended first: events of the first mean nothing any more, and its end is awaited for a while.
    private boolean isOvertaken;

    private boolean firstIsOver;
    /// Why the first attempt failed, while the second one still runs.
    private @Nullable TaskEvent failure;
    /// What the engine is told when nothing runs any more.
    private @Nullable TaskEvent ending;

    /// @param recipe held by the caller for this task, which releases it
    /// @param actor that runs it, or null
    ForwardedTask(
            RecoveringRuntime runtime,
            TaskSpec spec,
            Consumer<TaskEvent> events,
            TaskRecipe recipe,
            PoolActors.@Nullable LivingActor actor) {
        this.runtime = runtime;
        this.below = runtime.below();
        this.spec = spec;
        this.events = events;
        this.recipe = recipe;
        this.actor = actor;
        this.output = new ForwardedOutput(runtime, spec, recipe, events);
        this.clock = new AttemptClock(spec.behind() != 0, System::nanoTime);
        this.ungranted = spec.credit();
    }

    /// Submits the task, at once if its inputs are there.
    void start() {
        if (actor != null) {
            actor.enter(this);
        }
        List<List<BlockSlice>> present = present();
        if (present == null) {
            runtime.recoveries().post(this::ask);
        } else {
            submit(present);
        }
    }

    /// The pieces of its inputs; null if some are lost.
    private @Nullable List<List<BlockSlice>> present() {
        List<List<BlockSlice>> found = new ArrayList<>();
        for (BlockSlice slice : spec.inputs()) {
            List<BlockSlice> pieces = RecoverableBlock.of(slice.block()).rows(slice.from(), slice.rows());
            if (pieces == null) {
                InputRequest.release(found);
                return null;
            }
            found.add(pieces);
        }
        return found;
    }

    // ---- waiting for inputs, on the thread of the recoveries

    private void ask() {
        InputRequest asked = new InputRequest(runtime.recoveries(), recipe.inputs(), 0, this);
        synchronized (this) {
            if (cancelled) {
                end(new TaskEvent.Failed(spec.id(), new TaskCancelled(), false, TaskReport.EMPTY));
                return;
            }
            request = asked;
        }
        runtime.recoveries().ask(asked);
    }

    @Override
    public void ready(List<List<BlockSlice>> found) {
        submit(found);
    }

    @Override
    public void failed(Throwable cause) {
        synchronized (this) {
            end(new TaskEvent.Failed(spec.id(), cause, false, TaskReport.EMPTY));
        }
    }

    @Override
    public void withdrawn() {
        failed(new TaskCancelled());
    }

    // ---- submitted

    private void submit(List<List<BlockSlice>> found) {
        int begins;
        synchronized (this) {
            request = null;
            inputs = found;
            state = State.SUBMITTED;
            begins = ungranted;
            ungranted = 0;
        }
        try {
            below.submit(
                    new TaskSpec(
                            spec.id(),
                            spec.first(),
                            spec.operator(),
                            JoinedInputs.of(spec.program(), found),
                            spec.actor(),
                            found.stream().flatMap(List::stream).toList(),
                            begins,
                            spec.resources(),
                            spec.account(),
                            spec.local(),
                            spec.node(),
                            spec.stage(),
                            spec.behind()),
                    this::accept);
        } catch (RuntimeException e) {
            failed(e);
            return;
        }
        int late;
        boolean unwanted;
        synchronized (this) {
            known = true;
            clock.submitted();
            late = ungranted;
            ungranted = 0;
            unwanted = cancelled;
        }
        if (late > 0) {
            below.grant(spec.id(), late);
        }
        if (unwanted) {
            below.cancel(spec.id());
        }
    }

    /// Handles an event of the runtime below.
    private void accept(TaskEvent event) {
        boolean letPass = false;
        synchronized (this) {
            if (isOvertaken) {
                ignored(event);
                return;
            }
            switch (event) {
                case TaskEvent.BlockReady(long _, BlockRef block) -> {
                    output.made(BlockSlice.whole(block), block.metadata());
                    send();
                }
                case TaskEvent.Paused _ -> {
                    clock.paused();
                    letPass = actor != null && actor.hasRecoveryCalls();
                    output.paused(letPass || passes, cancelled);
                }
                case TaskEvent.Finished done -> {
                    output.finished(done);
                    runtime.stragglers().finished(spec, clock.computedNanos());
                    send();
                }
                case TaskEvent.Failed failed -> {
                    TaskEvent told = translated(failed);
                    if (second != null && second.isUnderWay() && !second.isDropped() && !cancelled) {
                        failure = told;
                    } else {
                        end(told);
                    }
                }
                case TaskEvent.ActorReady _, TaskEvent.ActorFailed _ -> throw new IllegalArgumentException("" + event);
            }
        }
        if (letPass) {
            letPass();
        }
    }

    /// Sends what the engine may have now, and the end when nothing is left.
    private void send() {
        TaskEvent last = output.send(cancelled);
        if (last != null) {
            end(last);
        }
    }

    /// Of lost inputs, notes which, so that they are made again before the next attempt.
    private TaskEvent translated(TaskEvent.Failed failed) {
        BlocksLost lost = BlockRecovery.lostInputs(failed.cause());
        if (lost == null) {
            return failed;
        }
        TreeSet<Integer> named = new TreeSet<>();
        int piece = 0;
        for (int i = 0; i < inputs.size(); i++) {
            for (BlockSlice slice : inputs.get(i)) {
                if (lost.inputs().contains(piece++)) {
                    named.add(i);
                    RecoverableBlock.of(spec.inputs().get(i).block()).lostInStore(slice.block());
                }
            }
        }
        String message = lost.getMessage();
        return new TaskEvent.Failed(
                spec.id(),
                new BlocksLost(message == null ? "A block was lost." : message, List.copyOf(named)),
                false,
                failed.report());
    }

    /// What it holds is free before the engine hears of the end, and nothing runs for it, but for a straggler that does
    /// not end soon.
    private void end(TaskEvent last) {
        if (state == State.ENDED) {
            return;
        }
        TaskEvent told = ending == null ? last : ending;
        ending = told;
        if (second != null && second.drop()) {
            long id = second.id();
            runtime.recoveries().post(() -> below.cancel(id));
        }
        if (second != null && second.isUnderWay() || isOvertaken && !firstIsOver) {
            return;
        }
        state = State.ENDED;
        output.clear();
        InputRequest.release(inputs);
        inputs = List.of();
        request = null;
        if (actor != null) {
            actor.leave(this);
        }
        runtime.forget(spec.id(), isOvertaken);
        recipe.release();
        events.accept(told);
    }

    // ---- a second attempt

    TaskSpec spec() {
        return spec;
    }

    /// The nodes on which it computes now.
    synchronized List<String> computesOn() {
        List<String> nodes = new ArrayList<>();
        if (state == State.SUBMITTED && clock.isRunning() && spec.node() != null) {
            nodes.add(spec.node());
        }
        if (second != null && second.isUnderWay()) {
            nodes.add(second.node());
        }
        return nodes;
    }

    /// How long its first attempt has computed.
    synchronized long computedNanos() {
        return clock.computedNanos();
    }

    /// The task in front of it has ended, or it was told to begin.
    synchronized void begins() {
        clock.leftQueue();
    }

    /// Runs it a second time, beside the first, if it is one that can be.
    boolean startSecond(String node) {
        SecondAttempt begun;
        List<List<BlockSlice>> found;
        synchronized (this) {
            boolean may = state == State.SUBMITTED
                    && !clock.isPaused()
                    && output.finished() == null
                    && ending == null
                    && failure == null;
            if (!may || cancelled || second != null || actor != null || spec.local()) {
                return false;
            }
            found = present();
            if (found == null) {
                return false;
            }
            begun = new SecondAttempt(runtime.recoveries().nextId(), node, found);
            second = begun;
        }
        try {
            below.submit(
                    new TaskSpec(
                            begun.id(),
                            spec.first(),
                            spec.operator(),
                            JoinedInputs.of(spec.program(), found),
                            null,
                            found.stream().flatMap(List::stream).toList(),
                            ENDLESS_CREDIT,
                            spec.resources(),
                            spec.account(),
                            false,
                            node,
                            spec.stage()),
                    event -> acceptSecond(begun, event));
        } catch (RuntimeException e) {
            acceptSecond(begun, new TaskEvent.Failed(begun.id(), e, false, TaskReport.EMPTY));
            return false;
        }
        boolean unwanted;
        synchronized (this) {
            unwanted = begun.submitted();
        }
        if (unwanted) {
            below.cancel(begun.id());
        }
        return true;
    }

    private void acceptSecond(SecondAttempt attempt, TaskEvent event) {
        boolean overtakes = false;
        synchronized (this) {
            switch (event) {
                case TaskEvent.BlockReady(long _, BlockRef block) -> attempt.made(block);
                case TaskEvent.Paused _ -> {}
                case TaskEvent.Finished done -> {
                    attempt.ended();
                    overtakes = !attempt.isDropped();
                    if (overtakes) {
                        overtake(attempt, done);
                    } else {
                        endNow();
                    }
                }
                case TaskEvent.Failed _ -> {
                    var _ = attempt.drop();
                    attempt.ended();
                    if (failure != null) {
                        end(failure);
                    }
                    endNow();
                }
                case TaskEvent.ActorReady _, TaskEvent.ActorFailed _ -> throw new IllegalArgumentException("" + event);
            }
        }
        if (overtakes) {
            below.cancel(spec.id());
            runtime.recoveries().later(PATIENCE_NANOS, this::leaveFirst);
        }
    }

    /// The rows that were not delivered come from the second attempt.
    private void overtake(SecondAttempt attempt, TaskEvent.Finished done) {
        runtime.stragglers().hasWon();
        isOvertaken = true;
        firstIsOver = failure != null;
        passes = true;
        output.completeFrom(attempt, done);
        send();
    }

    /// An event of a first attempt that was overtaken.
    private void ignored(TaskEvent event) {
        switch (event) {
            case TaskEvent.BlockReady(long _, BlockRef block) -> block.release();
            case TaskEvent.Finished _, TaskEvent.Failed _ -> {
                firstIsOver = true;
                endNow();
            }
            case TaskEvent.Paused _, TaskEvent.ActorReady _, TaskEvent.ActorFailed _ -> {}
        }
    }

    private synchronized void leaveFirst() {
        firstIsOver = true;
        endNow();
    }

    /// Something that the end waited for is over.
    private void endNow() {
        if (ending != null) {
            end(ending);
        }
    }

    // ---- called by the engine

    void grant(int blocks) {
        int forward;
        synchronized (this) {
            output.granted(blocks);
            clock.resumed();
            ungranted += passes ? 0 : blocks;
            forward = known ? ungranted : 0;
            ungranted -= forward;
            if (state == State.SUBMITTED) {
                send();
            }
        }
        if (forward > 0) {
            below.grant(spec.id(), forward);
        }
    }

    void cancel() {
        boolean forward;
        InputRequest asked;
        synchronized (this) {
            cancelled = true;
            forward = known;
            asked = request;
            TaskEvent.Finished finished = output.finished();
            if (finished != null || failure != null) {
                TaskReport report = finished == null ? TaskReport.EMPTY : finished.report();
                end(new TaskEvent.Failed(spec.id(), new TaskCancelled(), false, report));
            } else if (second != null && second.drop()) {
                long id = second.id();
                runtime.recoveries().post(() -> below.cancel(id));
            }
        }
        if (forward) {
            below.cancel(spec.id());
        } else if (asked != null) {
            runtime.recoveries().post(asked::withdraw);
        }
    }

    // ---- called by recoveries

    /// Something that must run before anybody takes blocks of this call is queued behind it: if it is out of credit, it
    /// goes on, and its blocks wait here.
    void letPass() {
        synchronized (this) {
            if (!clock.isPaused() || passes || state != State.SUBMITTED) {
                return;
            }
            passes = true;
        }
        below.grant(spec.id(), ENDLESS_CREDIT);
    }

    /// Whether it waits for lost inputs.
    synchronized boolean isWaiting() {
        return state == State.WAITING;
    }
}
