package dev.millrace.internal.operator;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.fault.RetryRule;
import dev.millrace.internal.fault.WorkerLosses;
import dev.millrace.internal.resource.NodeRoom;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskProgram;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One unit of work of an operator, from its start to its end over all attempts: a state machine. Every transition is a
/// method that is named after the event and checks the state in which it may occur; anything else is an internal error
/// that names the state. Loop thread only; nothing is allocated per block.
///
/// ```
/// NEW -> RUNNING <-> PAUSED
///           |          |
///           +-> OVER <-+
///                | |
///  RUNNING <- RETRYING -> ENDED <- OVER
/// ```
public final class TaskRun implements RetryRule.FailureCounts {
    enum State {
        /// No attempt was made yet.
        NEW,
        /// Submitted to the runtime and assumed to compute.
        RUNNING,
        /// Out of credit; computes nothing until it is granted more.
        PAUSED,
        /// Its attempt is over: it ends, or is retried.
        OVER,
        /// Its last attempt failed and it waits for another.
        RETRYING,
        ENDED
    }

    private static final long FIRST_YIELD_BACKOFF = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int MAX_YIELD_DOUBLINGS = 7;

    private final TaskOperator operator;
    private final TaskProgram program;
    private final List<BlockSlice> inputs;
    private final long inputRows;
    private final long inputBytes;
    private final long origin;
    private final @Nullable String reads;

    private final TaskDelivery delivery = new TaskDelivery(this);
    private State state = State.NEW;
    private long id;
    private long first;
    private @Nullable PoolMember actor;
    private @Nullable NodeRoom node;
    /// The task that it waits for at its node, to take over its resources; and the one that so waits for it.
    private @Nullable TaskRun ahead;

    private @Nullable TaskRun heir;
    private int userErrors;
    private int ioErrors;
    private @Nullable WorkerLosses losses;
    private long notBefore;
    private boolean yielded;
    private boolean moving;
    private int yields;
    /// Expected output bytes that were not produced yet; and of these, the probable ones.
    private long expected;

    private long likely;
    private @Nullable Serializable told;

    TaskRun(TaskOperator operator, TaskProgram program, List<BlockSlice> inputs, long inputRows, long inputBytes) {
        this(operator, program, inputs, inputRows, inputBytes, BlockRef.NO_ORIGIN, null);
    }

    /// @param inputBytes of inputs that count as memory of this run
    /// @param origin the value of [BlockRef#origin] of its output
    /// @param reads how errors of later tasks name the rows of its output; null if it does not read
    TaskRun(
            TaskOperator operator,
            TaskProgram program,
            List<BlockSlice> inputs,
            long inputRows,
            long inputBytes,
            long origin,
            @Nullable String reads) {
        this.operator = operator;
        this.program = program;
        this.inputs = inputs;
        this.inputRows = inputRows;
        this.inputBytes = inputBytes;
        this.origin = origin;
        this.reads = reads;
    }

    // ---- what it consists of

    public TaskOperator operator() {
        return operator;
    }

    public TaskProgram program() {
        return program;
    }

    public List<BlockSlice> inputs() {
        return inputs;
    }

    /// What it works on, for errors and timelines; until its inputs are released.
    public String describeInput() {
        return TaskInput.describe(this);
    }

    public long inputRows() {
        return inputRows;
    }

    long inputBytes() {
        return inputBytes;
    }

    long origin() {
        return origin;
    }

    @Nullable
    String reads() {
        return reads;
    }

    // ---- attempts

    /// A new attempt begins.
    ///
    /// @param unreadLimit the number of emitted blocks that may be untaken
    /// @return its initial credit
    int begun(int unreadLimit) {
        if (state != State.NEW && state != State.RETRYING) {
            throw illegal("begun");
        }
        state = State.RUNNING;
        yielded = false;
        moving = false;
        return delivery.begun(unreadLimit);
    }

    /// The attempt has this id at the runtime.
    public void submittedAs(long attempt) {
        requireRunning("submitted");
        id = attempt;
        if (first == 0) {
            first = attempt;
        }
    }

    /// The attempt is a call of this actor.
    void assigned(PoolMember to) {
        requireRunning("assigned to an actor");
        actor = to;
    }

    /// The attempt runs on this node.
    void placed(NodeRoom on) {
        requireRunning("placed on a node");
        node = on;
    }

    /// The attempt waits at its node behind another, whose resources it gets.
    void queuedBehind(TaskRun other) {
        requireRunning("queued");
        ahead = other;
        other.heir = this;
        node = other.node;
    }

    /// The attempt does not wait behind another any more.
    void leaveQueue() {
        if (ahead != null) {
            ahead.heir = null;
            ahead = null;
        }
    }

    /// The task behind which its attempt waits at their node, as far as is known; null if it has resources of its own.
    public @Nullable TaskRun ahead() {
        return ahead;
    }

    /// The task that gets its resources when it needs them no more; null if none waits for them.
    @Nullable
    TaskRun heir() {
        return heir;
    }

    /// Its attempt, which is paused or queued, was told to end, to be run again on another node.
    void moves() {
        requireUnderWay("told to move");
        moving = true;
    }

    public boolean isMoving() {
        return moving;
    }

    /// Where the current or the last attempt runs.
    public NodeRoom node() {
        return Objects.requireNonNull(node, "an attempt has a node");
    }

