package dev.millrace.internal.cluster.shuffle;

import dev.millrace.block.Block;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.wire.ShardFile;
import dev.millrace.internal.runtime.wire.WireMessage;
import dev.millrace.internal.sink.WriteTargets;
import dev.millrace.internal.storage.StorageRegistry;
import dev.millrace.memory.Allocator;
import dev.millrace.sink.WriteJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The driver's side of the files of a session's shuffles: it makes the folder, knows which files are needed, and
/// removes the others. Files are removed on a thread of their own. Thread-safe.
public final class ShuffleFiles implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ShuffleFiles.class.getName());
    private static final String MARK = "seen-by-";
    private static final long MAX_CLOSE_SECONDS = 30;

    private final ShuffleFolder folder;
    private final Set<String> needed = ConcurrentHashMap.newKeySet();
    /// Guarded by itself.
    private final List<String> leaving = new ArrayList<>();

    private final ExecutorService removals = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().name("shuffle-removals").daemon().factory());

    private ShuffleFiles(ShuffleFolder folder) {
        this.folder = folder;
    }

    /// Makes a folder for a session, and removes those of dead ones.
    ///
    /// @param place as the user named it
    /// @throws MillraceException if that is not possible
    public static ShuffleFiles in(String place, boolean compresses) {
        ShuffleFolder folder = ShuffleFolder.of(
                WriteTargets.normalize(place), WriteJob.create(false).id(), compresses);
        folder.target().requireFolder();
        folder.target().prepare(folder.job());
        return new ShuffleFiles(folder);
    }

    /// What workers are told.
    public WireMessage.KeepShuffles message() {
        return new WireMessage.KeepShuffles(folder.folder(), folder.job().id());
    }

    /// The name of a file by which a worker shows that it sees the folder.
    ///
    /// @param worker its number in the session
    public static String mark(int worker) {
        return MARK + worker;
    }

    /// The name of a worker's file.
    public static String name(int worker, long number) {
        return prefix(worker) + Long.toHexString(number) + ".arrow";
    }

    private static String prefix(int worker) {
        return "worker" + worker + "-";
    }

    /// Refuses a worker that does not see this folder, or may not write there.
    ///
    /// @param worker its number in the session
    /// @param problem what it said of the folder; empty if it left its mark there
    public void require(int worker, String node, String problem) {
        String why = problem;
        if (why.isEmpty()) {
            String path = folder.target().path(folder.job(), mark(worker));
            try {
                if (StorageRegistry.of(path).find(path).isPresent()) {
                    folder.target().remove(folder.job(), List.of(mark(worker)));
                    return;
                }
                why = "what it wrote there is not seen by this program";
            } catch (IOException e) {
                why = String.valueOf(e.getMessage());
            }
        }
        throw MillraceException.user("Shuffle data cannot be kept in '" + folder.folder() + "': " + node
                + " cannot use it: " + why + ". It must be one folder for the driver and all workers, at the same path"
                + " (a network file system) or in an object store (s3://), with room, and all must be allowed to write"
                + " there.");
    }

    /// A worker has written a file.
    public void made(ShardFile file) {
        needed.add(file.name());
    }

    /// A file is not needed any more.
    public void remove(ShardFile file) {
        needed.remove(file.name());
        synchronized (leaving) {
            leaving.add(file.name());
            if (leaving.size() > 1) {
                return;
            }
        }
        removals.execute(this::removeAll);
    }

    private void removeAll() {
        List<String> some;
        synchronized (leaving) {
            some = List.copyOf(leaving);
            leaving.clear();
        }
        try {
            folder.target().remove(folder.job(), some);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "Files in '" + folder.folder() + "' could not be removed yet", e);
        }
    }

    /// A worker is lost: files that it began, or that it could not tell of, are removed.
    public void lost(int worker) {
        removals.execute(() -> {
            String all = folder.target().path(folder.job(), "");
            try {
                List<String> left = StorageRegistry.of(all).names(all, Integer.MAX_VALUE).stream()
                        .filter(name -> name.startsWith(prefix(worker)) && !needed.contains(name))
                        .toList();
                folder.target().remove(folder.job(), left);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.DEBUG, "What a lost worker left in '" + all + "' stays for now", e);
            }
        });
    }

    /// Rows of a file, as a block that the caller closes.
    public Block read(ShardFile file, long from, long rows, Allocator account) {
        return folder.read(file, from, rows, account);
    }

    /// Removes the folder with all that is in it. No worker writes any more.
    @Override
    public void close() {
        removals.shutdown();
        try {
            if (!removals.awaitTermination(MAX_CLOSE_SECONDS, TimeUnit.SECONDS)) {
                removals.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        folder.target().discard(folder.job());
    }
}
