package dev.millrace.internal.operator;

import dev.millrace.error.MillraceException;
import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskProgram;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.List;

/// One piece of work of an operator, from its start to its end over all attempts: a state machine. Every change is a
/// method that names what has happened and checks the state in which it may happen; anything else is an internal error
/// that names the state. Loop thread only; nothing is allocated per block.
///
/// ```
/// NEW -> RUNNING <-> PAUSED
///           |          |
///           +-> OVER <-+
///                | |
///  RUNNING <- RETRYING -> ENDED <- OVER
/// ```
public final class TaskRun {
    enum State {
        /// No attempt was made yet.
        NEW,
        /// Handed to the runtime and thought to compute.
        RUNNING,
        /// All credit used; computes nothing until it is granted more.
        PAUSED,
        /// Its attempt is over: it ends, or is tried again.
        OVER,
        /// Its last attempt failed and it waits for another.
        RETRYING,
        ENDED
    }

    private final TaskOperator operator;
    private final TaskProgram program;
    private final List<BlockSlice> inputs;
    private final long inputRows;
    private final long inputBytes;
    private final long origin;
    private final String reads;

    private State state = State.NEW;
    private long id;
    private long first;
    private ActorPool.Actor actor;
    private int userErrors;
    private int ioErrors;
    private long notBefore;
    private boolean yielded;
    /// Blocks that this attempt may emit in all, and those it did emit.
    private long granted;

    private long received;
    /// Rows of this attempt that earlier ones delivered and this one has still to make again. Rows, not blocks: where
    /// blocks are cut depends on how much memory there was.
    private long skip;
    /// Blocks beside the output that this attempt has made, and those that were kept of all attempts.
    private int asideSeen;

    private int asideKept;
    /// Blocks and rows passed on by all attempts; none of them comes twice.
    private long deliveredBlocks;

    private long deliveredRows;
    /// Delivered blocks that nobody has taken yet.
    private int unread;
    /// Bytes of output that are expected and have not been made; of these, what is likely to come.
    private long expected;

    private long likely;
    private Serializable told;
    /// Blocks that wait until the tasks before this one have ended; null when there were none.
    private ArrayDeque<BlockSlice> held;

    TaskRun(TaskOperator operator, TaskProgram program, List<BlockSlice> inputs, long inputRows, long inputBytes) {
        this(operator, program, inputs, inputRows, inputBytes, BlockRef.NO_ORIGIN, null);
    }

    /// @param inputBytes of inputs that count as this run's memory
    /// @param origin what its output says in [BlockRef#origin]
    /// @param reads what errors behind it call the rows of its output; null if it does not read
    TaskRun(
            TaskOperator operator,
            TaskProgram program,
            List<BlockSlice> inputs,
            long inputRows,
            long inputBytes,
            long origin,
            String reads) {
        this.operator = operator;
        this.program = program;
        this.inputs = inputs;
        this.inputRows = inputRows;
        this.inputBytes = inputBytes;
        this.origin = origin;
        this.reads = reads;
    }

    // ---- what it is made of

    public TaskOperator operator() {
        return operator;
    }

    public TaskProgram program() {
        return program;
    }

    public List<BlockSlice> inputs() {
        return inputs;
    }

    long inputRows() {
        return inputRows;
    }

    long inputBytes() {
        return inputBytes;
    }

    long origin() {
        return origin;
    }

    String reads() {
        return reads;
    }

    // ---- attempts

