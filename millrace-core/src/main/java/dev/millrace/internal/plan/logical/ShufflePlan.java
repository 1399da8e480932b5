package dev.millrace.internal.plan.logical;

import dev.millrace.internal.transform.CallSite;
import dev.millrace.relation.SortKey;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Optional;

/// A node that outputs the rows of its input in another order, or in other blocks.
public sealed interface ShufflePlan extends LogicalPlan.Unary {
    @Override
    ShufflePlan withInput(LogicalPlan other);

    /// The columns it reads.
    List<String> keys();

    @Override
    default Optional<Schema> schema() {
        return PlanRewrite.schemaOf(input());
    }

    /// A number of blocks: with equal numbers of rows in their order, or, with keys, with equal keys in one block.
    ///
    /// @param shuffled rows are assigned to the blocks round-robin, instead of in their order
    /// @param site the user's line
    record Repartition(LogicalPlan input, int blocks, List<String> keys, boolean shuffled, String site)
            implements ShufflePlan {
        public Repartition {
            keys = List.copyOf(keys);
        }

        @Override
        public Repartition withInput(LogicalPlan other) {
            return new Repartition(other, blocks, keys, shuffled, site);
        }

        public Repartition shuffledRows() {
            return new Repartition(input, blocks, keys, true, site);
        }
    }

    /// Blocks of at most, or if `exact` of exactly, so many rows.
    ///
    /// @param site the user's line
    record RepartitionRows(LogicalPlan input, long rows, boolean exact, String site) implements ShufflePlan {
        @Override
        public RepartitionRows withInput(LogicalPlan other) {
            return new RepartitionRows(other, rows, exact, site);
        }

        @Override
        public List<String> keys() {
            return List.of();
        }
    }

    /// All rows sorted by their keys, the first key being most significant.
    ///
    /// @param boundaries keys as bytes between which each block lies; none: blocks of equal sizes
    /// @param site the user's line
    record Sort(LogicalPlan input, List<SortKey> by, List<byte[]> boundaries, String site) implements ShufflePlan {
        public Sort {
            by = List.copyOf(by);
            boundaries = List.copyOf(boundaries);
        }

        public Sort(LogicalPlan input, List<SortKey> by, List<byte[]> boundaries) {
            this(input, by, boundaries, CallSite.UNKNOWN);
        }

        @Override
        public Sort withInput(LogicalPlan other) {
            return new Sort(other, by, boundaries, site);
        }

        @Override
        public List<String> keys() {
            return by.stream().map(SortKey::column).toList();
        }
    }

    /// All rows in random order.
    ///
    /// @param site the user's line
    record RandomShuffle(LogicalPlan input, long seed, String site) implements ShufflePlan {
        @Override
        public RandomShuffle withInput(LogicalPlan other) {
            return new RandomShuffle(other, seed, site);
        }

        @Override
        public List<String> keys() {
            return List.of();
        }
    }

    /// All blocks in random order, with their rows unchanged.
    record RandomizeBlocks(LogicalPlan input, long seed) implements ShufflePlan {
        @Override
        public RandomizeBlocks withInput(LogicalPlan other) {
            return new RandomizeBlocks(other, seed);
        }

        @Override
        public List<String> keys() {
            return List.of();
        }
    }
}
