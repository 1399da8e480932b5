package dev.millrace.internal.transform;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.compute.Download;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.internal.wording.SecretText;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryRefused;
import dev.millrace.storage.LastingIOException;
import dev.millrace.storage.Storage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// Files that are fetched for the rows of a chunk, each by a thread of its own, a limited number at once. They are
/// taken in the order of the rows.
///
/// The task's thread, which waits here, also allocates memory for the others: up to [#AHEAD] in total, and always what
/// the next row needs. One thread, except the queue of events.
final class RowDownloads implements AutoCloseable {
    private static final long AHEAD = 32 << 20;
    /// The name of local paths in [Download#schemes].
    private static final String LOCAL = "file";

    private final Allocator allocator;
    private final Download options;
    private final long rows;
    private final LongFunction<String> address;

    /// Fetches that are started and not taken, the next row first.
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>();
    /// Fetches that wait for memory, in the order of their requests.
    private final ArrayDeque<MemoryRequest> needs = new ArrayDeque<>();
    /// Messages from the fetching threads to the task's thread.
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    private long started;
    private long held;

    private sealed interface Event {}

    /// @param keep the first bytes of what the fetch already has
    private record MemoryRequest(Fetch fetch, long keep, long bytes, CompletableFuture<MemorySegment> answer)
            implements Event {}

    private record Ended(Fetch fetch, @Nullable IOException failure) implements Event {}

    /// How long a fetch waited for memory, and since when it waits now; 0: it does not. Both are read together.
    private record MemoryWait(long waited, long since) {
        private static final MemoryWait NONE = new MemoryWait(0, 0);
    }

    /// One file. Only the task's thread accesses the fields, except those that measure its time.
    private static final class Fetch {
        private final @Nullable String path;
        private @Nullable Thread thread;
        private @Nullable Buffer buffer;
        /// The requested size within the buffer.
        private long size;

        private boolean ended;
        private boolean late;
        private @Nullable IOException failure;
        private final long began = System.nanoTime();
        /// Written by its own thread alone.
        private volatile MemoryWait waits = MemoryWait.NONE;

        Fetch(@Nullable String path) {
            this.path = path;
        }

        void interrupt() {
            Objects.requireNonNull(thread, "a fetch that has not ended has a thread")
                    .interrupt();
        }

        Buffer requireBuffer() {
            return Objects.requireNonNull(buffer, "a fetch that was given memory has a buffer");
        }

        /// The time without waits for memory.
        long nanos() {
            MemoryWait now = waits;
            return (now.since == 0 ? System.nanoTime() : now.since) - began - now.waited;
        }
    }

    RowDownloads(Allocator allocator, Download options, long rows, LongFunction<String> address) {
        this.allocator = allocator;
        this.options = options;
        this.rows = rows;
        this.address = address;
    }

    /// Appends the bytes of the next row; waits for them.
    ///
    /// @throws IOException when they cannot be fetched; nothing is appended
    void take(long row, BinaryBuilder target) throws IOException, InterruptedException {
        while (started < rows && fetches.size() < options.concurrency()) {
            fetches.add(start(address.apply(started++)));
        }
        if (fetches.isEmpty()) {
            throw new IllegalStateException("row " + row + " was taken already");
        }
        Fetch first = fetches.getFirst();
        serve();
        while (!first.ended) {
            long left = options.timeout().toNanos() - first.nanos();
            Event event = first.late ? events.take() : events.poll(left, TimeUnit.NANOSECONDS);
            if (event != null) {
                handle(event);
            } else if (options.timeout().toNanos() <= first.nanos()) {
                first.late = true;
                first.interrupt();
            }
        }
        fetches.removeFirst();
        try {
            if (first.failure != null) {
                throw first.late ? tooLate(first) : first.failure;
            }
            if (first.buffer == null) {
                target.appendNull();
            } else {
                target.append(first.buffer.segment(), 0, first.size);
            }
        } finally {
            free(first);
        }
    }

    private Fetch start(@Nullable String path) {
        Fetch fetch = new Fetch(path);
        if (path == null) {
            fetch.ended = true;
            return fetch;
        }
        fetch.thread = Thread.ofVirtual()
                .name("download " + SecretText.hide(path))
                .start(() -> {
                    IOException failure = null;
                    try {
                        requireScheme(path);
                        StorageRegistry.of(path).readWhole(path, new FetchRoom(fetch));
                    } catch (IOException e) {
                        failure = e;
                    } catch (RuntimeException | Error e) {
                        failure = new IOException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
                    }
                    events.add(new Ended(fetch, failure));
                });
        return fetch;
    }

