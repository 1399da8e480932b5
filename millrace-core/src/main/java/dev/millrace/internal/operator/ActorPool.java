package dev.millrace.internal.operator;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.internal.resource.PoolScaler;
import dev.millrace.internal.stats.PoolUse;
import dev.millrace.internal.stats.ResidentMemory;
import dev.millrace.internal.stats.RunHintRules;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.TaskEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The actors of one operator. Each actor takes more calls than it works on at once, so that the next one is already
/// queued, except while the first actors load, because those may soon take it. The least busy actor gets the next call;
/// on a tie, the one that has had the fewest rows. Work begins with the first actor that is ready. Loop thread only.
///
/// An actor holds its GPUs, memory and custom resources while it lives, but takes its CPUs only while one of its calls
/// computes: idle actors and paused calls leave the cores to others, so a pool may be as large as the machine and the
/// upstream read still runs. While actors load they hold one CPU together, so that the upstream tasks, which are busy
/// then, do not slow them down.
public final class ActorPool implements WorkerSlots {
    private static final Resources LOADING = Resources.cpus(1);

    private final Compute.Actors size;
    private final ActorProgram program;
    private final Resources need;
    private final Resources kept;
    private final Resources working;
    private final LongSupplier ids;
    private @Nullable TaskOperator operator;
    private @Nullable ResourceHoldings cpus;
    private @Nullable ActorStarts starts;
    private final List<PoolMember> actors = new ArrayList<>();
    /// The actor chosen for the next call; null except between [#reserve] and [#assign].
    private @Nullable PoolMember reserved;

    private final PoolMeter meter = new PoolMeter();
    private int calls;
    private int pausedCalls;
    private boolean opened;
    /// Where actors that load hold their CPU; null when they hold none.
    private @Nullable NodeRoom loading;
    /// An actor below the minimum size could not start because the resources it holds are not available.
    private boolean lacksRoom;
    private long underusedSince = -1;
    private String lastReason = "";

    ActorPool(Compute.Actors size, ActorProgram program, Resources need, LongSupplier ids) {
        this.size = size;
        this.program = program;
        this.need = need;
        this.kept = need.withoutCpus();
        this.working = need.cpusOnly();
        this.ids = ids;
    }

    ActorPool serve(TaskOperator owner) {
        this.operator = owner;
        this.cpus = new ResourceHoldings(owner.host, working);
        this.starts = new ActorStarts(owner);
        return this;
    }

    private TaskOperator operator() {
        return Objects.requireNonNull(operator, "a pool serves an operator");
    }

    private ResourceHoldings cpus() {
        return Objects.requireNonNull(cpus, "a pool serves an operator");
    }

    private ActorStarts starts() {
        return Objects.requireNonNull(starts, "a pool serves an operator");
    }

    private static PoolMember actorOf(TaskRun task) {
        return Objects.requireNonNull(task.assignedActor(), "a call that was submitted has its actor");
    }

    public String operatorName() {
        return operator().name();
    }

    /// How many of its actors are on the node.
    public int actorsOn(NodeRoom node) {
        int there = 0;
        for (PoolMember actor : actors) {
            there += actor.node == node ? 1 : 0;
        }
        return there;
    }

    @Override
    public Resources keptByFirst() {
        return actors.isEmpty() ? kept : Resources.NONE;
    }

    /// None: actors hold their resources already.
    @Override
    public Resources needPerTask() {
        return Resources.NONE;
    }

    @Override
    public int actors() {
        return actors.size();
    }

    @Override
    public String describe() {
        return calls + " calls in flight, " + meter.ready() + " of " + actors.size() + " actors ready take " + slots();
    }

    /// The number of calls that the actors accept at most right now.
    private int slots() {
        return meter.ready() * callsPerActor();
    }

    private int callsPerActor() {
        return isStarting() && meter.most() < size.initial() ? size.concurrency() : size.inFlight();
    }

    /// The number of calls that the pool can work on at once at its maximum size.
    int mostAtWork() {
        return Math.max(1, size.max() * size.concurrency());
    }

    /// The number of calls that the actors accept once all of them are ready, and twice as many while all of them load,
    /// since the CPUs are otherwise idle.
    @Override
    public int callsAhead() {
        return actors.size() * size.inFlight() * (meter.ready() == 0 ? 2 : 1);
    }

    @Override
    public boolean isStarting() {
        return actors.size() > meter.ready();
    }

    @Override
    public int maxActors() {
        return size.max();
    }

    @Override
    public int readyActors() {
        return meter.ready();
    }

    @Override
    public String lastReason() {
        return lastReason;
    }

    @Override
    public boolean hasSlot() {
        return calls < slots();
    }

