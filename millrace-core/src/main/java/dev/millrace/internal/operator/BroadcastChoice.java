package dev.millrace.internal.operator;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The shared decision of the operators of one exchange on whether its small side is small enough to be broadcast to
/// all tasks of the other. Loop thread only.
final class BroadcastChoice {
    private enum State {
        /// The small side has not ended, and is not too large so far.
        OPEN,
        BROADCAST,
        EXCHANGE
    }

    private State state = State.OPEN;
    private @Nullable ShardOperator waiting;

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isBroadcast() {
        return state == State.BROADCAST;
    }

    /// Registers an operator that is notified of the decision.
    void tell(ShardOperator other) {
        waiting = other;
    }

    void broadcast() {
        state = State.BROADCAST;
        Objects.requireNonNull(waiting, "the other side waits for the decision").chosen();
    }

    void exchange() {
        state = State.EXCHANGE;
        Objects.requireNonNull(waiting, "the other side waits for the decision").chosen();
    }
}
