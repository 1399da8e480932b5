package dev.millrace.internal.python;

import dev.millrace.Dataset;
import dev.millrace.Shard;
import dev.millrace.error.MillraceException;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The epochs of one dataset: ranks that ask for the same one share a run. Thread-safe.
final class FeedEpochs {
    private static final long MOMENT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final IntFunction<Dataset> datasets;
    private @Nullable Round round;

    /// An epoch that some ranks have joined. The run begins when all have.
    private static final class Round {
        final int epoch;
        final List<Shard> shards;
        final BitSet joined = new BitSet();

        Round(int epoch, List<Shard> shards) {
            this.epoch = epoch;
            this.shards = shards;
        }

        boolean isComplete() {
            return joined.cardinality() == shards.size();
        }
    }

    FeedEpochs(IntFunction<Dataset> datasets) {
        this.datasets = datasets;
    }

    /// This rank's part of an epoch, until it leaves. Ranks that wait for something else may have left without our
    /// knowing yet: they get a moment.
    synchronized Shard join(FeedRequest request) throws InterruptedException {
        long end = System.nanoTime() + MOMENT_NANOS;
        for (long left = MOMENT_NANOS; differs(request) && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        Round current = round;
        if (current == null || current.isComplete()) {
            current = new Round(
                    request.epoch(),
                    datasets.apply(request.epoch()).streamingSplit(request.ranks(), request.ranks() > 1));
            round = current;
        }
        if (current.shards.size() != request.ranks()) {
            throw MillraceException.user("Rank " + request.rank() + " says that there are " + request.ranks()
                    + " ranks, and another one said " + current.shards.size()
                    + ". Give the same world_size to all.");
        }
        if (current.epoch != request.epoch()) {
            throw MillraceException.user("Rank " + request.rank() + " asks for epoch " + request.epoch() + ", and "
                    + current.joined.cardinality() + " of " + current.shards.size() + " ranks wait for epoch "
                    + current.epoch
                    + ". All ranks read the same epochs: check set_epoch(...) and load_state_dict(...).");
        }
        current.joined.set(request.rank());
        notifyAll();
        return current.shards.get(request.rank());
    }

    private boolean differs(FeedRequest request) {
        Round current = round;
        return current != null
                && !current.isComplete()
                && (current.shards.size() != request.ranks() || current.epoch != request.epoch());
    }

    /// A rank has read its part, or does not go on with it: the others go on without it. Before all have come its place
    /// stays free, for a rank that connects again.
    synchronized void leave(FeedRequest request, Shard shard) {
        Round current = round;
        if (current == null
                || current.isComplete()
                || !current.shards.get(request.rank()).equals(shard)) {
            shard.close();
            return;
        }
        current.joined.clear(request.rank());
        if (current.joined.isEmpty()) {
            current.shards.forEach(Shard::close);
            round = null;
            notifyAll();
        }
    }
}
