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
        TrainTestSplits.requireFraction("trainTestSplit", testFraction);
        List<MaterializedDataset> parts = splitProportionately(1 - testFraction);
        return new TrainTestSplit(parts.get(0), parts.get(1));
    }

    /// The same after a random shuffle: both parts are random samples.
    default TrainTestSplit trainTestSplit(double testFraction, long seed) {
        return self().randomShuffle(seed).trainTestSplit(testFraction);
    }

    /// Of the rows of each value of `column` the first for training and the last `testFraction` of them, rounded down,
    /// for testing: both parts have about the same shares of the values. Null is a value, and NaN; a value with few
    /// rows may have none for testing. The rows of a value keep their order; the order of the values is unspecified.
    default TrainTestSplit trainTestSplit(double testFraction, String column) {
        return TrainTestSplits.stratified(self(), testFraction, column);
    }

    /// The same after a random shuffle.
    default TrainTestSplit trainTestSplit(double testFraction, long seed, String column) {
        return self().randomShuffle(seed).trainTestSplit(testFraction, column);
    }

    /// Two datasets that are read as streams, nothing being kept: each row is in the test part with this probability,
    /// by the value of `column` and the seed. Rows of one value (of a user, of a document) are all in one part, null
    /// being a value, and always in the same, whatever the files, their order and their number.
    default StreamingTrainTestSplit streamingTrainTestSplit(double testFraction, String column, long seed) {
        return TrainTestSplits.byHash(self(), testFraction, column, seed);
    }

    /// The same with a choice for each row that depends on the seed and its place in the input. The parts complete each
    /// other only if both runs see the same rows in the same blocks: not behind functions that give different rows when
    /// they run again, files that change, or datasets that are [unordered][Dataset#unordered]. Otherwise choose by a
    /// column.
    default StreamingTrainTestSplit streamingTrainTestSplit(double testFraction, long seed) {
        return TrainTestSplits.byPlace(self(), testFraction, seed);
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
                        (readers, batchRows) -> self().startSplit(readers, equal, batchRows))
                .stream()
                .map(shard -> new Shard(self(), shard))
                .toList();
    }
}
