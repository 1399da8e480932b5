package dev.millrace.internal.commit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Syncs files and folders to disk, many at once: a file system syncs many together for about the price of a few.
final class FileSync {
    private static final int MAX_AT_ONCE = 16;

    private FileSync() {}

    /// @throws IOException for a file that does not exist or cannot be written to the disk
    static void files(Collection<Path> files) throws IOException {
        all(files, file -> {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        });
    }

    /// Makes renames in folders durable, if the system supports that.
    static void folders(Collection<Path> folders) throws IOException {
        all(folders, FolderTrees::force);
    }

    private interface Sync {
        void of(Path path) throws IOException;
    }

    private static void all(Collection<Path> paths, Sync sync) throws IOException {
        if (paths.size() <= 1) {
            for (Path path : paths) {
                sync.of(path);
            }
            return;
        }
        int threads = Math.min(MAX_AT_ONCE, paths.size());
        try (ExecutorService workers = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().name("millrace-sync-", 0).factory())) {
            List<Future<?>> syncs = new ArrayList<>();
            for (Path path : paths) {
                Callable<Void> one = () -> {
                    sync.of(path);
                    return null;
                };
                syncs.add(workers.submit(one));
            }
            await(syncs);
        }
    }

    /// Waits to the end, also on an interrupted thread: a commit must not be left in the middle.
    private static void await(List<Future<?>> syncs) throws IOException {
        boolean interrupted = false;
        try {
            for (int i = 0; i < syncs.size(); ) {
                try {
                    syncs.get(i).get();
                    i++;
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