    /// A new attempt begins.
    ///
    /// @param unreadLimit blocks that it may have made and nobody taken
    /// @return the blocks that it may make at first
    int begun(int unreadLimit) {
        if (state != State.NEW && state != State.RETRYING) {
            throw illegal("begun");
        }
        state = State.RUNNING;
        yielded = false;
        skip = deliveredRows;
        asideSeen = 0;
        received = 0;
        granted = Math.max(unreadLimit - unread, 0);
        return (int) granted;
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
    void assigned(ActorPool.Actor to) {
        requireRunning("assigned to an actor");
        actor = to;
    }

    /// The attempt is over, and with it what was expected of it; an actor that ran it has lost the call already.
    ///
    /// @param madeRoom whether it ended to make room for others that need memory
    void attemptOver(boolean madeRoom) {
        requireUnderWay("over with its attempt");
        state = State.OVER;
        yielded = madeRoom;
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
    /// @param report what the attempt that finished said of its output; null if it said nothing, or none finished
    void ended(Serializable report) {
        if (state != State.OVER && state != State.RETRYING) {
            throw illegal("ended");
        }
        state = State.ENDED;
        told = report;
    }

    /// An attempt failed by an IO error.
    ///
    /// @return how many did by now
    int failedByIo() {
        requireOver("failed by an IO error");
        return ++ioErrors;
    }

    /// An attempt failed by an error that is tried again because the user wants it.
    ///
    /// @return how many did by now
    int failedByUser() {
        requireOver("failed by an error of the user");
        return ++userErrors;
    }

    /// Attempts that failed by errors of one kind; lost workers are nobody's fault and do not count.
    int failures() {
        return Math.max(ioErrors, userErrors);
    }

    /// The runtime's id of the current attempt.
    public long id() {
        return id;
    }

    /// The id of its first attempt, by which it is older or younger than others; 0 before that.
    public long first() {
        return first;
    }

    /// The actor that runs the current attempt, or null.
    public ActorRef actor() {
        return actor == null ? null : actor.ref;
    }

    ActorPool.Actor assignedActor() {
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

    /// True when its last attempt made room for others that needed memory.
    boolean hasYielded() {
        return yielded;
    }

    /// When it may be tried again, on the run's clock; 0: at once.
    long notBefore() {
        return notBefore;
    }

    /// What the attempt that finished said of its output; null before, or if it said nothing.
    Serializable told() {
        return told;
    }

    // ---- credit

    /// It may make so many blocks more.
    void granted(int blocks) {
        requireRunning("granted credit");
        granted += blocks;
    }

    /// A block of it came. None comes without credit, on which the bound of what waits rests.
    void received() {
        requireRunning("handed a block");
        if (received == granted) {
            throw illegal("handed a block more than the " + granted + " that it was granted");
        }
        received++;
    }

    /// It says that it is out of credit. Its events come in order, so if it was granted more than it has emitted by
    /// now, that grant was on its way and the task goes on.
    ///
    /// @return whether it is paused from now on
    boolean paused() {
        requireRunning("paused");
        if (granted > received) {
            return false;
        }
        state = State.PAUSED;
        return true;
    }

    /// It goes on with so many blocks of credit.
    void resumed(int blocks) {
        if (state != State.PAUSED) {
            throw illegal("resumed");
        }
        state = State.RUNNING;
        granted += blocks;
    }

    /// Delivered blocks that nobody has taken yet.
    int unread() {
        return unread;
    }

    /// Blocks that it may still make, and those that nobody has taken.
    long outstanding() {
        return granted - received + unread;
    }

    // ---- output

    /// A block beside its output came.
    ///
    /// @return whether it is new; those of earlier attempts are known already
    boolean cameAside() {
        requireRunning("handed a block beside its output");
        boolean isNew = asideSeen == asideKept;
        asideSeen++;
        asideKept += isNew ? 1 : 0;
        return isNew;
    }

    /// Rows of it came.
    ///
    /// @return how many of the first of them were delivered by earlier attempts and come again
    long madeAgain(long rows) {
        requireRunning("handed rows");
        long known = Math.min(skip, rows);
        skip -= known;
        return known;
    }

    /// Rows that are new were passed on as a block.
    void delivered(long rows) {
        requireRunning("delivering");
        deliveredBlocks++;
        deliveredRows += rows;
        unread++;
    }

    /// One of its blocks was taken, or will not be before it makes more, or was dropped for good.
    void taken() {
        if (unread == 0) {
            throw illegal("relieved of a block that it does not have");
        }
        unread--;
    }

    /// One of its blocks was dropped that has not passed, and will be made again.
    void takenBack(long rows) {
        requireOver("to make a block again");
        taken();
        deliveredBlocks--;
        deliveredRows -= rows;
    }

    /// Blocks that all attempts have delivered.
    long deliveredBlocks() {
        return deliveredBlocks;
    }

    /// Rows that all attempts have delivered.
    long deliveredRows() {
        return deliveredRows;
    }

    /// A delivered block waits in it for older tasks to end.
    void holds(BlockSlice slice) {
        requireRunning("holding a block");
        if (held == null) {
            held = new ArrayDeque<>(2);
        }
        held.add(slice);
    }

    /// Takes the first block that waits in it; null when there is none.
    BlockSlice pollHeld() {
        return held == null ? null : held.poll();
    }

    boolean holdsBlocks() {
        return held != null && !held.isEmpty();
    }

    /// Lets the blocks that wait in it leave memory.
    void heldMaySpill() {
        if (held != null) {
            held.forEach(slice -> slice.block().maySpill());
        }
    }

    /// Lets what it works on leave memory.
    void inputsMaySpill() {
        for (BlockSlice input : inputs) {
            input.block().maySpill();
        }
    }

    // ---- what is expected of it

    /// @param bytes to keep free for the output of its attempt
    /// @param probable what it will probably be, where that is less
    void expects(long bytes, long probable) {
        requireRunning("expected to make something");
        expected = bytes;
        likely = Math.min(bytes, probable);
    }

    /// Of what was expected, this much is made, or will not be.
    void expectsLess(long bytes) {
        requireUnderWay("expected to make less");
        expected -= Math.min(expected, bytes);
        likely -= Math.min(likely, bytes);
    }

    /// Expected output that has not been made yet.
    long expectedBytes() {
        return expected;
    }

    /// Of this, what is likely to come; the rest is caution.
    long likelyBytes() {
        return likely;
    }

    // ---- what comes after it tells

    /// One of its blocks was taken, or will not be before it makes more: it may make another.
    void credit() {
        operator.credit(this);
    }

    /// One of its blocks left the channel behind the operator.
    void left(long bytes) {
        operator.left(bytes);
    }

    // ---- checks

    private void requireRunning(String event) {
        if (state != State.RUNNING) {
            throw illegal(event);
        }
    }

    private void requireUnderWay(String event) {
        if (state != State.RUNNING && state != State.PAUSED) {
            throw illegal(event);
        }
    }

    private void requireOver(String event) {
        if (state != State.OVER) {
            throw illegal(event);
        }
    }

    private MillraceException illegal(String event) {
        return MillraceException.internal((operator == null ? "A task" : "Task " + id + " of " + operator.name())
                + " was " + event + " in state " + state + ".");
    }
}
