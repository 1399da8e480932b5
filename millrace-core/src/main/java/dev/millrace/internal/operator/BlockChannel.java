package dev.millrace.internal.operator;

import dev.millrace.runtime.BlockSlice;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The FIFO queue of blocks between two operators. Each entry has the task that produced it, which gets credit back
/// when the entry is taken, and the time of its arrival. A ring buffer of parallel arrays: no allocation per block.
public final class BlockChannel {
    private final RunningOperator from;
    private final RunningOperator to;
    private BlockSlice[] slices = new BlockSlice[16];
    private @Nullable TaskRun[] producers = new @Nullable TaskRun[16];
    private long[] bytes = new long[16];
    private long[] since = new long[16];
    private int head;
    private int size;
    /// For how many of the first entries credit was already returned to their producers.
    private int credited;

    private long rows;
    private long sizeBytes;
    private boolean ended;

    BlockChannel(RunningOperator from, RunningOperator to) {
        this.from = from;
        this.to = to;
    }

    public RunningOperator from() {
        return from;
    }

    public RunningOperator to() {
        return to;
    }

    /// The number of queued blocks.
    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    /// The number of queued rows.
    public long rows() {
        return rows;
    }

    /// Bytes of the queued rows, including blocks that existed before the run.
    long sizeBytes() {
        return sizeBytes;
    }

    /// True when nothing more will be pushed.
    public boolean isEnded() {
        return ended;
    }

    /// True when the queue is empty and nothing will be pushed.
    public boolean isExhausted() {
        return ended && size == 0;
    }

    void end() {
        ended = true;
    }

    void push(BlockSlice slice, @Nullable TaskRun producer, long countedBytes, long now) {
        if (size == slices.length) {
            grow();
        }
        int at = (head + size) & (slices.length - 1);
        slices[at] = slice;
        producers[at] = producer;
        bytes[at] = countedBytes;
        since[at] = now;
        size++;
        rows += slice.rows();
        sizeBytes += slice.sizeBytes();
    }

    public BlockSlice peek() {
        return slices[head];
    }

    /// The slice that was pushed last.
    BlockSlice last() {
        return slices[(head + size - 1) & (slices.length - 1)];
    }

    /// The task that produced the first entry, or null for blocks that existed before the run.
    @Nullable
    TaskRun producer() {
        return producers[head];
    }

    /// The bytes that the first entry counts for; 0 for blocks that existed before the run.
    long bytes() {
        return bytes[head];
    }

    /// True when credit for the first entry was already returned to its producer.
    boolean isCredited() {
        return credited > 0;
    }

    long since() {
        return since[head];
    }

    /// Returns credit for all queued entries, as if they were taken: they are not enough for the consumer to continue,
    /// so their producers must not be blocked.
    void credit() {
        for (; credited < size; credited++) {
            TaskRun producer = producers[(head + credited) & (slices.length - 1)];
            if (producer != null) {
                producer.credit();
            }
        }
    }

    /// Adds the bytes of the queued rows to those of the node that has them; not those of the caller's process.
    public void tally(Map<String, Long> bytesPerNode) {
        for (int i = 0; i < size; i++) {
            BlockSlice slice = slices[(head + i) & (slices.length - 1)];
            String node = slice.block().node();
            if (node != null) {
                bytesPerNode.merge(node, slice.sizeBytes(), Long::sum);
            }
        }
    }

    /// Allows all queued blocks to be spilled.
    void maySpill() {
        for (int i = 0; i < size; i++) {
            slices[(head + i) & (slices.length - 1)].block().maySpill();
        }
    }

    /// Removes the first entry, to be passed on unchanged: the caller owns its slice, and no credit is returned to its
    /// producer.
    BlockSlice poll() {
        BlockSlice slice = slices[head];
        slices[head] = null;
        producers[head] = null;
        head = (head + 1) & (slices.length - 1);
        size--;
        credited = Math.max(0, credited - 1);
        rows -= slice.rows();
        sizeBytes -= slice.sizeBytes();
        return slice;
    }

    /// Removes the first entry and returns credit to its producer.
    BlockSlice take() {
        TaskRun producer = producers[head];
        long counted = bytes[head];
        boolean hasCredit = isCredited();
        BlockSlice slice = poll();
        if (producer != null) {
            producer.left(counted);
            if (!hasCredit) {
                producer.credit();
            }
        }
        return slice;
    }

    /// The first `count` rows of the first entry: the whole entry is removed, a part of it is cut off and leaves the
    /// rest.
    BlockSlice takeRows(long count) {
        BlockSlice first = slices[head];
        if (count >= first.rows()) {
            return take();
        }
        BlockSlice part = first.slice(0, count);
        slices[head] = new BlockSlice(first.block(), first.from() + count, first.rows() - count);
        rows -= count;
        sizeBytes += slices[head].sizeBytes() - first.sizeBytes();
        return part;
    }

    /// Frees all queued blocks.
    void clear() {
        while (size > 0) {
            take().release();
        }
    }

    private void grow() {
        int old = slices.length;
        BlockSlice[] s = new BlockSlice[old * 2];
        TaskRun[] p = new TaskRun[old * 2];
        long[] b = new long[old * 2];
        long[] n = new long[old * 2];
        for (int i = 0; i < size; i++) {
            int at = (head + i) & (old - 1);
            s[i] = slices[at];
            p[i] = producers[at];
            b[i] = bytes[at];
            n[i] = since[at];
        }
        Arrays.fill(slices, null);
        slices = s;
        producers = p;
        bytes = b;
        since = n;
        head = 0;
    }
}
