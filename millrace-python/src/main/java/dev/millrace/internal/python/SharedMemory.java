package dev.millrace.internal.python;

import dev.millrace.batch.Batch;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.compression.IpcCompression;
import dev.millrace.internal.arrow.IpcMessage;
import dev.millrace.internal.kernel.ParallelCopy;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The memory shared with one worker. The worker makes all of it: pairs of segments for batches when there is none that
/// fits, and segments for results, which it uses again when their rows are released here. Thread-safe.
///
/// Memory in use is counted by whoever uses it; not counted are a few idle segments of each worker, which are kept
/// because their pages are there.
final class SharedMemory {
    private final WorkerLink link;
    private final List<SharedSegment> idleInputs = new ArrayList<>();
    private final Map<Long, SharedSegment> results = new HashMap<>();
    private final Map<Long, SharedSegment> usedResults = new HashMap<>();
    private boolean closed;

    SharedMemory(WorkerLink link) {
        this.link = link;
    }

    /// Copies a batch to shared memory; null if the process has ended. It ends with [#release].
    @Nullable
    SharedBatch put(Batch batch) throws InterruptedException {
        List<Column> columns = new ArrayList<>();
        batch.columns().forEach(name -> columns.add(batch.column(name)));
        try (Block block = Block.sharing(batch.schema(), columns, batch.rows())) {
            return put(batch.schema(), List.of(block), batch.allocator());
        }
    }

    /// The same of a batch that lies in several blocks, which the caller closes.
    @Nullable
    SharedBatch put(Schema schema, List<Block> blocks, Allocator account) throws InterruptedException {
        try (IpcMessage message = IpcMessage.of(schema, blocks, IpcCompression.NONE, account)) {
            long length = message.length();
            SharedSegment segment = takeInput(length);
            if (segment == null) {
                return null;
            }
            try {
                // Counted while Python uses it; it lives on for the next batch.
                Buffer counted = account.adopt(
                        Buffer.unowned(segment.memory()),
                        length,
                        () -> segment.memory().asSlice(0, length));
                message.copyTo(segment.memory(), ParallelCopy.shared());
                return new SharedBatch(segment, counted, length);
            } catch (RuntimeException | Error e) {
                giveInput(segment);
                throw e;
            }
        }
    }

    /// Python does not use a batch any more.
    ///
    /// @param kept it does, beyond what it was given it for: the memory is Python's own from now on
    void release(SharedBatch batch, boolean kept) {
        batch.counted().release();
        if (kept) {
            batch.segment().unmap();
        } else {
            giveInput(batch.segment());
        }
    }

    /// A segment for a batch, or null if the process has ended.
    private @Nullable SharedSegment takeInput(long size) throws InterruptedException {
        synchronized (this) {
            SharedSegment found = fitting(size);
            if (found != null || closed) {
                return found;
            }
            dropInputs();
            link.send(WorkerFrame.Order.SEGMENTS, 0, size, 0);
            while (!closed) {
                found = fitting(size);
                if (found != null) {
                    return found;
                }
                wait();
            }
            return null;
        }
    }

    private @Nullable SharedSegment fitting(long size) {
        for (int i = idleInputs.size() - 1; i >= 0; i--) {
            if (idleInputs.get(i).memory().byteSize() >= size) {
                return idleInputs.remove(i);
            }
        }
        return null;
    }

    /// Those that are idle are too small.
    private void dropInputs() {
        for (SharedSegment small : idleInputs) {
            link.send(WorkerFrame.Order.DROP, 0, small.number(), 0);
            small.unmap();
        }
        idleInputs.clear();
    }

    private synchronized void giveInput(SharedSegment segment) {
        if (closed) {
            segment.unmap();
        } else {
            idleInputs.add(segment);
        }
    }

    /// The worker has made a segment for batches.
    void announced(WorkerFrame frame) throws IOException {
        SharedSegment segment = SharedSegment.map(link.pid(), frame.a(), frame.b(), frame.c(), frame.words());
        synchronized (this) {
            if (closed) {
                segment.unmap();
                return;
            }
            idleInputs.add(segment);
            notifyAll();
        }
    }

    /// The rows of a result, with one reference; their last holder gives the memory back to the worker.
    Buffer result(WorkerFrame frame) throws IOException {
        SharedSegment segment;
        synchronized (this) {
            segment = results.get(frame.a());
        }
        if (segment == null) {
            segment = SharedSegment.map(link.pid(), frame.a(), frame.b(), frame.c(), PythonResult.path(frame));
        }
        synchronized (this) {
            results.put(segment.number(), segment);
            usedResults.put(segment.number(), segment);
        }
        SharedSegment used = segment;
        return Buffer.foreign(used.memory().asSlice(0, frame.d()), () -> release(used));
    }

    private void release(SharedSegment segment) {
        synchronized (this) {
            usedResults.remove(segment.number());
            if (closed) {
                segment.unmap();
                return;
            }
        }
        link.send(WorkerFrame.Order.FREE, 0, segment.number(), 0);
    }

    /// The worker has dropped a segment of results that was released.
    void dropped(long number) {
        SharedSegment segment;
        synchronized (this) {
            segment = closed ? null : results.remove(number);
        }
        if (segment != null) {
            segment.unmap();
        }
    }

    /// The process has ended: what is in use is unmapped when it is released.
    void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            notifyAll();
            idleInputs.forEach(SharedSegment::unmap);
            idleInputs.clear();
            results.values().removeAll(usedResults.values());
            results.values().forEach(SharedSegment::unmap);
            results.clear();
        }
    }
}
