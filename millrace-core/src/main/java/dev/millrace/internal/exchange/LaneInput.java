package dev.millrace.internal.exchange;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.aggregate.GlobalAggregates;
import dev.millrace.internal.kernel.aggregate.GlobalPart;
import dev.millrace.memory.Allocator;
import java.io.Serializable;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The part of a bundle's blocks that an [ExchangeLane] takes.
sealed interface LaneInput extends Serializable {
    /// A block that the caller closes, beside its source; null if the lane takes nothing of it.
    @Nullable
    Block of(Allocator allocator, Block block);

    /// All rows unchanged.
    record Rows() implements LaneInput {
        @Override
        public Block of(Allocator allocator, Block block) {
            return block.retain();
        }
    }

    /// One column of the rows.
    record Values(GlobalAggregates aggregates, String column) implements LaneInput {
        @Override
        public Block of(Allocator allocator, Block block) {
            return aggregates.values(allocator, block, column);
        }
    }

    /// Of states of all aggregates, those that need no lane of their own.
    record OtherStates(GlobalAggregates aggregates) implements LaneInput {
        @Override
        public Block of(Allocator allocator, Block block) {
            return aggregates.statesOfOthers(block);
        }
    }

    /// Of states of all aggregates, the counts of the values of a column.
    record CountedValues(GlobalAggregates aggregates, String column) implements LaneInput {
        @Override
        public Block of(Allocator allocator, Block block) {
            return aggregates.statesOfValues(block, column);
        }
    }

    /// The blocks of one part, unmarked.
    record OfPart(int number) implements LaneInput {
        @Override
        public @Nullable Block of(Allocator allocator, Block block) {
            return GlobalPart.numberOf(block.schema()) == number ? GlobalPart.unmark(block) : null;
        }
    }

    /// The blocks of all parts except these, unchanged.
    record OfOthers(Set<Integer> numbers) implements LaneInput {
        public OfOthers {
            numbers = Set.copyOf(numbers);
        }

        @Override
        public @Nullable Block of(Allocator allocator, Block block) {
            return numbers.contains(GlobalPart.numberOf(block.schema())) ? null : block.retain();
        }
    }
}
