package dev.millrace.internal.spill;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// A session's own folder `millrace-spill-<pid>-<random>` in a directory for temporary files, readable only by its
/// user.
///
/// Beside it is a file of the same name and `.lock`, locked from before the folder exists until after it is removed: a
/// folder whose lock can be acquired belongs to a dead session, and the next session removes it.
final class SpillDirectory implements AutoCloseable {
    static final String PREFIX = "millrace-spill-";
    private static final String LOCK = ".lock";
    private static final int MAX_ATTEMPTS = 20;
    private static final System.Logger LOG = System.getLogger(SpillDirectory.class.getName());

    /// The folders of this process. Their locks are never tried: closing a second channel of a locked file would end
    /// the process's lock on it (POSIX).
    private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel lock;
    private final FileStore disk;

    private SpillDirectory(Path path, FileChannel lock, FileStore disk) {
        this.path = path;
        this.lock = lock;
        this.disk = disk;
    }

    /// Creates a folder in `place`, which is created if it does not exist, and removes those of dead sessions.
    static SpillDirectory in(Path place) {
        try {
            Files.createDirectories(place);
            Path parent = place.toRealPath();
            String random = UUID.randomUUID().toString().substring(0, 8);
            Path path = parent.resolve(PREFIX + ProcessHandle.current().pid() + "-" + random);
            OWN.add(path);
            SpillDirectory directory = create(path);
            removeDead(parent);
            return directory;
        } catch (IOException e) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    "The spill directory " + place + " cannot be used: " + e + ". Choose another one in SpillSettings.",
                    e);
        }
    }

    private static SpillDirectory create(Path path) throws IOException {
        FileChannel lock = null;
        try {
            lock = FileChannel.open(lockOf(path), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            if (lock.tryLock() == null) {
                throw new IOException(lockOf(path) + " is locked by another process");
            }
            boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
            Files.createDirectory(
                    path,
                    posix
                            ? new FileAttribute<?>[] {
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
                            }
                            : new FileAttribute<?>[0]);
            return new SpillDirectory(path, lock, Files.getFileStore(path));
        } catch (IOException | RuntimeException e) {
            if (lock != null) {
                lock.close();
                Files.deleteIfExists(lockOf(path));
            }
            OWN.remove(path);
            throw e;
        }
    }

    private static Path lockOf(Path path) {
        return path.resolveSibling(path.getFileName() + LOCK);
    }

    private static void removeDead(Path parent) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, PREFIX + "*")) {
            for (Path sibling : found) {
                if (!OWN.contains(sibling) && Files.isDirectory(sibling, LinkOption.NOFOLLOW_LINKS)) {
                    removeIfDead(sibling);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.log(System.Logger.Level.DEBUG, "spill folders in " + parent + " could not be listed", e);
        }
    }

    /// A folder without a lock file stays: it is unknown whether its session lives.
    private static void removeIfDead(Path path) {
        try (FileChannel channel = FileChannel.open(lockOf(path), StandardOpenOption.WRITE);
                FileLock had = channel.tryLock()) {
            if (had != null) {
                deleteAll(path);
                Files.deleteIfExists(lockOf(path));
            }
        } catch (IOException | OverlappingFileLockException e) {
            // Another user's, or one that another session is removing right now.
            LOG.log(System.Logger.Level.DEBUG, "the spill folder " + path + " was left alone", e);
        }
    }

    private static void deleteAll(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        for (int attempt = 1; ; attempt++) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
                for (Path file : files) {
                    Files.deleteIfExists(file);
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            try {
                Files.deleteIfExists(path);
                return;
            } catch (DirectoryNotEmptyException e) {
                // A block was being written there, as happens when a process ends in the middle of its work.
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    Path path() {
        return path;
    }

    /// Bytes that this user may still write there.
    long free() {
        try {
            return disk.getUsableSpace();
        } catch (IOException e) {
            return 0;
        }
    }

    /// Bytes free in all of them, each disk counted once.
    static long freeTogether(List<SpillDirectory> directories) {
        Map<FileStore, Long> disks = new HashMap<>();
        for (SpillDirectory directory : directories) {
            disks.put(directory.disk, directory.free());
        }
        return disks.values().stream().mapToLong(Long::longValue).sum();
    }

    /// Removes the folder with all that is in it.
    @Override
    public void close() {
        try (lock) {
            deleteAll(path);
            Files.deleteIfExists(lockOf(path));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "the spill folder " + path + " could not be removed", e);
        } finally {
            OWN.remove(path);
        }
    }
}