    /// Refuses an address that the options do not allow, before any access.
    private void requireScheme(String path) throws IOException {
        String scheme = StorageRegistry.scheme(path).orElse(LOCAL);
        if (!options.schemes().contains(scheme)) {
            String all = String.join("\", \"", options.schemes());
            throw new LastingIOException(
                    "'" + path + "' is " + (scheme.equals(LOCAL) ? "a path of this machine" : "of the scheme " + scheme)
                            + ", and download follows " + String.join(", ", options.schemes())
                            + " only. If the column can be trusted, allow it: Download.into(\"" + options.column()
                            + "\").schemes(\"" + all + (all.isEmpty() ? "" : "\", \"") + scheme + "\").",
                    null);
        }
    }

    private IOException tooLate(Fetch fetch) {
        return new LastingIOException(
                "'" + fetch.path + "' was not there after " + options.timeout().toMillis()
                        + " ms, the time that a file has, and was given up. Raise it with Download.timeout if it may take"
                        + " longer.",
                fetch.failure);
    }

    private IOException tooLarge(Fetch fetch, String size) {
        return new LastingIOException(
                "'" + fetch.path + "' has " + size + " bytes, and download takes files of up to " + options.maxBytes()
                        + ". Raise it with Download.maxBytes if they may be larger.",
                null);
    }

    /// Memory for a file, requested by the fetching thread.
    private final class FetchRoom implements Storage.Room {
        private final Fetch fetch;

        FetchRoom(Fetch fetch) {
            this.fetch = fetch;
        }

        @Override
        public MemorySegment of(long bytes) throws IOException {
            if (bytes > options.maxBytes()) {
                throw tooLarge(fetch, Long.toString(bytes));
            }
            return room(fetch, 0, bytes);
        }

        @Override
        public MemorySegment grow(MemorySegment before, long used, long bytes) throws IOException {
            if (bytes > used && used >= options.maxBytes()) {
                throw tooLarge(fetch, "more than " + options.maxBytes());
            }
            return room(fetch, used, Math.min(bytes, options.maxBytes()));
        }
    }

    private MemorySegment room(Fetch fetch, long keep, long bytes) throws IOException {
        CompletableFuture<MemorySegment> answer = new CompletableFuture<>();
        long since = System.nanoTime();
        long before = fetch.waits.waited;
        fetch.waits = new MemoryWait(before, since);
        events.add(new MemoryRequest(fetch, keep, bytes, answer));
        try {
            return answer.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof LastingIOException lasting ? lasting : new IOException(e.getCause());
        } finally {
            fetch.waits = new MemoryWait(before + System.nanoTime() - since, 0);
        }
    }

    private void handle(Event event) {
        switch (event) {
            case MemoryRequest need -> {
                needs.add(need);
                serve();
            }
            case Ended end -> {
                end.fetch.ended = true;
                end.fetch.failure = end.failure;
            }
        }
    }

    private void serve() {
        for (Iterator<MemoryRequest> all = needs.iterator(); all.hasNext(); ) {
            MemoryRequest need = all.next();
            boolean next = need.fetch == fetches.peekFirst();
            if (next || held + need.bytes <= AHEAD && !allocator.isTight()) {
                all.remove();
                give(need);
            }
        }
    }

    private void give(MemoryRequest need) {
        Fetch fetch = need.fetch;
        if (fetch.buffer != null && need.keep == need.bytes && need.keep > 0) {
            held -= fetch.buffer.size();
            held += fetch.buffer.trim(need.bytes).size();
        } else if (!replace(fetch, need)) {
            return;
        }
        fetch.size = need.bytes;
        need.answer.complete(fetch.requireBuffer().segment());
    }

    /// False if the file is too large for the session's memory; its thread is notified.
    private boolean replace(Fetch fetch, MemoryRequest need) {
        if (need.keep == 0) {
            free(fetch);
        }
        Buffer given;
        try {
            given = allocator.allocate(need.bytes);
        } catch (MemoryRefused e) {
            if (!e.isTooLarge()) {
                throw e;
            }
            need.answer.completeExceptionally(new LastingIOException(
                    "'" + fetch.path + "' is too large for the memory of this session: " + e.getMessage(), e));
            return false;
        }
        if (need.keep > 0) {
            MemorySegment.copy(fetch.requireBuffer().segment(), 0, given.segment(), 0, need.keep);
            free(fetch);
        }
        fetch.buffer = given;
        held += given.size();
        return true;
    }

    private void free(Fetch fetch) {
        if (fetch.buffer != null) {
            held -= fetch.buffer.size();
            fetch.buffer.release();
            fetch.buffer = null;
        }
    }

    /// Cancels the fetches in flight.
    @Override
    public void close() {
        fetches.stream().filter(fetch -> !fetch.ended).forEach(Fetch::interrupt);
        boolean interrupted = false;
        while (!fetches.isEmpty()) {
            Fetch fetch = fetches.getFirst();
            try {
                if (fetch.thread != null) {
                    fetch.thread.join();
                }
                free(fetch);
                fetches.removeFirst();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