    @Override
    public boolean isComputing(int waiting) {
        if (pausedCalls == 0 && waiting == 0) {
            return calls > 0;
        }
        int running = 0;
        for (PoolMember actor : actors) {
            running += actor.computing(size.concurrency());
        }
        return running > waiting;
    }

    /// A paused call of the task's actor, or of any actor if the task has none yet.
    @Override
    public @Nullable TaskRun pausedInFrontOf(TaskRun task) {
        for (PoolMember actor : actors) {
            if (actor.paused >= size.concurrency() && (task.assignedActor() == null || task.assignedActor() == actor)) {
                TaskRun call = actor.pausedCall();
                if (call != null) {
                    return call;
                }
            }
        }
        return null;
    }

    @Override
    public PoolUse use(boolean shared, long now) {
        return new PoolUse(
                size.min(),
                size.max(),
                lacksRoom || size.asked() > size.min() ? size.asked() : 0,
                meter.most(),
                need.cpus(),
                !kept.equals(Resources.NONE),
                shared ? 0 : meter.idleCpus(operator().host, !actors.isEmpty(), now),
                meter.busyNanos(now),
                meter.readyNanos(now));
    }

    // ---- calls

    @Override
    public boolean isAtWork(TaskRun lost) {
        return actorOf(lost).wasAtWork(lost, size.concurrency());
    }

    /// An actor for the next call, with the CPUs it needs.
    @Override
    public boolean reserve(@Nullable NodeRoom preferred) {
        reserved = choose(preferred);
        return reserved != null;
    }

    /// The least busy actor that has its CPUs or whose node has them free; or, if it cannot get them, the least busy of
    /// those at work. Null when there is none.
    private @Nullable PoolMember choose(@Nullable NodeRoom preferred) {
        PoolMember least = leastBusy(false, preferred);
        // A call behind paused ones computes nothing before they resume, and resuming acquires the CPUs.
        boolean waits = least != null && least.paused >= size.concurrency();
        if (least != null && !waits && !least.holdsCpus && !takeCpus(least)) {
            return leastBusy(true, preferred);
        }
        return least;
    }

    private @Nullable PoolMember leastBusy(boolean atWork, @Nullable NodeRoom preferred) {
        CapacityShare shares = operator().host.shares();
        boolean several = shares.nodes().size() > 1;
        PoolMember least = null;
        PoolMember withoutCpus = null;
        for (PoolMember actor : actors) {
            boolean able = actor.ready && !actor.node.isLost() && (!atWork || actor.holdsCpus);
            if (!able || actor.calls.size() >= callsPerActor()) {
                continue;
            }
            if (several && !actor.holdsCpus && !shares.hasRoom(actor.node, working)) {
                withoutCpus = withoutCpus == null || actor.isLessBusy(withoutCpus, preferred) ? actor : withoutCpus;
            } else if (least == null || actor.isLessBusy(least, preferred)) {
                least = actor;
            }
        }
        return least == null ? withoutCpus : least;
    }

    /// Acquires the CPUs of its actor.
    @Override
    public boolean reserve(TaskRun task) {
        return actorOf(task).holdsCpus || takeCpus(actorOf(task));
    }

    private boolean takeCpus(PoolMember actor) {
        actor.holdsCpus = cpus().takeAt(actor.node);
        if (actor.holdsCpus) {
            meter.busy(1, operator().host.now());
        }
        return actor.holdsCpus;
    }

    /// Releases the CPUs once none of the actor's calls computes.
    private void settle(PoolMember actor) {
        if (actor.holdsCpus && !actor.computes(size.concurrency())) {
            actor.holdsCpus = false;
            meter.busy(-1, operator().host.now());
            cpus().giveBack(actor.node, operator().waitingForMemory());
        }
    }

    @Override
    public boolean releaseForWaiting() {
        return cpus().releaseWaiting(operator().waitingForMemory());
    }

    @Override
    public void assign(TaskRun task) {
        PoolMember chosen = Objects.requireNonNull(reserved, "an actor was reserved");
        task.assigned(chosen);
        task.placed(chosen.node);
        chosen.calls.add(task);
        chosen.rows += task.inputRows();
        reserved = null;
        calls++;
    }

    @Override
    public void paused(TaskRun task) {
        actorOf(task).paused++;
        pausedCalls++;
        settle(actorOf(task));
    }

    @Override
    public void resumed(TaskRun task) {
        actorOf(task).paused--;
        pausedCalls--;
    }

    @Override
    public void left(TaskRun task) {
        if (task.isPaused()) {
            resumed(task);
        }
        PoolMember actor = actorOf(task);
        actor.calls.remove(task);
        calls--;
        settle(actor);
    }

