package dev.millrace.internal.operator;

/// What the operators of one exchange know of whether its small side is small enough to go to all tasks of the other.
/// Loop thread only.
final class BroadcastChoice {
    private enum State {
        /// The small side has not ended, and is not too large so far.
        OPEN,
        BROADCAST,
        EXCHANGE
    }

    private State state = State.OPEN;
    private ShardOperator waiting;

    boolean isOpen() {
        return state == State.OPEN;
    }

    boolean isBroadcast() {
        return state == State.BROADCAST;
    }

    /// This one is told of the choice.
    void tell(ShardOperator other) {
        waiting = other;
    }

    void broadcast() {
        state = State.BROADCAST;
        waiting.chosen();
    }

    void exchange() {
        state = State.EXCHANGE;
        waiting.chosen();
    }
}
