package dev.millrace.internal.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The readers of server-sent events. Each has a queue of its own that is bounded: a reader that does not keep up loses
/// its oldest events, and nobody waits for it. Thread-safe.
final class EventHub {
    static final int MAX_READERS = 16;
    static final int QUEUED = 32;

    private static final byte[] END = {};

    private final List<Reader> readers = new CopyOnWriteArrayList<>();
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    /// One connection: it shows a run, with or without its tasks, or no run, and then hears of the list of runs only.
    final class Reader implements AutoCloseable {
        private final @Nullable String run;
        private final boolean tasks;
        private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(QUEUED);

        private Reader(@Nullable String run, boolean tasks) {
            this.run = run;
            this.tasks = tasks;
        }

        boolean shows(String id, boolean withTasks) {
            return id.equals(run) && tasks == withTasks;
        }

        /// The next event; null after so long without one. An empty one is the end.
        byte @Nullable [] next(long millis) throws InterruptedException {
            return queue.poll(millis, TimeUnit.MILLISECONDS);
        }

        private void offer(byte[] event) {
            while (!queue.offer(event)) {
                if (queue.poll() != null) {
                    dropped.incrementAndGet();
                }
            }
        }

        @Override
        public void close() {
            readers.remove(this);
        }
    }

    static boolean isEnd(byte[] event) {
        return event.length == 0;
    }

    /// A new reader, which the caller closes; null if there are too many.
    @Nullable
    Reader join(@Nullable String run, boolean tasks) {
        Reader reader = new Reader(run, tasks);
        synchronized (this) {
            if (closed || readers.size() >= MAX_READERS) {
                return null;
            }
            readers.add(reader);
        }
        return reader;
    }

    boolean isEmpty() {
        return readers.isEmpty();
    }

    boolean isShown(String id, boolean tasks) {
        return readers.stream().anyMatch(reader -> reader.shows(id, tasks));
    }

    /// Events that slow readers lost.
    long dropped() {
        return dropped.get();
    }

    /// To all readers.
    void send(String name, byte[] json) {
        byte[] event = event(name, json);
        readers.forEach(reader -> reader.offer(event));
    }

    /// To those that show a run.
    void send(String name, byte[] json, String id, boolean tasks) {
        byte[] event = event(name, json);
        readers.stream().filter(reader -> reader.shows(id, tasks)).forEach(reader -> reader.offer(event));
    }

    void close() {
        synchronized (this) {
            closed = true;
        }
        readers.forEach(reader -> reader.offer(END));
    }

    /// JSON has no line breaks of its own here: the writer escapes those of texts.
    private static byte[] event(String name, byte[] json) {
        byte[] head = ("event: " + name + "\ndata: ").getBytes(StandardCharsets.UTF_8);
        byte[] event = new byte[head.length + json.length + 2];
        System.arraycopy(head, 0, event, 0, head.length);
        System.arraycopy(json, 0, event, head.length, json.length);
        event[event.length - 2] = '\n';
        event[event.length - 1] = '\n';
        return event;
    }
}
