package dev.millrace.internal.exchange;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.millrace.block.Block;
import dev.millrace.internal.kernel.sort.KeyBytes;
import dev.millrace.internal.kernel.sort.RowOrder;
import dev.millrace.internal.kernel.sort.SortKeys;
import dev.millrace.memory.Buffer;
import dev.millrace.relation.SortKey;
import java.util.ArrayList;
import java.util.List;

/// Sorts a bundle, which gives a sorted run. Reports keys at regular positions, from which the ranges of the parts are
/// chosen; the same keys tell where these begin in each run, so that no row is read before its part is produced.
public record SortShards(List<SortKey> keys) implements ShardMaker {
    /// The number of sample keys of a run: the rows of a part are located up to one sampling step.
    private static final int SAMPLES = 1024;

    public SortShards {
        keys = List.copyOf(keys);
    }

    @Override
    public void make(MapTask task) {
        try (BundleRows bundle = task.rows()) {
            SortKeys.check(keys, bundle.schema(), "sort");
            Buffer rows = task.allocator().allocate(Math.max(1, bundle.rows() * Integer.BYTES));
            try (Block keyed = bundle.keys(task.allocator(), keys)) {
                try (RowOrder order = RowOrder.of(task.allocator(), keyed, keys)) {
                    order.copy(rows.segment());
                }
                SortedRun run = sample(keyed, rows);
                ShardWriter.write(task, bundle, rows.segment());
                task.tell(run);
            } finally {
                rows.release();
            }
        }
    }

    private SortedRun sample(Block block, Buffer order) {
        KeyBytes bytes = KeyBytes.of(block, keys);
        long step = Math.max(1, (block.rows() + SAMPLES - 1) / SAMPLES);
        List<byte[]> sample = new ArrayList<>();
        for (long place = 0; place < block.rows(); place += step) {
            sample.add(bytes.of(order.segment().getAtIndex(JAVA_INT, place)));
        }
        return new SortedRun(sample.toArray(byte[][]::new), step, bytes.kinds());
    }
}
