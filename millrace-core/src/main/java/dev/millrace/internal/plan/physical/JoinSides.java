package dev.millrace.internal.plan.physical;

import dev.millrace.expression.Join;
import dev.millrace.internal.exchange.JoinReducer;
import dev.millrace.internal.exchange.ProbeReducer;
import dev.millrace.internal.exchange.TableMaker;
import dev.millrace.internal.plan.logical.LogicalPlan;

/// Which side of a join may become one table that all tasks share, so that the other needs no exchange. The rows of
/// that other side must be all that decides which rows come out: a row of the table that nobody met is known to
/// nobody.
final class JoinSides {
    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int NEITHER = -1;
    /// What a row takes in a table beside its columns, about.
    private static final long TABLE_ROW_BYTES = 40;
    /// An estimate may be so many times too high.
    private static final double DOUBT = 4;

    private JoinSides() {}

    /// How many joins a plan has.
    static int count(LogicalPlan plan) {
        int below = plan.inputs().stream().mapToInt(JoinSides::count).sum();
        return plan instanceof LogicalPlan.Joined ? below + 1 : below;
    }

    /// Null where both sides should go through the exchange whatever comes.
    ///
    /// @param byMemory what a table may have, unless the join says something else
    static PhysicalPlan.Broadcast broadcast(LogicalPlan.Joined joined, JoinReducer reducer, long byMemory) {
        long said = joined.join().broadcastBytes();
        long mostBytes = said < 0 ? byMemory : said;
        double left = LikelySize.bytes(joined.left());
        double right = LikelySize.bytes(joined.right());
        int side = joined.join().asOf() != null ? RIGHT : small(joined.join().kind(), left, right, mostBytes);
        if (side == NEITHER || mostBytes == 0 || (side == LEFT ? left : right) > mostBytes * DOUBT) {
            return null;
        }
        return new PhysicalPlan.Broadcast(
                side,
                mostBytes,
                TABLE_ROW_BYTES,
                new TableMaker(reducer, side == LEFT),
                new ProbeReducer(reducer, side == LEFT));
    }

    private static int small(Join.Kind kind, double left, double right, long mostBytes) {
        return switch (kind) {
            case INNER, CROSS -> left < right || (Double.isNaN(right) && left <= mostBytes) ? LEFT : RIGHT;
            case LEFT, LEFT_SEMI, LEFT_ANTI -> RIGHT;
            case RIGHT, RIGHT_SEMI, RIGHT_ANTI -> LEFT;
            case FULL -> NEITHER;
        };
    }
}
