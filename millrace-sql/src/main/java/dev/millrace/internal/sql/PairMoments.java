package dev.millrace.internal.sql;

import dev.millrace.aggregate.AggregateDefinition;
import dev.millrace.type.DataType;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Aggregates of pairs of numbers, such as covariance and correlation. Pairs with a null are ignored; the state is
/// updated by Welford's algorithm, which is numerically stable.
///
/// @param function one of [#NAMES]
record PairMoments(String function) implements AggregateDefinition<PairMoments.State> {
    static final Set<String> NAMES = Set.of("CORR", "COVAR_POP", "COVAR_SAMP");
    /// The fields of the struct that represents a pair.
    static final String X = "x";

    static final String Y = "y";

    /// The number of pairs, their means, the sums of squared deviations from these, and the sum of the products of the
    /// deviations.
    static final class State implements Serializable {
        private static final long serialVersionUID = 1L;

        private long count;
        private double meanX;
        private double meanY;
        private double squaresX;
        private double squaresY;
        private double products;
    }

    @Override
    public State init() {
        return new State();
    }

    @Override
    public State accumulate(State state, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> pair)
                || !(pair.get(X) instanceof Number first)
                || !(pair.get(Y) instanceof Number second)) {
            return state;
        }
        double x = first.doubleValue();
        double y = second.doubleValue();
        state.count++;
        double fromX = x - state.meanX;
        double fromY = y - state.meanY;
        state.meanX += fromX / state.count;
        state.meanY += fromY / state.count;
        state.squaresX += fromX * (x - state.meanX);
        state.squaresY += fromY * (y - state.meanY);
        state.products += fromX * (y - state.meanY);
        return state;
    }

    @Override
    public State merge(State state, State other) {
        if (state.count == 0 || other.count == 0) {
            return state.count == 0 ? other : state;
        }
        long count = state.count + other.count;
        double fromX = other.meanX - state.meanX;
        double fromY = other.meanY - state.meanY;
        double share = (double) state.count * other.count / count;
        state.squaresX += other.squaresX + fromX * fromX * share;
        state.squaresY += other.squaresY + fromY * fromY * share;
        state.products += other.products + fromX * fromY * share;
        state.meanX += fromX * other.count / count;
        state.meanY += fromY * other.count / count;
        state.count = count;
        return state;
    }

    @Override
    public @Nullable Object finish(State state) {
        return switch (function) {
            case "COVAR_POP" -> state.count == 0 ? null : state.products / state.count;
            case "COVAR_SAMP" -> state.count < 2 ? null : state.products / (state.count - 1);
            default -> state.count == 0 ? null : state.products / Math.sqrt(state.squaresX * state.squaresY);
        };
    }

    @Override
    public DataType type() {
        return DataType.FLOAT64;
    }
}
