package dev.millrace;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.consume.SliceCuts;
import dev.millrace.internal.consume.StreamingSplit;
import dev.millrace.runtime.BlockSlice;
import java.util.List;
import java.util.function.Function;

/// Splits a dataset: into materialised parts, or into shards of one stream.
sealed interface DatasetSplits permits Dataset {
    private Dataset self() {
        return (Dataset) this;
    }

    /// `parts` materialised datasets with about the same number of blocks each.
    default List<MaterializedDataset> split(int parts) {
        return split(parts, false);
    }

    /// The same as [#split(int)], optionally with parts of equal size.
    ///
    /// @param equal all get the same number of rows; the remainder is dropped
    default List<MaterializedDataset> split(int parts, boolean equal) {
        if (parts < 1) {
            throw MillraceException.user("split: the number of parts must be 1 or more, not " + parts + ".");
        }
        return cut(slices -> equal ? SliceCuts.equal(slices, parts) : SliceCuts.byBlocks(slices, parts));
    }

    /// The rows before the first index, from there to the second, and so on.
    default List<MaterializedDataset> splitAtIndices(long... indices) {
        SliceCuts.checkIndices(indices);
        return cut(slices -> SliceCuts.at(slices, indices));
    }

    /// Parts with these fractions of the rows, and a last one of the rest.
    default List<MaterializedDataset> splitProportionately(double... fractions) {
        SliceCuts.proportions(0, fractions);
        return cut(slices -> SliceCuts.at(
                slices,
                SliceCuts.proportions(
                        slices.stream().mapToLong(BlockSlice::rows).sum(), fractions)));
    }

    /// The first rows for training, the last `testFraction` of them for testing.
    default TrainTestSplit trainTestSplit(double testFraction) {
        if (!(testFraction > 0 && testFraction < 1)) {
            throw MillraceException.user(
                    "trainTestSplit: the test fraction must be between 0 and 1, not " + testFraction + ".");
        }
        List<MaterializedDataset> parts = splitProportionately(1 - testFraction);
        return new TrainTestSplit(parts.get(0), parts.get(1));
    }

    /// The same after a random shuffle: both parts are random samples.
    default TrainTestSplit trainTestSplit(double testFraction, long seed) {
        return self().randomShuffle(seed).trainTestSplit(testFraction);
    }

    private List<MaterializedDataset> cut(Function<List<BlockSlice>, List<List<BlockSlice>>> cuts) {
        try (MaterializedDataset whole = self().materialize()) {
            return cuts.apply(whole.blockReferences()).stream()
                    .map(slices -> self().part(slices, whole.schema()))
                    .toList();
        }
    }

    /// For `consumers` readers on threads of their own, each of which gets a part of every run: whole blocks, about the
    /// same number of rows if they read at one speed; see [Shard].
    default List<Shard> streamingSplit(int consumers) {
        return streamingSplit(consumers, false);
    }

    /// The same as [#streamingSplit(int)], optionally with shards of equal size.
    ///
    /// @param equal all get exactly the same number of rows: blocks are cut where needed, and the remainder is dropped
    default List<Shard> streamingSplit(int consumers, boolean equal) {
        if (consumers < 1) {
            throw MillraceException.user("streamingSplit: there must be 1 or more consumers, not " + consumers + ".");
        }
        return StreamingSplit.shards(
                        consumers,
                        self().settings(),
                        self().session().executions(),
                        readers -> self().startSplit(readers, equal))
                .stream()
                .map(shard -> new Shard(self(), shard))
                .toList();
    }
}
