package dev.millrace.internal.operator;

import dev.millrace.internal.resource.NodeRoom;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Which node the next task of an operator should run on, where there are several: the one with most bytes of its
/// input. Loop thread only.
///
/// If that node is full, the task waits for it at most as long as fetching what it has more than any other node takes,
/// and then runs elsewhere. So it never loses more than twice what the better choice would have cost, whatever is known
/// of the tasks there.
final class NodePreference {
    /// What a fetch from another node is assumed to bring: 1 GB/s.
    private static final double BYTES_PER_NANO = 1;
    /// Shorter waits are not worth a deadline.
    private static final long MIN_WAIT = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long MAX_WAIT = TimeUnit.MILLISECONDS.toNanos(200);

    private final TaskOperator operator;
    private final NodeBytes input;
    /// Since when the next task waits for its node; -1 if it does not.
    private long since = -1;

    private long until = Long.MAX_VALUE;

    NodePreference(TaskOperator operator) {
        this.operator = operator;
        this.input = new NodeBytes(operator.host.shares());
    }

    private boolean isAsked() {
        return !operator.isLocal() && operator.host.shares().nodes().size() > 1;
    }

    /// The node for a task with this input, which does not wait for it; or null.
    @Nullable
    NodeRoom of(TaskRun retry) {
        if (!isAsked()) {
            return null;
        }
        input.clear();
        retry.inputs().forEach(input::add);
        return input.most();
    }

    /// The node for the operator's next task; or null.
    @Nullable
    NodeRoom ofNext() {
        if (!isAsked()) {
            return null;
        }
        input.clear();
        operator.tallyInput(input);
        return input.most();
    }

    /// Whether the task of the last question waits for that node.
    boolean waitsFor(NodeRoom node) {
        long pays = Math.min(MAX_WAIT, (long) (input.lead() / BYTES_PER_NANO));
        if (pays < MIN_WAIT || operator.host.shares().hasRoom(node, operator.need())) {
            return false;
        }
        long now = operator.host.now();
        if (since < 0) {
            since = now;
        }
        until = since + pays;
        return now < until;
    }

    /// Whether the next task waits for a node now, though another may have room.
    boolean isWaiting() {
        return until != Long.MAX_VALUE && operator.host.now() < until;
    }

    /// A task has started.
    void begun() {
        since = -1;
        until = Long.MAX_VALUE;
    }

    /// When a task that waits runs elsewhere; Long.MAX_VALUE if none waits.
    long deadline() {
        return until;
    }

    /// Adds the bytes of at most a few of the slices, from the first on.
    static void tally(NodeBytes into, List<BlockChannel> inputs) {
        for (int i = 0; i < inputs.size(); i++) {
            if (!inputs.get(i).isEmpty()) {
                into.add(inputs.get(i).peek());
            }
        }
    }
}
