package dev.millrace.internal.recovery;

import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.Runtime;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.runtime.TaskSpec;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The actors that live, by pool: actors with the same program object. Blocks that calls made are made again in a
/// living actor of the pool if there is one, else in one that is started for it. Thread-safe, except [#startedFor].
final class PoolActors {
    /// An actor that the engine started, and the calls in it.
    static final class LivingActor {
        private final ActorSpec spec;
        private final Set<ForwardedTask> calls = ConcurrentHashMap.newKeySet();
        /// Guarded by its monitor, as all that follows.
        private @Nullable ActorRef ref;

        private boolean ready;
        private boolean over;
        private int recoveryCalls;

        private LivingActor(ActorSpec spec) {
            this.spec = spec;
        }

        ActorSpec spec() {
            return spec;
        }

        void enter(ForwardedTask call) {
            calls.add(call);
        }

        void leave(ForwardedTask call) {
            calls.remove(call);
        }

        /// Calls that are out of credit may be in front of those: nobody may take their blocks before these have ended.
        synchronized boolean hasRecoveryCalls() {
            return recoveryCalls > 0;
        }

        private synchronized void told(TaskEvent event) {
            ready = event instanceof TaskEvent.ActorReady;
            over |= !ready;
        }

        private synchronized boolean accepts(ActorProgram program) {
            return isSame(spec.program(), program) && ref != null && ready && !over;
        }

        @SuppressWarnings("ReferenceEquality") // two pools may have equal programs
        private static boolean isSame(ActorProgram one, ActorProgram other) {
            return one == other;
        }

        private int load() {
            return calls.size();
        }
    }

    private final Runtime below;
    private final Map<Long, LivingActor> living = new ConcurrentHashMap<>();
    /// Of the thread of [BlockRecoveries] only.
    private final IdentityHashMap<ActorProgram, RecoveryActor> started = new IdentityHashMap<>();

    PoolActors(Runtime below) {
        this.below = below;
    }

    ActorRef start(ActorSpec spec, Consumer<TaskEvent> events) {
        LivingActor actor = new LivingActor(spec);
        living.put(spec.id(), actor);
        try {
            ActorRef ref = below.startActor(spec, event -> {
                actor.told(event);
                if (event instanceof TaskEvent.ActorFailed) {
                    living.remove(spec.id(), actor);
                }
                events.accept(event);
            });
            synchronized (actor) {
                actor.ref = ref;
            }
            return ref;
        } catch (RuntimeException e) {
            living.remove(spec.id(), actor);
            throw e;
        }
    }

    void stop(ActorRef ref) {
        LivingActor actor = living.remove(ref.id());
        if (actor == null) {
            below.stopActor(ref);
            return;
        }
        synchronized (actor) {
            actor.over = true;
            below.stopActor(ref);
        }
    }

    /// The actor of a task; null if it has none, or if that is gone.
    @Nullable
    LivingActor of(@Nullable ActorRef ref) {
        return ref == null ? null : living.get(ref.id());
    }

    /// Gives a call to the living actor of the pool with the fewest calls. Calls in front of it that are out of credit
    /// are let pass.
    ///
    /// @return false if none lives
    boolean callOne(ActorProgram program, Function<ActorRef, TaskSpec> call, Consumer<TaskEvent> events) {
        List<LivingActor> able = living.values().stream()
                .filter(actor -> actor.accepts(program))
                .sorted(Comparator.comparingInt(LivingActor::load))
                .toList();
        for (LivingActor actor : able) {
            if (call(actor, call, events)) {
                actor.calls.forEach(ForwardedTask::letPass);
                return true;
            }
        }
        return false;
    }

    /// Not while the actor is being stopped: a stopped one accepts no call.
    private boolean call(LivingActor actor, Function<ActorRef, TaskSpec> call, Consumer<TaskEvent> events) {
        synchronized (actor) {
            ActorRef ref = actor.ref;
            if (actor.over || ref == null) {
                return false;
            }
            actor.recoveryCalls++;
            boolean submitted = false;
            try {
                below.submit(call.apply(ref), event -> {
                    if (event instanceof TaskEvent.Finished || event instanceof TaskEvent.Failed) {
                        synchronized (actor) {
                            actor.recoveryCalls--;
                        }
                    }
                    events.accept(event);
                });
                submitted = true;
            } finally {
                actor.recoveryCalls -= submitted ? 0 : 1;
            }
            return true;
        }
    }

    /// The actor that was started for the recoveries of a pool, or a new one.
    RecoveryActor startedFor(ActorSpec pool, BlockRecoveries recoveries) {
        RecoveryActor known = started.get(pool.program());
        if (known != null) {
            return known;
        }
        RecoveryActor actor = new RecoveryActor(below, () -> started.remove(pool.program()));
        actor.start(
                new ActorSpec(
                        recoveries.nextId(), pool.operator(), pool.program(), pool.resources(), pool.concurrency()),
                recoveries);
        started.put(pool.program(), actor);
        return actor;
    }
}
