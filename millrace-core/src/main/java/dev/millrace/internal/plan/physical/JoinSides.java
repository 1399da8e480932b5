package dev.millrace.internal.plan.physical;

import dev.millrace.internal.exchange.BuildTableMaker;
import dev.millrace.internal.exchange.JoinReducer;
import dev.millrace.internal.exchange.ProbeReducer;
import dev.millrace.internal.exchange.UnmatchedReducer;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.relation.Join;
import org.jspecify.annotations.Nullable;

/// Chooses the build side of a broadcast join: the side that may become one hash table shared by all tasks, so that the
/// other needs no exchange. If it matters which build rows were matched, each task reports those that it matched, and a
/// last task emits the rest.
final class JoinSides {
    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int NEITHER = -1;
    /// The approximate bytes of a row in a hash table beside its columns.
    private static final long TABLE_ROW_BYTES = 40;
    /// An estimate may be this many times too high.
    private static final double DOUBT = 4;
    /// The maximum size of a table whose matched rows tasks report: some hundred KB each.
    private static final long MAX_MARKED = 64L << 20;

    private static final double LARGE = 4 << 20;
    private static final double MUCH_MORE = 4;

    private JoinSides() {}

    /// The number of joins of a plan.
    static int count(LogicalPlan plan) {
        int below = plan.inputs().stream().mapToInt(JoinSides::count).sum();
        return plan instanceof LogicalPlan.Joined ? below + 1 : below;
    }

    /// Null if both sides should go through the exchange in any case.
    ///
    /// @param byMemory the maximum size of the table, unless the join sets another
    static PhysicalPlan.@Nullable Broadcast broadcast(LogicalPlan.Joined joined, JoinReducer reducer, long byMemory) {
        Join join = joined.join();
        long said = join.broadcastBytes();
        double left = LikelySize.bytes(joined.left());
        double right = LikelySize.bytes(joined.right());
        long most = said < 0 ? byMemory : said;
        int side = join.asOf() != null ? RIGHT : small(join.kind(), left, right, most);
        UnmatchedReducer rest = side == NEITHER ? null : UnmatchedReducer.of(reducer, side == LEFT);
        long mostBytes = said < 0 && rest != null ? Math.min(most, MAX_MARKED) : most;
        if (side == NEITHER || mostBytes == 0 || (side == LEFT ? left : right) > mostBytes * DOUBT) {
            return null;
        }
        return new PhysicalPlan.Broadcast(
                side,
                mostBytes,
                TABLE_ROW_BYTES,
                new BuildTableMaker(reducer, side == LEFT),
                new ProbeReducer(reducer, side == LEFT),
                rest);
    }

    /// If the rows of one side determine the output, that side is the probe side, in its order; unless the other is
    /// large and has many more rows.
    private static int small(Join.Kind kind, double left, double right, long mostBytes) {
        double large = Math.min((double) mostBytes, LARGE);
        return switch (kind) {
            case INNER, CROSS -> left < right || (Double.isNaN(right) && left <= mostBytes) ? LEFT : RIGHT;
            case LEFT, LEFT_SEMI, LEFT_ANTI -> right > large && left * MUCH_MORE < right ? LEFT : RIGHT;
            case RIGHT, RIGHT_SEMI, RIGHT_ANTI -> left > large && right * MUCH_MORE < left ? RIGHT : LEFT;
            case FULL -> left < right ? LEFT : right <= left ? RIGHT : NEITHER;
        };
    }
}
