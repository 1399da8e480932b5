package dev.millrace.internal.spill;

import dev.millrace.MaterializedDataset;
import dev.millrace.Session;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.settings.ResourceLimits;
import dev.millrace.settings.SpillSettings;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/// The other process of [SpillEndIT] and [FullDiskIT].
final class SpillJob {
    private static final long LIMIT = 32L << 20;
    private static final long ROWS = 100L << 20 >> 3;

    private SpillJob() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        Session session = Session.builder()
                .limits(ResourceLimits.DEFAULT.withSlots(4).withMemory(LIMIT))
                .blocks(BlockSettings.DEFAULT.withTargetBytes(1 << 20))
                .progress(ProgressSettings.OFF)
                .spill(SpillSettings.DEFAULT.withDirectories(folder.toString()).withCapBytes(1L << 40))
                .open();
        switch (arguments[0]) {
            case "exit" -> {
                spillForever(session);
                System.exit(0);
            }
            case "wait" -> {
                spillForever(session);
                Thread.sleep(60_000);
            }
            case "full" -> full(session, folder);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /// Begins to spill, and goes on with it; returns when there are files.
    private static void spillForever(Session session) throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread work = new Thread(() -> {
            while (true) {
                session.range(ROWS).materialize().close();
            }
        });
        work.setDaemon(true);
        // Expected when the process ends.
        work.setUncaughtExceptionHandler((_, e) -> failure.set(e));
        work.start();
        while (session.spillStats().files() < 5) {
            if (failure.get() != null) {
                throw new IllegalStateException("nothing is spilled any more", failure.get());
            }
            Thread.sleep(1);
        }
        System.out.println("spilled");
    }

    /// In a folder that has no room for what is to be kept.
    private static void full(Session session, Path folder) throws IOException {
        try (session) {
            try (MaterializedDataset all = session.range(ROWS * 2).materialize()) {
                System.out.println("no error with " + all.count() + " rows");
            } catch (RuntimeException e) {
                System.out.println("error " + e.getMessage());
            }
            System.out.println("files " + session.spillStats().files());
            try (MaterializedDataset some = session.range(ROWS / 3).materialize()) {
                FileStore store = Files.getFileStore(folder);
                Path filler = folder.resolve("filler");
                if (store.getUsableSpace() < 64 << 20) {
                    Files.write(filler, new byte[(int) store.getUsableSpace()]);
                }
                // Nothing can be spilled now: a stream has to do with the memory that is left.
                System.out.println("stream " + session.range(ROWS).sum("id"));
                System.out.println("kept " + some.sum("id"));
                Files.deleteIfExists(filler);
            }
            System.out.println("held " + session.allocator().heldBytes());
        }
    }

    static long sumOfStream() {
        return sum(ROWS);
    }

    static long sumOfKept() {
        return sum(ROWS / 3);
    }

    private static long sum(long rows) {
        return rows * (rows - 1) / 2;
    }
}
