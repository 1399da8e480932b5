package dev.millrace.internal.storage;

import dev.millrace.internal.storage.RangeReadPlan.Stretch;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.storage.RandomFile;
import dev.millrace.storage.StoredFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A file far away, whose bytes come in ranges. What was told by [#willRead] is fetched ahead by threads of its own, a
/// few requests at once and at most [#WINDOW] bytes; reads that nobody told of fetch somewhat more than they need, the
/// more the longer they go on one after the other.
///
/// Memory is taken by the threads that read. When it is short, nothing is fetched ahead and reads go straight into the
/// reader's own memory.
public final class RangedFile implements RandomFile {
    /// Gets bytes of the file. Thread-safe; ends early when its thread is interrupted.
    public interface Fetcher {
        /// Fills `target`, which lies within the file. Tries again by itself what is worth it.
        void fetch(long position, MemorySegment target) throws IOException;
    }

    /// Bytes held, read or not, beyond which nothing more is fetched ahead.
    static final long WINDOW = 32 << 20;
    private static final int MAX_AT_ONCE = 6;
    /// Readers come back for the end of what they had, when it was cut off.
    private static final long KEPT_BEHIND = 512 << 10;
    private static final long SMALL = 64 << 10;

    private final StoredFile file;
    private final long size;
    private final Fetcher fetcher;
    private final Allocator allocator;

    private final ReentrantLock lock = new ReentrantLock();
    /// Guarded by the lock, all of these. Parts do not overlap.
    private final TreeMap<Long, FetchedPart> parts = new TreeMap<>();

    /// Those that were dropped while they were still fetched.
    private final List<FetchedPart> ending = new ArrayList<>();

    private RangeReadPlan plan = RangeReadPlan.empty();
    /// Stretches of which nothing was asked for yet, in the order they were told.
    private final ArrayDeque<Stretch> waiting = new ArrayDeque<>();

    private long held;
    private boolean closed;
    /// Where a read that goes on from the last one nobody told of would begin, and how much that one fetched.
    private long following = -1;

    private long followed;

    private final Semaphore atOnce = new Semaphore(MAX_AT_ONCE);

    public RangedFile(StoredFile file, long size, Fetcher fetcher, Allocator allocator) {
        this.file = file;
        this.size = size;
        this.fetcher = fetcher;
        this.allocator = allocator;
    }

    @Override
    public StoredFile file() {
        return file;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void willRead(List<Range> ranges) {
        lock.lock();
        try {
            plan = RangeReadPlan.of(ranges, size, WINDOW);
            for (FetchedPart part : List.copyOf(parts.values())) {
                if (plan.at(part.from) == null) {
                    drop(part);
                }
            }
            waiting.clear();
            waiting.addAll(plan.stretches().values());
            beginWaiting();
            for (Stretch stretch : plan.stretches().values()) {
                ahead(stretch, stretch.from());
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read(long position, MemorySegment target) throws IOException {
        if (target.byteSize() == 0) {
            return 0;
        }
        if (position >= size) {
            return -1;
        }
        FetchedPart part;
        lock.lock();
        try {
            if (closed) {
                throw new IOException("'" + file.path() + "' is closed");
            }
            part = partAt(position, target.byteSize());
            if (part != null) {
                part.retain();
            }
        } finally {
            lock.unlock();
        }
        if (part == null) {
            long count = Math.min(Math.min(target.byteSize(), size - position), RangeReadPlan.MAX_PART);
            fetcher.fetch(position, target.asSlice(0, count));
            return (int) count;
        }
        try {
            return part.copy(position, target);
        } catch (IOException e) {
            forget(part);
            throw e;
        } finally {
            part.release();
        }
    }

    /// Large ones are fetched straight into the target, several parts at once.
    @Override
    public void readFully(long position, MemorySegment target) throws IOException {
        if (target.byteSize() <= 2 * RangeReadPlan.MAX_PART
                || position + target.byteSize() > size
                || !target.isAccessibleBy(Thread.ofVirtual().unstarted(() -> {}))) {
            RandomFile.super.readFully(position, target);
            return;
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Void>> all = new ArrayList<>();
            for (long at = 0; at < target.byteSize(); at += RangeReadPlan.MAX_PART) {
                long from = at;
                MemorySegment piece = target.asSlice(at, Math.min(RangeReadPlan.MAX_PART, target.byteSize() - at));
                all.add(threads.submit((Callable<Void>) () -> {
                    atOnce.acquire();
                    try {
                        fetcher.fetch(position + from, piece);
                    } finally {
                        atOnce.release();
                    }
                    return null;
                }));
            }
            try {
                for (Future<Void> each : all) {
                    each.get();
                }
            } catch (ExecutionException e) {
                threads.shutdownNow();
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                throw new IOException(cause.getMessage(), cause);
            } catch (InterruptedException _) {
                threads.shutdownNow();
                Thread.currentThread().interrupt();
                throw new ClosedByInterruptException();
            }
        }
    }

    /// The part with this position, which is perhaps just being asked for; null if there is no memory for one.
    private @Nullable FetchedPart partAt(long position, long wanted) {
        FetchedPart there = find(position);
        if (there != null && there.hasFailed()) {
            drop(there);
            there = null;
        }
        Stretch stretch = plan.at(position);
        if (there == null) {
            there = stretch != null ? begin(stretch, position, true) : untold(position, wanted);
        }
        if (stretch != null && !plan.isWhole(stretch)) {
            dropBehind(stretch, position);
            ahead(stretch, position);
        }
        beginWaiting();
        if (there != null) {
            there.touched = true;
        }
        return there;
    }

    private @Nullable FetchedPart find(long position) {
        Map.Entry<Long, FetchedPart> entry = parts.floorEntry(position);
        return entry == null || !entry.getValue().holds(position) ? null : entry.getValue();
    }

    private void beginWaiting() {
        while (!waiting.isEmpty()) {
            Stretch first = waiting.getFirst();
            if (find(first.from()) == null && begin(first, first.from(), false) == null) {
                return;
            }
            waiting.removeFirst();
        }
    }

    /// Begins the parts that a reader at `position` will need next.
    private void ahead(Stretch stretch, long position) {
        long most = Math.max(2 * plan.partBytes(), WINDOW / plan.stretches().size());
        long end = plan.isWhole(stretch) ? stretch.to() : Math.min(stretch.to(), position + most);
        long at = position;
        while (at < end) {
            FetchedPart part = find(at);
            if (part == null) {
                part = begin(stretch, at, false);
            }
            if (part == null) {
                return;
            }
            at = part.to;
        }
    }

    private @Nullable FetchedPart begin(Stretch stretch, long from, boolean needed) {
        long to = plan.isWhole(stretch) ? stretch.to() : Math.min(stretch.to(), from + plan.partBytes());
        return begin(from, to, needed);
    }

    /// Nobody told of it: a footer, or a reader that goes from front to back.
    private @Nullable FetchedPart untold(long position, long wanted) {
        boolean goesOn = position == following;
        long bytes = Math.max(wanted, goesOn ? Math.min(2 * followed, RangeReadPlan.MAX_PART) : SMALL);
        if (wanted > RangeReadPlan.MAX_PART) {
            return null;
        }
        for (FetchedPart part : List.copyOf(parts.values())) {
            if (plan.at(part.from) == null && part.touched) {
                drop(part);
            }
        }
        // The first look at a file is often at its end, and the next one before that.
        boolean end = parts.isEmpty() && size - position < SMALL;
        long from = end ? Math.max(0, size - SMALL) : position;
        FetchedPart part = begin(from, Math.min(size, position + bytes), true);
        if (part != null) {
            following = part.to;
            followed = part.bytes();
        }
        return part;
    }

    /// @param needed a reader waits for it
    /// @return null if it may not begin now
    private @Nullable FetchedPart begin(long from, long to, boolean needed) {
        if (allocator.isTight() || !needed && (held + to - from > WINDOW || atOnce.availablePermits() == 0)) {
            return null;
        }
        Map.Entry<Long, FetchedPart> after = parts.higherEntry(from);
        long end = after == null ? to : Math.min(to, after.getKey());
        Buffer buffer;
        try {
            buffer = allocator.allocate(end - from);
        } catch (MemoryRefused _) {
            return null;
        }
        boolean counted = atOnce.tryAcquire();
        FetchedPart part = new FetchedPart(from, end, buffer);
        parts.put(from, part);
        held += part.bytes();
        part.start(fetcher, file.name(), () -> {
            if (counted) {
                atOnce.release();
            }
        });
        return part;
    }

    private void dropBehind(Stretch stretch, long position) {
        for (FetchedPart part :
                List.copyOf(parts.subMap(stretch.from(), position + 1).values())) {
            if (part.to + KEPT_BEHIND <= position) {
                drop(part);
            }
        }
    }

    /// It failed: whoever tries again asks again.
    private void forget(FetchedPart part) {
        lock.lock();
        try {
            if (parts.get(part.from) == part) {
                drop(part);
            }
        } finally {
            lock.unlock();
        }
    }

    private void drop(FetchedPart part) {
        parts.remove(part.from);
        held -= part.bytes();
        ending.removeIf(FetchedPart::isDone);
        if (!part.isDone()) {
            part.interrupt();
            ending.add(part);
        }
        part.release();
    }

    @Override
    public void close() {
        List<FetchedPart> left;
        lock.lock();
        try {
            closed = true;
            List.copyOf(parts.values()).forEach(this::drop);
            left = List.copyOf(ending);
        } finally {
            lock.unlock();
        }
        left.forEach(FetchedPart::awaitEnd);
    }
}
