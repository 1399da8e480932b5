package dev.millrace.internal.operator;

import dev.millrace.runtime.ActorRef;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskProgram;
import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.List;

/// One piece of work of an operator, from its start to its end over all attempts. Loop thread only.
public final class TaskRun {
    enum State {
        /// Handed to the runtime and thought to compute.
        RUNNING,
        /// All credit used; computes nothing until it is granted more.
        PAUSED,
        /// Its last attempt failed and it waits for another.
        RETRYING,
        ENDED
    }

    final TaskOperator operator;
    final TaskProgram program;
    final List<BlockSlice> inputs;
    final long inputRows;
    /// Bytes of inputs that count as this run's memory.
    final long inputBytes;
    /// What its output says in [BlockRef#origin].
    long origin = BlockRef.NO_ORIGIN;
    /// What errors behind it call the rows of its output; null if it does not read.
    String reads;

    State state = State.RETRYING;
    /// The runtime's id of the current attempt.
    long id;
    /// The id of its first attempt, by which it is older or younger than others; 0 before that.
    long first;
    /// The actor that runs the current attempt, or null.
    ActorPool.Actor actor;
    boolean holdsResources;
    int attempts;
    int userErrors;
    int ioErrors;
    /// When it may be tried again, on the run's clock.
    long notBefore;
    /// Its last attempt made room for others that needed memory.
    boolean yielded;
    /// Blocks that this attempt may emit in all, and those it did emit.
    long granted;
    long received;
    /// Rows of this attempt that earlier ones delivered and this one has still to make again. Rows, not blocks: where
    /// blocks are cut depends on how much memory there was.
    long skip;
    /// Blocks beside the output that this attempt has made, and those that were kept of all attempts.
    int asideSeen;

    int asideKept;
    /// Blocks passed on by all attempts; none of them comes twice.
    long delivered;
    /// Delivered blocks that nobody has taken yet.
    int unread;
    /// Expected output that has not been made yet.
    long reserved;
    /// Of these, what is likely to come; the rest is caution.
    long likely;
    long outputRows;
    long outputBytes;
    /// What the attempt that finished said of its output; null before, or if it said nothing.
    Serializable told;
    /// Blocks that wait until the tasks before this one have ended; null when there are none.
    ArrayDeque<BlockSlice> held;

    TaskRun(TaskOperator operator, TaskProgram program, List<BlockSlice> inputs, long inputRows, long inputBytes) {
        this.operator = operator;
        this.program = program;
        this.inputs = inputs;
        this.inputRows = inputRows;
        this.inputBytes = inputBytes;
    }

    public TaskOperator operator() {
        return operator;
    }

    public long id() {
        return id;
    }

    public long first() {
        return first;
    }

    public TaskProgram program() {
        return program;
    }

    public List<BlockSlice> inputs() {
        return inputs;
    }

    /// A new attempt has this id.
    public void submittedAs(long attempt) {
        this.id = attempt;
        if (first == 0) {
            first = attempt;
        }
    }

    public ActorRef actor() {
        return actor == null ? null : actor.ref;
    }

    /// One of its blocks was taken, or will not be before it makes more: it may make another.
    void credit() {
        operator.credit(this);
    }

    /// One of its blocks left the channel behind the operator.
    void left(long bytes) {
        operator.left(bytes);
    }
}
