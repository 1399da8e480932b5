package dev.millrace.internal.sink;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// Files that a living process holds locked: how others tell a job at work from the leftovers of a dead one. The lock
/// goes with the process, however it ends.
///
/// A process that closes any channel of a file loses its locks on it, so this process never opens a file that it holds:
/// it remembers them. Thread-safe.
public final class JobLock {
    private static final Map<Path, FileChannel> HELD = new HashMap<>();

    private JobLock() {}

    /// Makes a new lock file and holds it. It gets its name when it is locked: nobody sees it otherwise.
    static void create(Path file) throws IOException {
        Path unnamed = file.resolveSibling("." + UUID.randomUUID());
        synchronized (HELD) {
            FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            boolean done = false;
            try {
                channel.lock();
                Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
                HELD.put(file, channel);
                done = true;
            } finally {
                if (!done) {
                    channel.close();
                    Files.deleteIfExists(unnamed);
                }
            }
        }
    }

    /// Holds a lock file, made if it is not there. False if a living process holds it, this one included.
    public static boolean hold(Path file) throws IOException {
        synchronized (HELD) {
            if (HELD.containsKey(file)) {
                return false;
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = null;
            try {
                lock = channel.tryLock();
            } catch (OverlappingFileLockException _) {
                // Held by this process under another path.
            } finally {
                if (lock == null) {
                    channel.close();
                }
            }
            if (lock != null) {
                HELD.put(file, channel);
            }
            return lock != null;
        }
    }

    /// Lets go of a lock file; nothing happens if it is not held.
    public static void release(Path file) throws IOException {
        synchronized (HELD) {
            FileChannel channel = HELD.remove(file);
            if (channel != null) {
                channel.close();
            }
        }
    }
}
