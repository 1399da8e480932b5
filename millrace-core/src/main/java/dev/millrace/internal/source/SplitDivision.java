package dev.millrace.internal.source;

import dev.millrace.internal.thread.TaskCancellation;
import dev.millrace.internal.transform.DividedSplit;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// A source's splits, divided into as many blocks as the user asked for where they are fewer. They are listed lazily
/// unless a number was asked for, and then until it is reached.
public final class SplitDivision implements Iterator<Split>, AutoCloseable {
    private final Iterator<Split> all;
    private final int wanted;
    /// What was listed to count it; null before.
    private @Nullable Iterator<Split> listed;

    private SplitDivision(Iterator<Split> all, int wanted) {
        this.all = all;
        this.wanted = wanted;
    }

    /// The splits of a run. Those of a local source stay as they are: they can only be read one after the other.
    public static Iterator<Split> splits(Source source, SplitRequest request) {
        Iterator<Split> all = source.splits(request);
        return request.exact() && !source.isLocal() ? new SplitDivision(all, request.parallelism()) : all;
    }

    @Override
    public boolean hasNext() {
        return listed().hasNext() || all.hasNext();
    }

    @Override
    public Split next() {
        return listed().hasNext() ? listed().next() : all.next();
    }

    private Iterator<Split> listed() {
        if (listed == null) {
            listed = list();
        }
        return listed;
    }

    private Iterator<Split> list() {
        TaskCancellation cancellation = TaskCancellation.ofThread();
        List<Split> some = new ArrayList<>();
        while (some.size() < wanted && all.hasNext()) {
            some.add(all.next());
            cancellation.check();
        }
        return (some.size() < wanted ? divide(some, wanted) : some).iterator();
    }

    /// A split and the blocks that its rows become so far.
    private static final class Share {
        private final Split split;
        private final double weight;
        private int blocks = 1;

        Share(Split split, double weight) {
            this.split = split;
            this.weight = weight;
        }

        double weightOfNext() {
            return weight / (blocks + 0.5);
        }

        boolean canTakeMore() {
            return split.rows().isEmpty() || split.rows().getAsLong() > blocks;
        }
    }

    /// One block goes to each split, every further one where blocks are largest; never more than there are rows.
    static List<Split> divide(List<Split> splits, int blocks) {
        boolean byRows = splits.stream().allMatch(split -> split.rows().isPresent());
        boolean bySize = splits.stream().allMatch(split -> split.sizeBytes().isPresent())
                && splits.stream().anyMatch(split -> split.sizeBytes().getAsLong() > 0);
        List<Share> shares = splits.stream()
                .map(split -> new Share(
                        split,
                        byRows
                                ? split.rows().getAsLong()
                                : bySize ? split.sizeBytes().getAsLong() : 1))
                .toList();
        PriorityQueue<Share> largest =
                new PriorityQueue<>((a, b) -> Double.compare(b.weightOfNext(), a.weightOfNext()));
        largest.addAll(shares);
        for (int left = blocks - splits.size(); left > 0 && !largest.isEmpty(); ) {
            Share share = largest.poll();
            if (share.canTakeMore()) {
                share.blocks++;
                left--;
                largest.add(share);
            }
        }
        return shares.stream()
                .map(share -> share.blocks == 1 ? share.split : new DividedSplit(share.split, share.blocks))
                .toList();
    }

    @Override
    public void close() throws Exception {
        if (all instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }
}
