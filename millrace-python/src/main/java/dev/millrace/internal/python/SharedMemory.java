package dev.millrace.internal.python;

import dev.millrace.memory.Buffer;
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
    private final WorkerProcess process;
    private final List<SharedSegment> idleInputs = new ArrayList<>();
    private final Map<Long, SharedSegment> results = new HashMap<>();
    private final Map<Long, SharedSegment> usedResults = new HashMap<>();
    private boolean closed;

    SharedMemory(WorkerProcess process) {
        this.process = process;
    }

    /// A segment for a batch, or null if the process has ended.
    @Nullable
    SharedSegment takeInput(long size) throws InterruptedException {
        synchronized (this) {
            SharedSegment found = fitting(size);
            if (found != null || closed) {
                return found;
            }
            dropInputs();
            process.send(WorkerFrame.Order.SEGMENTS, 0, size, 0);
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
            process.send(WorkerFrame.Order.DROP, 0, small.number(), 0);
            small.unmap();
        }
        idleInputs.clear();
    }

    synchronized void giveInput(SharedSegment segment) {
        if (closed) {
            segment.unmap();
        } else {
            idleInputs.add(segment);
        }
    }

    /// The worker has made a segment for batches.
    void announced(WorkerFrame frame) throws IOException {
        SharedSegment segment = SharedSegment.map(process.pid(), frame.a(), frame.b(), frame.c(), frame.words());
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
            segment = SharedSegment.map(process.pid(), frame.a(), frame.b(), frame.c(), PythonResult.path(frame));
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
        process.send(WorkerFrame.Order.FREE, 0, segment.number(), 0);
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