    /// The attempt is over, and with it the expected output; an actor that ran it has removed the call already.
    ///
    /// @param madeRoom whether it was preempted to free memory for others
    void attemptOver(boolean madeRoom) {
        requireUnderWay("over with its attempt");
        state = State.OVER;
        yielded = madeRoom;
        yields += madeRoom ? 1 : 0;
        actor = null;
    }

    /// Another attempt will be made.
    ///
    /// @param earliest on the run's clock; 0: at once
    void retried(long earliest) {
        if (state != State.OVER) {
            throw illegal("set aside for another attempt");
        }
        state = State.RETRYING;
        notBefore = earliest;
    }

    /// No further attempt will be made.
    ///
    /// @param report what the finished attempt reported about its output; null if it reported nothing, or none finished
    void ended(@Nullable Serializable report) {
        if (state != State.OVER && state != State.RETRYING) {
            throw illegal("ended");
        }
        state = State.ENDED;
        told = report;
    }

    @Override
    public int failedByIo() {
        requireOver("failed by an IO error");
        return ++ioErrors;
    }

    @Override
    public int failedByUser() {
        requireOver("failed by an error of the user");
        return ++userErrors;
    }

    /// A worker was lost while it ran an attempt.
    ///
    /// @param now on the run's clock
    void lostItsWorker(long now) {
        requireUnderWay("lost with its worker");
        if (losses == null) {
            losses = new WorkerLosses();
        }
        losses.add(now);
    }

    @Override
    public int lostWorkers() {
        return losses == null ? 0 : losses.counted();
    }

    /// Attempts that failed by errors of one kind; lost workers do not count.
    int failures() {
        return Math.max(ioErrors, userErrors);
    }

    /// The runtime's id of the current attempt.
    public long id() {
        return id;
    }

    /// The id of its first attempt, which determines its age; 0 before that.
    public long first() {
        return first;
    }

    /// The actor that runs the current attempt, or null.
    public @Nullable ActorRef actor() {
        return actor == null ? null : actor.ref;
    }

    @Nullable
    PoolMember assignedActor() {
        return actor;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    boolean isPaused() {
        return state == State.PAUSED;
    }

    boolean isEnded() {
        return state == State.ENDED;
    }

    State state() {
        return state;
    }

    /// True when its last attempt was preempted to free memory.
    boolean hasYielded() {
        return yielded;
    }

    /// How long it stays away from a worker that it made room on: ten milliseconds, and twice as long each time. What
    /// is free there is known to the worker only.
    long yieldBackoff() {
        return FIRST_YIELD_BACKOFF << Math.min(yields - 1, MAX_YIELD_DOUBLINGS);
    }

    /// When it may be retried, on the run's clock; 0: at once.
    long notBefore() {
        return notBefore;
    }

    /// What the finished attempt reported about its output; null before, or if it reported nothing.
    @Nullable
    Serializable told() {
        return told;
    }

    // ---- pauses

    /// It reports that it is out of credit. Its events arrive in order, so if it was granted more than it has emitted
    /// by now, that grant was in flight and the task continues.
    ///
    /// @return whether it is paused from now on
    boolean paused() {
        requireRunning("paused");
        if (delivery.hasCredit()) {
            return false;
        }
        state = State.PAUSED;
        // It was asked back when it was queued, and had begun.
        moving = false;
        return true;
    }

    /// It resumes with this many blocks of credit.
    void resumed(int blocks) {
        if (state != State.PAUSED) {
            throw illegal("resumed");
        }
        state = State.RUNNING;
        delivery.granted(blocks);
    }

    /// Its output so far, over all attempts.
    TaskDelivery delivery() {
        return delivery;
    }

    /// Allows its inputs to be spilled.
    void inputsMaySpill() {
        for (BlockSlice input : inputs) {
            input.block().maySpill();
        }
    }

    // ---- expected output

    /// @param bytes to reserve for the output of its attempt
    /// @param probable the probable output, if that is less
    void expects(long bytes, long probable) {
        requireRunning("expected to make something");
        expected = bytes;
        likely = Math.min(bytes, probable);
    }

    /// This much of the expected output was produced, or will not be.
    void expectsLess(long bytes) {
        requireUnderWay("expected to make less");
        expected -= Math.min(expected, bytes);
        likely -= Math.min(likely, bytes);
    }

    /// Expected output that has not been made yet.
    long expectedBytes() {
        return expected;
    }

    /// The probable part of it; the rest is a safety margin.
    long likelyBytes() {
        return likely;
    }

    // ---- called by downstream operators

    /// One of its blocks was taken, or will not be taken before it emits more: it may emit another.
    void credit() {
        operator.credit(this);
    }

    /// One of its blocks left the operator's output channel.
    void left(long bytes) {
        operator.left(bytes);
    }

    // ---- checks

    void requireRunning(String event) {
        if (state != State.RUNNING) {
            throw illegal(event);
        }
    }

    private void requireUnderWay(String event) {
        if (state != State.RUNNING && state != State.PAUSED) {
            throw illegal(event);
        }
    }

    void requireOver(String event) {
        if (state != State.OVER) {
            throw illegal(event);
        }
    }

    MillraceException illegal(String event) {
        return MillraceException.internal((operator == null ? "A task" : "Task " + id + " of " + operator.name())
                + " was " + event + " in state " + state + ".");
    }
}
