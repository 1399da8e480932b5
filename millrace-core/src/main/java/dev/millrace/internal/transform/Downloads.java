package dev.millrace.internal.transform;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.compute.Download;
import dev.millrace.internal.storage.Storages;
import dev.millrace.internal.wording.SecretText;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.storage.LastingIOException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongFunction;

/// Files that are fetched for the rows of a chunk, each by a thread of its own, so many at once. They are taken in the
/// order of the rows.
///
/// The task's thread, which waits here, also gives the others their memory: as much as [#AHEAD] in all, and always
/// what the next row needs. One thread, but for what it says of the queue.
final class Downloads implements AutoCloseable {
    private static final long AHEAD = 32 << 20;
    /// How [Download#schemes] names paths of this machine.
    private static final String LOCAL = "file";

    private final Allocator allocator;
    private final Download options;
    private final long rows;
    private final LongFunction<String> address;

    /// Started and not taken, the next row first.
    private final ArrayDeque<Fetch> fetches = new ArrayDeque<>();
    /// Those who wait for memory, in the order they asked.
    private final ArrayDeque<Need> needs = new ArrayDeque<>();
    /// How the fetching threads talk to the task's.
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    private long started;
    private long held;

    private sealed interface Event {}

    private record Need(Fetch fetch, long bytes, CompletableFuture<MemorySegment> answer) implements Event {}

    private record Ended(Fetch fetch, IOException failure) implements Event {}

    /// One file. The task's thread alone touches the fields.
    private static final class Fetch {
        private Thread thread;
        private Buffer buffer;
        private boolean ended;
        private IOException failure;
    }

    Downloads(Allocator allocator, Download options, long rows, LongFunction<String> address) {
        this.allocator = allocator;
        this.options = options;
        this.rows = rows;
        this.address = address;
    }

    /// Appends the bytes of the next row, when they are there.
    ///
    /// @throws IOException when they cannot be had; nothing is appended
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
            handle(events.take());
        }
        fetches.removeFirst();
        try {
            if (first.failure != null) {
                throw first.failure;
            }
            if (first.buffer == null) {
                target.appendNull();
            } else {
                target.append(first.buffer.segment(), 0, first.buffer.size());
            }
        } finally {
            free(first);
        }
    }

    private Fetch start(String path) {
        Fetch fetch = new Fetch();
        if (path == null) {
            fetch.ended = true;
            return fetch;
        }
        fetch.thread = Thread.ofVirtual().name("download " + SecretText.hide(path)).start(() -> {
            IOException failure = null;
            try {
                requireScheme(path);
                Storages.of(path).readWhole(path, bytes -> room(fetch, bytes));
            } catch (IOException e) {
                failure = e;
            } catch (RuntimeException | Error e) {
                failure = new IOException(e.getMessage() == null ? e.toString() : e.getMessage(), e);
            }
            events.add(new Ended(fetch, failure));
        });
        return fetch;
    }

    /// Refuses an address that the options do not allow, before anything is looked at.
    private void requireScheme(String path) throws IOException {
        String scheme = Storages.scheme(path).orElse(LOCAL);
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

    /// On the fetching thread.
    private MemorySegment room(Fetch fetch, long bytes) throws IOException {
        CompletableFuture<MemorySegment> answer = new CompletableFuture<>();
        events.add(new Need(fetch, bytes, answer));
        try {
            return answer.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new ClosedByInterruptException();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private void handle(Event event) {
        switch (event) {
            case Need need -> {
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
        for (Iterator<Need> all = needs.iterator(); all.hasNext(); ) {
            Need need = all.next();
            boolean next = need.fetch == fetches.peekFirst();
            if (next || held + need.bytes <= AHEAD && !allocator.isTight()) {
                all.remove();
                free(need.fetch);
                need.fetch.buffer = allocator.allocate(need.bytes);
                held += need.bytes;
                need.answer.complete(need.fetch.buffer.segment());
            }
        }
    }

    private void free(Fetch fetch) {
        if (fetch.buffer != null) {
            held -= fetch.buffer.size();
            fetch.buffer.release();
            fetch.buffer = null;
        }
    }

    /// Ends those that are on their way.
    @Override
    public void close() {
        fetches.stream().filter(fetch -> !fetch.ended).forEach(fetch -> fetch.thread.interrupt());
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
