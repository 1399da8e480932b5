package dev.millrace.internal.parquet.read;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.thread.CallerStack;
import dev.millrace.memory.Allocator;
import dev.millrace.storage.StoredFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// Reads footers outside of tasks.
final class FooterLoader {
    private static final FooterCache KNOWN = new FooterCache(32_768);

    private static final int MAX_AT_ONCE = 16;

    private FooterLoader() {}

    static FileFooter read(StoredFile file) {
        return KNOWN.get(file, () -> readNow(file));
    }

    private static FileFooter readNow(StoredFile file) {
        return ParquetReader.guarded(file.path(), () -> {
            try (FileBytes bytes = FileBytes.open(file, Allocator.collected("the footer of " + file.path()))) {
                return FileFooter.read(bytes);
            }
        });
    }

    /// Reads footers concurrently, because each takes a while if files are remote. The footer of a broken file is null.
    ///
    /// @throws MillraceException the error of the first file, if all are broken
    static List<@Nullable FileFooter> read(List<StoredFile> files) {
        if (files.size() == 1) {
            return List.of(read(files.getFirst()));
        }
        List<@Nullable FileFooter> footers = new ArrayList<>();
        MillraceException broken = null;
        try (ExecutorService threads = Executors.newFixedThreadPool(
                Math.min(files.size(), MAX_AT_ONCE),
                Thread.ofVirtual().name("footers-", 0).factory())) {
            List<Future<FileFooter>> all = new ArrayList<>();
            files.forEach(file -> all.add(threads.submit(() -> read(file))));
            for (Future<FileFooter> one : all) {
                try {
                    footers.add(one.get());
                } catch (ExecutionException e) {
                    broken = broken == null ? data(Objects.requireNonNullElse(e.getCause(), e)) : broken;
                    footers.add(null);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MillraceException(Culprit.RESOURCES, "The reading of footers was interrupted.", e);
        }
        if (broken != null && footers.stream().allMatch(Objects::isNull)) {
            throw CallerStack.of(broken);
        }
        return footers;
    }

    /// The error of a broken file; any other failure is thrown.
    private static MillraceException data(Throwable cause) {
        return switch (cause) {
            case MillraceException e when e.culprit() == Culprit.DATA -> e;
            case MillraceException e -> throw CallerStack.of(e);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(cause);
        };
    }
}
