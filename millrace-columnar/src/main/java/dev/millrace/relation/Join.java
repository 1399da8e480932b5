package dev.millrace.relation;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How two datasets are joined: which rows are output, which columns must be equal, and how names that both sides have
/// are changed.
///
/// ```
/// left.join(right, Join.inner("id"))
/// left.join(right, Join.left().on("l_orderkey", "o_orderkey").rightSuffix("_right"))
/// ```
///
/// Null is equal to nothing, not even to null; NaN is equal to NaN and 0.0 to -0.0; numbers are equal by value,
/// independent of their types.
///
/// @param leftKeys as many as `rightKeys`; compared pair by pair
/// @param leftSuffix the suffix for a left name that both sides have; or null
/// @param broadcastBytes see [#broadcast]; -1 if it depends on the available memory
/// @param asOf selects one of the matching rows; null for all
public record Join(
        Kind kind,
        List<String> leftKeys,
        List<String> rightKeys,
        @Nullable String leftSuffix,
        @Nullable String rightSuffix,
        long broadcastBytes,
        @Nullable AsOf asOf)
        implements Serializable {
    private static final long BY_MEMORY = -1;

    /// Which rows are output.
    public enum Kind {
        INNER,
        LEFT,
        RIGHT,
        FULL,
        LEFT_SEMI,
        RIGHT_SEMI,
        LEFT_ANTI,
        RIGHT_ANTI,
        CROSS;

        /// Unmatched rows of the left are output too, with nulls for the right.
        public boolean keepsLeft() {
            return this == LEFT || this == FULL;
        }

        /// Whether unmatched rows of the right side are output.
        public boolean keepsRight() {
            return this == RIGHT || this == FULL;
        }

        /// Only rows of the left are output, each at most once.
        public boolean isLeftOnly() {
            return this == LEFT_SEMI || this == LEFT_ANTI;
        }

        /// Whether only columns of the right side are output.
        public boolean isRightOnly() {
            return this == RIGHT_SEMI || this == RIGHT_ANTI;
        }

        /// Whether only unmatched rows are output.
        public boolean isAnti() {
            return this == LEFT_ANTI || this == RIGHT_ANTI;
        }
    }

    public Join {
        leftKeys = List.copyOf(leftKeys);
        rightKeys = List.copyOf(rightKeys);
        if (leftKeys.size() != rightKeys.size()) {
            throw MillraceException.user("join: the left has " + leftKeys.size() + " keys " + leftKeys
                    + " and the right " + rightKeys.size() + " " + rightKeys + ". They are compared pair by pair.");
        }
    }

    /// A join by equal keys, with the broadcast side chosen automatically.
    public Join(
            Kind kind,
            List<String> leftKeys,
            List<String> rightKeys,
            @Nullable String leftSuffix,
            @Nullable String rightSuffix) {
        this(kind, leftKeys, rightKeys, leftSuffix, rightSuffix, BY_MEMORY, null);
    }

    /// Every pair of rows that match.
    ///
    /// @param keys columns that both sides have
    public static Join inner(String... keys) {
        return of(Kind.INNER, keys);
    }

    /// The pairs, and every row of the left without a match, with nulls for the right.
    public static Join left(String... keys) {
        return of(Kind.LEFT, keys);
    }

    /// The pairs, and every row of the right without a match, with nulls for the left.
    public static Join right(String... keys) {
        return of(Kind.RIGHT, keys);
    }

    /// The pairs, and every row of either side without a match.
    public static Join full(String... keys) {
        return of(Kind.FULL, keys);
    }

    /// The rows of the left that have a match, once.
    public static Join leftSemi(String... keys) {
        return of(Kind.LEFT_SEMI, keys);
    }

    /// The rows of the right that have a match, once.
    public static Join rightSemi(String... keys) {
        return of(Kind.RIGHT_SEMI, keys);
    }

    /// The rows of the left that have no match.
    public static Join leftAnti(String... keys) {
        return of(Kind.LEFT_ANTI, keys);
    }

    /// The rows of the right that have no match.
    public static Join rightAnti(String... keys) {
        return of(Kind.RIGHT_ANTI, keys);
    }

    /// Every row of the left with every row of the right.
    public static Join cross() {
        return of(Kind.CROSS);
    }

    private static Join of(Kind kind, String... keys) {
        return new Join(kind, List.of(keys), List.of(keys), null, null);
    }

    /// One more pair of columns that must be equal.
    public Join on(String left, String right) {
        return new Join(
                kind, with(leftKeys, left), with(rightKeys, right), leftSuffix, rightSuffix, broadcastBytes, asOf);
    }

    private static List<String> with(List<String> keys, String key) {
        List<String> more = new ArrayList<>(keys);
        more.add(key);
        return more;
    }

    /// Appended to a name of the left that both sides have, other than common keys.
    public Join leftSuffix(String suffix) {
        return new Join(kind, leftKeys, rightKeys, suffix, rightSuffix, broadcastBytes, asOf);
    }

    /// Appended to a name of the right that both sides have, other than common keys.
    public Join rightSuffix(String suffix) {
        return new Join(kind, leftKeys, rightKeys, leftSuffix, suffix, broadcastBytes, asOf);
    }

    /// Broadcast join: a side of at most this size is sent whole to all tasks of the other, whose rows are then not
    /// shuffled and keep their order; 0 for never. Without it, the limit is a share of the session's memory. A full
    /// outer join never does so.
    public Join broadcast(long mostBytes) {
        if (mostBytes < 0) {
            throw MillraceException.user("join: a side has 0 bytes or more, not " + mostBytes + ".");
        }
        return new Join(kind, leftKeys, rightKeys, leftSuffix, rightSuffix, mostBytes, asOf);
    }

    /// Of the matching right rows, only the nearest in another column. For inner and left joins; they need no key then.
    public Join asOf(AsOf nearest) {
        return new Join(kind, leftKeys, rightKeys, leftSuffix, rightSuffix, broadcastBytes, nearest);
    }

    /// Such as `inner(id, l_orderkey = o_orderkey)`.
    @Override
    public String toString() {
        List<String> pairs = new ArrayList<>();
        for (int i = 0; i < leftKeys.size(); i++) {
            String left = leftKeys.get(i);
            String right = rightKeys.get(i);
            pairs.add(left.equals(right) ? left : left + " = " + right);
        }
        String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String matched = pairs.isEmpty() ? name : name + "(" + String.join(", ", pairs) + ")";
        return asOf == null ? matched : matched + " as of " + asOf;
    }
}
