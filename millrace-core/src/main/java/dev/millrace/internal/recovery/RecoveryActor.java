package dev.millrace.internal.recovery;

import dev.millrace.error.MillraceException;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An actor that was started only to make blocks again, because no other of its pool lives: one for all recoveries of
/// the pool, stopped when the last has left. Of the thread of [BlockRecoveries] only.
final class RecoveryActor {
    private final Runtime below;
    private final Runnable onEnd;
    private final Map<BlockRecovery, Runnable> waiting = new LinkedHashMap<>();
    private @Nullable ActorRef ref;
    private boolean ready;
    private boolean dead;
    private int users;

    /// @param onEnd called once, when it takes no more calls
    RecoveryActor(Runtime below, Runnable onEnd) {
        this.below = below;
        this.onEnd = onEnd;
    }

    void start(ActorSpec spec, BlockRecoveries recoveries) {
        ref = below.startActor(spec, event -> recoveries.post(() -> accept(event)));
    }

    ActorRef ref() {
        return Objects.requireNonNull(ref, "the actor was started");
    }

    /// @param submit gives the call to the actor, once it is ready
    void call(BlockRecovery recovery, Runnable submit) {
        users++;
        if (ready) {
            submit.run();
        } else {
            waiting.put(recovery, submit);
        }
    }

    /// True if the call was not given to the actor yet, and will not be.
    boolean withdraw(BlockRecovery recovery) {
        return waiting.remove(recovery) != null;
    }

    /// A call has ended.
    void leave() {
        users--;
        if (users == 0 && !dead) {
            dead = true;
            onEnd.run();
            below.stopActor(ref());
        }
    }

    private void accept(TaskEvent event) {
        Map<BlockRecovery, Runnable> calls = new LinkedHashMap<>(waiting);
        waiting.clear();
        switch (event) {
            case TaskEvent.ActorReady _ -> {
                ready = true;
                calls.forEach((recovery, submit) -> {
                    try {
                        submit.run();
                    } catch (RuntimeException e) {
                        recovery.attemptFailed(e, false);
                    }
                });
            }
            case TaskEvent.ActorFailed failed -> {
                if (!dead) {
                    dead = true;
                    onEnd.run();
                }
                calls.forEach((recovery, _) -> recovery.attemptFailed(failed.cause(), failed.workerLost()));
            }
            case TaskEvent.BlockReady _, TaskEvent.Paused _, TaskEvent.Finished _, TaskEvent.Failed _ ->
                throw MillraceException.internal("an actor sent the event of a task: " + event);
        }
    }
}
