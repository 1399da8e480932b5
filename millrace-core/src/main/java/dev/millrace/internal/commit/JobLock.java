package dev.millrace.internal.commit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Files that a living process holds locked: they distinguish a running job from the leftovers of a dead one. The lock
/// ends with the process, however it ends.
///
/// A process that closes any channel of a file loses its locks on it, so this process never opens a file that it holds:
/// it records them, by path and, since one file may have several, by the file system's own key. Thread-safe.
public final class JobLock {
    private static final Map<Path, LockedFile> HELD = new HashMap<>();

    /// The key of files if the file system has none.
    private static final Object UNKNOWN = new Object();

    private record LockedFile(FileChannel channel, Object key) {}

    private JobLock() {}

    /// Creates a new lock file and holds it. It gets its name when it is locked: it is never visible unlocked.
    public static void create(Path file) throws IOException {
        Path unnamed = file.resolveSibling("." + UUID.randomUUID());
        synchronized (HELD) {
            FileChannel channel = FileChannel.open(unnamed, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            boolean done = false;
            try {
                channel.lock();
                Files.move(unnamed, file, StandardCopyOption.ATOMIC_MOVE);
                HELD.put(file, new LockedFile(channel, Objects.requireNonNullElse(keyOf(file), UNKNOWN)));
                done = true;
            } finally {
                if (!done) {
                    channel.close();
                    Files.deleteIfExists(unnamed);
                }
            }
        }
    }

    /// Holds a lock file, which is created if it does not exist. False if a living process holds it, including this
    /// one.
    public static boolean hold(Path file) throws IOException {
        synchronized (HELD) {
            Object key = keyOf(file);
            if (HELD.containsKey(file)
                    || !UNKNOWN.equals(key) && HELD.values().stream().anyMatch(held -> held.key.equals(key))) {
                return false;
            }
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = null;
            try {
                lock = channel.tryLock();
            } catch (OverlappingFileLockException _) {
                // Held by this process under another path, if files have no keys.
            } finally {
                if (lock == null) {
                    channel.close();
                }
            }
            if (lock != null) {
                HELD.put(file, new LockedFile(channel, Objects.requireNonNullElse(keyOf(file), UNKNOWN)));
            }
            return lock != null;
        }
    }

    /// Releases a lock file; does nothing if it is not held.
    public static void release(Path file) throws IOException {
        synchronized (HELD) {
            LockedFile held = HELD.remove(file);
            if (held != null) {
                held.channel.close();
            }
        }
    }

    /// Identifies a file independently of its name; the same for all if the file system has no keys, and null if there
    /// is no such file.
    static @Nullable Object keyOf(Path file) throws IOException {
        try {
            Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            return key == null ? UNKNOWN : key;
        } catch (NoSuchFileException _) {
            return null;
        }
    }
}
