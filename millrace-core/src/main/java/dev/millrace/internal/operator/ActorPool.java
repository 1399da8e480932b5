package dev.millrace.internal.operator;

import dev.millrace.compute.Compute;
import dev.millrace.compute.Resources;
import dev.millrace.internal.fault.FaultKind;
import dev.millrace.internal.fault.RetryBackoff;
import dev.millrace.internal.fault.RetryRule;
import dev.millrace.internal.resource.CapacityShare;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.internal.resource.PoolScaler;
import dev.millrace.internal.stats.PoolUse;
import dev.millrace.internal.stats.ResidentMemory;
import dev.millrace.internal.stats.RunHintRules;
import dev.millrace.internal.stats.TimeIntegral;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.runtime.ActorProgram;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.TaskEvent;
import dev.millrace.settings.FaultSettings;
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

    /// One actor. `ready` is true from its event on; `calls` counts the calls that were submitted to it and have not
    /// ended.
    public static final class Actor {
        final ActorPool pool;
        public final long id;
        final NodeRoom node;

        @Nullable
        ActorRef ref;

        boolean ready;
        boolean holdsCpus;
        int paused;
        /// The total number of rows submitted to it.
        long rows;
        final List<TaskRun> calls = new ArrayList<>(4);
        /// Those that it worked on when it was lost; null before.
        @Nullable
        List<TaskRun> atWork;

        /// The number of workers that were lost at starts before this one.
        final int lostBefore;

        Actor(ActorPool pool, long id, NodeRoom node, int lostBefore) {
            this.pool = pool;
            this.id = id;
            this.node = node;
            this.lostBefore = lostBefore;
        }

        public ActorPool pool() {
            return pool;
        }

        public @Nullable ActorRef ref() {
            return ref;
        }

        /// Where it runs.
        public NodeRoom node() {
            return node;
        }
    }

    private final Compute.Actors size;
    private final ActorProgram program;
    private final Resources need;
    private final Resources kept;
    private final Resources working;
    private final LongSupplier ids;
    private @Nullable TaskOperator operator;
    private @Nullable ResourceHoldings cpus;
    private final List<Actor> actors = new ArrayList<>();
    /// The actor chosen for the next call; null except between [#reserve] and [#assign].
    private @Nullable Actor reserved;

    private int ready;
    private int most;
    /// The time from the first ready actor to the end of the last one, and the idle CPU time at both ends.
    private long readyAt;

    private long endedAt;
    private double idleBefore;
    private double idleAtEnd;
    private final TimeIntegral busyTime = new TimeIntegral();
    private final TimeIntegral readyTime = new TimeIntegral();
    private int calls;
    private int pausedCalls;
    private boolean opened;
    /// Where actors that load hold their CPU; null when they hold none.
    private @Nullable NodeRoom loading;
    /// An actor below the minimum size could not start because the resources it holds are not available.
    private boolean lacksRoom;
    private long underusedSince = -1;
    private String lastReason = "";
    /// The number of consecutive failed starts, and when the next start is allowed.
    private int failedStarts;

    /// The number of workers that were lost in a row while actors started there.
    private int lostStarts;

    private long startNotBefore;

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
        return this;
    }

    private TaskOperator operator() {
        return Objects.requireNonNull(operator, "a pool serves an operator");
    }

    private ResourceHoldings cpus() {
        return Objects.requireNonNull(cpus, "a pool serves an operator");
    }

    private static Actor actorOf(TaskRun task) {
        return Objects.requireNonNull(task.assignedActor(), "a call that was submitted has its actor");
    }

    public String operatorName() {
        return operator().name();
    }

    /// How many of its actors are on the node.
    public int actorsOn(NodeRoom node) {
        int there = 0;
        for (Actor actor : actors) {
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
        return calls + " calls in flight, " + ready + " of " + actors.size() + " actors ready take " + slots();
    }

    /// The number of calls that the actors accept at most right now.
    private int slots() {
        return ready * callsPerActor();
    }

    private int callsPerActor() {
        return isStarting() && most < size.initial() ? size.concurrency() : size.inFlight();
    }

    /// The number of calls that the pool can work on at once at its maximum size.
    int mostAtWork() {
        return Math.max(1, size.max() * size.concurrency());
    }

    /// The number of calls that the actors accept once all of them are ready, and twice as many while all of them load,
    /// since the CPUs are otherwise idle.
    @Override
    public int callsAhead() {
        return actors.size() * size.inFlight() * (ready == 0 ? 2 : 1);
    }

    @Override
    public boolean isStarting() {
        return actors.size() > ready;
    }

    @Override
    public int maxActors() {
        return size.max();
    }

    @Override
    public int readyActors() {
        return ready;
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
        for (Actor actor : actors) {
            running += Math.max(0, Math.min(actor.calls.size(), size.concurrency()) - actor.paused);
        }
        return running > waiting;
    }

    private boolean computes(Actor actor) {
        return actor.calls.size() > actor.paused && actor.paused < size.concurrency();
    }

    /// A paused call of the task's actor, or of any actor if the task has none yet.
    @Override
    public @Nullable TaskRun pausedInFrontOf(TaskRun task) {
        for (Actor actor : actors) {
            if (actor.paused >= size.concurrency() && (task.assignedActor() == null || task.assignedActor() == actor)) {
                for (TaskRun call : actor.calls) {
                    if (call.isPaused()) {
                        return call;
                    }
                }
            }
        }
        return null;
    }

    @Override
    public PoolUse use(boolean shared, long now) {
        long until = actors.isEmpty() ? endedAt : now;
        double idle = actors.isEmpty() ? idleAtEnd : operator().host.idleCpuTime(now);
        return new PoolUse(
                size.min(),
                size.max(),
                lacksRoom || size.asked() > size.min() ? size.asked() : 0,
                most,
                need.cpus(),
                !kept.equals(Resources.NONE),
                shared || most == 0 || until <= readyAt ? 0 : (idle - idleBefore) / (until - readyAt),
                (long) busyTime.total(now),
                (long) readyTime.total(now));
    }

    // ---- calls

    @Override
    public boolean isAtWork(TaskRun lost) {
        Actor actor = actorOf(lost);
        if (actor.atWork == null) {
            actor.atWork = List.copyOf(actor.calls.subList(0, Math.min(actor.calls.size(), size.concurrency())));
        }
        return !lost.isPaused() && actor.atWork.contains(lost);
    }

    /// An actor for the next call, with the CPUs it needs.
    @Override
    public boolean reserve(@Nullable NodeRoom preferred) {
        reserved = choose(preferred);
        return reserved != null;
    }

    /// The least busy actor that has its CPUs or whose node has them free; or, if it cannot get them, the least busy of
    /// those at work. Null when there is none.
    private @Nullable Actor choose(@Nullable NodeRoom preferred) {
        Actor least = leastBusy(false, preferred);
        // A call behind paused ones computes nothing before they resume, and resuming acquires the CPUs.
        boolean waits = least != null && least.paused >= size.concurrency();
        if (least != null && !waits && !least.holdsCpus && !takeCpus(least)) {
            return leastBusy(true, preferred);
        }
        return least;
    }

    private @Nullable Actor leastBusy(boolean atWork, @Nullable NodeRoom preferred) {
        CapacityShare shares = operator().host.shares();
        boolean several = shares.nodes().size() > 1;
        Actor least = null;
        Actor withoutCpus = null;
        for (Actor actor : actors) {
            boolean able = actor.ready && !actor.node.isLost() && (!atWork || actor.holdsCpus);
            if (!able || actor.calls.size() >= callsPerActor()) {
                continue;
            }
            if (several && !actor.holdsCpus && !shares.hasRoom(actor.node, working)) {
                withoutCpus = withoutCpus == null || isLessBusy(actor, withoutCpus, preferred) ? actor : withoutCpus;
            } else if (least == null || isLessBusy(actor, least, preferred)) {
                least = actor;
            }
        }
        return least == null ? withoutCpus : least;
    }

    /// By calls; of equally busy ones the one that is where the input is, then the one that has had the fewest rows.
    private static boolean isLessBusy(Actor actor, Actor than, @Nullable NodeRoom preferred) {
        int more = actor.calls.size() - than.calls.size();
        if (more != 0) {
            return more < 0;
        }
        boolean near = actor.node == preferred;
        return near != (than.node == preferred) ? near : actor.rows < than.rows;
    }

    /// Acquires the CPUs of its actor.
    @Override
    public boolean reserve(TaskRun task) {
        return actorOf(task).holdsCpus || takeCpus(actorOf(task));
    }

    private boolean takeCpus(Actor actor) {
        actor.holdsCpus = cpus().takeAt(actor.node);
        if (actor.holdsCpus) {
            busyTime.add(1, operator().host.now());
        }
        return actor.holdsCpus;
    }

    /// Releases the CPUs once none of the actor's calls computes.
    private void settle(Actor actor) {
        if (actor.holdsCpus && !computes(actor)) {
            actor.holdsCpus = false;
            busyTime.add(-1, operator().host.now());
            cpus().giveBack(actor.node, operator().waitingForMemory());
        }
    }

    @Override
    public boolean releaseForWaiting() {
        return cpus().releaseWaiting(operator().waitingForMemory());
    }

    @Override
    public void assign(TaskRun task) {
        Actor chosen = Objects.requireNonNull(reserved, "an actor was reserved");
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
        Actor actor = actorOf(task);
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
        long start = startNotBefore > operator().host.now() ? startNotBefore : Long.MAX_VALUE;
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
                ready,
                actors.size() - ready,
                calls,
                queued,
                underused);
    }

    private void scale(int more, String reason) {
        if (operator().host.now() < startNotBefore) {
            return;
        }
        for (int i = 0; i < more; i++) {
            NodeRoom node = operator().host.takeForActor(this, need);
            if (node == null) {
                lacksRoom |= actors.size() < size.min();
                return;
            }
            Actor actor = new Actor(this, ids.getAsLong(), node, lostStarts);
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
        for (Actor actor : actors) {
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

    private void stop(Actor actor) {
        sampleMemory();
        remove(actor);
        operator().host.stopActor(actor);
    }

    private void remove(Actor actor) {
        actors.remove(actor);
        if (actor.ready) {
            actor.ready = false;
            ready--;
            readyTime.add(-1, operator().host.now());
        }
        settle(actor);
        loaded();
        operator().host.giveBack(kept, actor.node, true);
        if (actors.isEmpty()) {
            endedAt = operator().host.now();
            idleAtEnd = operator().host.idleCpuTime(endedAt);
        }
    }

    // ---- events of the runtime

    public void ready(Actor actor) {
        if (actors.contains(actor)) {
            actor.ready = true;
            ready++;
            if (most == 0) {
                readyAt = operator().host.now();
                idleBefore = operator().host.idleCpuTime(readyAt);
            }
            most = Math.max(most, ready);
            readyTime.add(1, operator().host.now());
            failedStarts = 0;
            lostStarts = 0;
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
    public void failed(Actor actor, TaskEvent.ActorFailed event) {
        if (!actors.contains(actor)) {
            return;
        }
        boolean started = actor.ready;
        remove(actor);
        if (started || operator().isStopped()) {
            return;
        }
        if (event.workerLost()) {
            lostAtStart(actor, event.cause());
            return;
        }
        FaultSettings faults = operator().host.settings().faults();
        if (operator().host.now() < startNotBefore) {
            // One of several that were started at once and failed together.
            return;
        }
        failedStarts++;
        if (failedStarts >= faults.actorStartAttempts() || FaultKind.isLasting(event.cause())) {
            operator().host.fail(TaskFaults.startFailure(operator().name(), event.cause(), failedStarts));
        } else {
            startNotBefore =
                    operator().host.now() + RetryBackoff.nanos(failedStarts, faults.maxBackoff(), Math.random());
        }
    }

    /// Several actors may have started on the worker: it counts once.
    private void lostAtStart(Actor actor, Throwable cause) {
        if (actor.lostBefore == lostStarts && ++lostStarts == RetryRule.MAX_LOST_WORKERS) {
            operator()
                    .host
                    .fail(TaskFaults.lostStarts(
                            operator().name() + CallSite.suffix(operator().lines()), lostStarts, cause));
        }
    }
}
