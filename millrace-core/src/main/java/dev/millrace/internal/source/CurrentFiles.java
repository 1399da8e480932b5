package dev.millrace.internal.source;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.internal.thread.CallerStack;
import dev.millrace.storage.StoredFile;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Files as they are now, each with the version that a run reads. Remote storages are queried for several files
/// concurrently, ahead of the consumer.
final class CurrentFiles implements Iterator<StoredFile> {
    private static final int MAX_AHEAD = 16;

    private final Iterator<StoredFile> files;
    private final ArrayDeque<FutureTask<StoredFile>> asked = new ArrayDeque<>();

    CurrentFiles(Iterator<StoredFile> files) {
        this.files = files;
    }

    /// Whether the version requires a request over a network.
    static boolean isFar(String path) {
        return StorageRegistry.scheme(path)
                .filter(scheme -> !scheme.equals("file"))
                .isPresent();
    }

    @Override
    public boolean hasNext() {
        return !asked.isEmpty() || files.hasNext();
    }

    @Override
    public StoredFile next() {
        while (asked.size() < MAX_AHEAD && files.hasNext()) {
            ask(files.next());
        }
        FutureTask<StoredFile> first = asked.poll();
        if (first == null) {
            throw new NoSuchElementException();
        }
        // A query that was not started is for a local file.
        first.run();
        try {
            return first.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MillraceException(Culprit.RESOURCES, "The listing of files was interrupted.", e);
        } catch (ExecutionException e) {
            throw switch (Objects.requireNonNullElse(e.getCause(), e)) {
                case MillraceException told -> CallerStack.of(told);
                case RuntimeException other -> other;
                case Throwable other -> new IllegalStateException(other);
            };
        }
    }

    private void ask(StoredFile file) {
        FutureTask<StoredFile> task =
                new FutureTask<>(() -> StorageRegistry.of(file.path()).current(file));
        asked.add(task);
        if (isFar(file.path()) && file.version() == null) {
            Thread.ofVirtual().name("file-versions").start(task);
        }
    }
}
