package dev.millrace.internal.exchange;

import dev.millrace.relation.Join;
import java.util.ArrayList;
import java.util.List;

/// Assigns the shards of a join as [CountedPartitions] does, and then handles skew: rows of one side of a very large
/// partition are distributed over several parts, each of which has all rows of the other side. So keys with very many
/// rows, and joins without keys, have more than one task.
///
/// @param join the side that is distributed must be one whose rows are emitted independently of each other
public record JoinPartitions(Join join, int partitions) implements ReduceAssignment {
    /// How many times larger than its target size a part may be.
    private static final int LARGE = 4;
    /// The work that is repeated for each part must be worth it.
    private static final int MIN_RATIO = 2;

    @Override
    public List<ReducePart> assign(List<List<MapOutput>> sides, long partBytes) {
        List<ReducePart> parts = new ArrayList<>();
        for (ReducePart part : new CountedPartitions(partitions, true).assign(sides, partBytes)) {
            long left = bytes(sides, part, JoinReducer.LEFT);
            long right = bytes(sides, part, JoinReducer.RIGHT);
            boolean splitsLeft = mayShareOut(JoinReducer.LEFT) && (left >= right || !mayShareOut(JoinReducer.RIGHT));
            boolean splits = splitsLeft || mayShareOut(JoinReducer.RIGHT);
            long large = splitsLeft ? left : right;
            long other = splitsLeft ? right : left;
            boolean worthIt = join.kind() == Join.Kind.CROSS
                    ? large > partBytes
                    : large > LARGE * partBytes && large >= MIN_RATIO * other;
            if (splits && isOne(part) && worthIt) {
                share(parts, part, splitsLeft ? JoinReducer.LEFT : JoinReducer.RIGHT, large, partBytes);
            } else {
                parts.add(part);
            }
        }
        return parts;
    }

    /// One partition, or all rows in one of them.
    private boolean isOne(ReducePart part) {
        return part.partitions() == 1
                || (join.leftKeys().isEmpty() && join.rightKeys().isEmpty());
    }

    private boolean mayShareOut(int side) {
        return switch (join.kind()) {
            case INNER, CROSS -> side == JoinReducer.LEFT || join.asOf() == null;
            case LEFT, LEFT_SEMI, LEFT_ANTI -> side == JoinReducer.LEFT;
            case RIGHT, RIGHT_SEMI, RIGHT_ANTI -> side == JoinReducer.RIGHT;
            case FULL -> false;
        };
    }

    private static long bytes(List<List<MapOutput>> sides, ReducePart part, int side) {
        double bytes = 0;
        for (ShardSpan span : part.sides().get(side)) {
            MapOutput output = sides.get(side).get(span.output());
            bytes += output.rows() == 0 ? 0 : (double) output.bytes() / output.rows() * span.rows();
        }
        return (long) bytes;
    }

    /// The spans of a side in order, cut where a part has enough.
    private static void share(List<ReducePart> parts, ReducePart part, int side, long bytes, long partBytes) {
        List<ShardSpan> spans = part.sides().get(side);
        long rows = spans.stream().mapToLong(ShardSpan::rows).sum();
        long pieces = Math.max(1, (bytes + partBytes - 1) / Math.max(1, partBytes));
        long each = Math.max(1, (rows + pieces - 1) / pieces);
        List<ShardSpan> taken = new ArrayList<>();
        long room = each;
        for (ShardSpan span : spans) {
            long from = 0;
            while (from < span.rows()) {
                long count = Math.min(room, span.rows() - from);
                taken.add(new ShardSpan(span.output(), span.from() + from, count, new int[] {Math.toIntExact(count)}));
                from += count;
                room -= count;
                if (room == 0) {
                    parts.add(with(part, side, taken));
                    taken = new ArrayList<>();
                    room = each;
                }
            }
        }
        if (!taken.isEmpty() || rows == 0) {
            parts.add(with(part, side, taken));
        }
    }

    private static ReducePart with(ReducePart part, int side, List<ShardSpan> spans) {
        List<List<ShardSpan>> sides = new ArrayList<>(part.sides());
        sides.set(side, spans);
        return new ReducePart(part.firstPartition(), part.partitions(), sides, part.argument());
    }
}