    // ---- scaling

    @Override
    public void tend(long now) {
        OperatorHost host = operator().host;
        if (!host.isAsked() || operator().isFinished() || operator().isStopped()) {
            return;
        }
        if (operator().inputExhausted() && !operator().launcher().hasRetries()) {
            stopIdle(operator().inFlight() == 0 ? 0 : 1);
            return;
        }
        if (!opened) {
            opened = true;
            scale(size.initial(), "the pool's initial size");
        }
        int queued = operator().inputReady() || operator().launcher().hasRetries() ? 1 : 0;
        PoolScaler.Load load = load(queued, 0);
        if (!load.isUnderused()) {
            underusedSince = -1;
        } else if (underusedSince < 0) {
            underusedSince = now;
        }
        PoolScaler.Decision decision = PoolScaler.decide(load(queued, underusedSince < 0 ? 0 : now - underusedSince));
        if (decision.delta() > 0) {
            scale(decision.delta(), decision.reason());
        } else if (decision.delta() < 0 && stopOneIdle()) {
            lastReason = decision.reason();
            underusedSince = -1;
        }
    }

    @Override
    public long deadline() {
        if (operator().isFinished() || operator().isStopped()) {
            return Long.MAX_VALUE;
        }
        long start = starts().deadline(operator().host.now());
        return underusedSince < 0 || actors.size() <= size.min()
                ? start
                : Math.min(start, underusedSince + PoolScaler.PATIENCE.toNanos());
    }

    private PoolScaler.Load load(int queued, long underused) {
        return new PoolScaler.Load(
                size.min(),
                size.max(),
                size.concurrency(),
                size.inFlight(),
                meter.ready(),
                actors.size() - meter.ready(),
                calls,
                queued,
                underused);
    }

    private void scale(int more, String reason) {
        if (!starts().mayStart(operator().host.now())) {
            return;
        }
        for (int i = 0; i < more; i++) {
            NodeRoom node = operator().host.takeForActor(this, need);
            if (node == null) {
                lacksRoom |= actors.size() < size.min();
                return;
            }
            PoolMember actor = new PoolMember(this, ids.getAsLong(), node, starts().lost());
            actors.add(actor);
            lastReason = reason;
            if (loading == null && need.cpus() >= 1 && operator().host.takeToLoad(LOADING, node)) {
                loading = node;
            }
            actor.ref = operator().host.startActor(this, actor, program, need, size.concurrency());
        }
    }

    /// Releases the CPU for loading once no actor loads.
    private void loaded() {
        if (loading != null && !isStarting()) {
            operator().host.giveBack(LOADING, loading, false);
            loading = null;
        }
    }

    @Override
    public boolean stopIdleHolder() {
        return !kept.equals(Resources.NONE) && stopOneIdle();
    }

    private boolean stopOneIdle() {
        for (PoolMember actor : actors) {
            if (actor.ready && actor.calls.isEmpty()) {
                stop(actor);
                return true;
            }
        }
        return false;
    }

    private void stopIdle(int keep) {
        for (int i = actors.size() - 1; i >= 0 && actors.size() > keep; i--) {
            if (actors.get(i).calls.isEmpty()) {
                stop(actors.get(i));
            }
        }
    }

    @Override
    public void close() {
        stopIdle(0);
    }

    private void stop(PoolMember actor) {
        sampleMemory();
        remove(actor);
        operator().host.stopActor(actor);
    }

    private void remove(PoolMember actor) {
        actors.remove(actor);
        if (actor.ready) {
            actor.ready = false;
            meter.ended(operator().host);
        }
        settle(actor);
        loaded();
        operator().host.giveBack(kept, actor.node, true);
        if (actors.isEmpty()) {
            meter.empty(operator().host);
        }
    }

    // ---- events of the runtime

    public void ready(PoolMember actor) {
        if (actors.contains(actor)) {
            actor.ready = true;
            meter.ready(operator().host);
            starts().succeeded();
            loaded();
            sampleMemory();
        }
    }

    private void sampleMemory() {
        if (kept.memory() >= RunHintRules.MUCH_MEMORY) {
            ResidentMemory.sample();
        }
    }

    /// The actor did not start, or was lost: its calls fail by their own events, and a new actor replaces it.
    public void failed(PoolMember actor, TaskEvent.ActorFailed event) {
        if (!actors.contains(actor)) {
            return;
        }
        boolean started = actor.ready;
        remove(actor);
        if (started || operator().isStopped()) {
            return;
        }
        MillraceException failure =
                starts().failed(actor, event, operator().host.now());
        if (failure != null) {
            operator().host.fail(failure);
        }
    }
}
