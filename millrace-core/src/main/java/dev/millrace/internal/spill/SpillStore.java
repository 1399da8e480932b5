package dev.millrace.internal.spill;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.arrow.BlockWriter;
import dev.millrace.internal.arrow.CheckedFile;
import dev.millrace.internal.arrow.FileDecoder;
import dev.millrace.internal.arrow.PieceScratch;
import dev.millrace.internal.arrow.PieceTarget;
import dev.millrace.internal.arrow.RegionScratch;
import dev.millrace.internal.buffer.ResourceScope;
import dev.millrace.internal.flight.SpillFlightEvent;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.SpillSettings;
import dev.millrace.stats.SpillStats;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The spill files of a session: one Arrow IPC file per block, on several disks round-robin, below a cap. Neither
/// folder nor account nor shutdown hook is created before the first block is written. Thread-safe.
///
/// Compressed buffers are written through a [PieceScratch] per writing thread, less than a MiB whatever the block;
/// uncompressed ones are written from the block's own memory. What is read back is verified by its checksums, and is
/// charged to a child of the session's account, whether it is decompressed there or mapped.
///
/// Threads are interrupted when tasks are cancelled, and an interrupt closes the channel that its thread uses. A block
/// that is written may not belong to that task, so the work is repeated and the interrupt restored afterwards.
///
/// Files are deleted by a thread of their own; a writer that finds the cap reached or the disks full waits for it
/// first.
final class SpillStore implements AutoCloseable {
    /// Of all threads that write at once.
    private static final long SCRATCH_LIMIT = 64L << 20;
    /// The number of readers whose buffers, a MiB of the heap each, are kept for reuse.
    private static final int KEPT_REGIONS = 16;
    /// The approximate size of schema, footer and padding of a file.
    private static final long FILE_OVERHEAD = 8 << 10;

    private static final long REFUSED_NANOS = 100_000_000;

    /// A block of `need` bytes did not fit on any disk.
    private record Refusal(long need, long since, String message) {}

    private final SpillSettings settings;
    private final Allocator memory;
    private final SpillDeletions deletions;
    private final AtomicLong names = new AtomicLong();
    private final LongAdder spilledBlocks = new LongAdder();
    private final LongAdder spilledBytes = new LongAdder();
    private final LongAdder writtenBytes = new LongAdder();
    private final LongAdder readBlocks = new LongAdder();
    private final LongAdder readBytes = new LongAdder();
    private final LongAdder writeNanos = new LongAdder();
    private final LongAdder readNanos = new LongAdder();

    private volatile @Nullable Refusal refused;

    // Guarded by this; the lists and accounts are created once.
    private @Nullable List<SpillDirectory> directories;
    private @Nullable Allocator scratch;
    private final Deque<PieceScratch> idle = new ArrayDeque<>();
    private final Deque<RegionScratch> idleRegions = new ArrayDeque<>();
    private @Nullable Allocator readBack;
    private @Nullable Thread cleanup;
    private long cap;
    private long used;
    private long files;
    /// How many of these bytes are being deleted.
    private long leavingBytes;

    private long leaving;
    private int turn;
    private boolean closed;
    private boolean ending;

    /// @param memory the session's account
    public SpillStore(SpillSettings settings, Allocator memory) {
        this(settings, memory, SpillStore::deleteQuietly);
    }

    /// @param deleting removes a file, on the deletion thread
    SpillStore(SpillSettings settings, Allocator memory, Consumer<Path> deleting) {
        this.settings = settings;
        this.memory = memory;
        this.deletions = new SpillDeletions(file -> {
            deleting.accept(file.path());
            deleted(file);
        });
    }

    /// Writes a block, of which the caller keeps ownership. Allocates nothing from the session's account.
    ///
    /// @throws MillraceException culprit RESOURCES, when the cap is reached or the disks are full or fail
    SpillFile write(Block block) {
        SpillFlightEvent flight = new SpillFlightEvent();
        flight.begin();
        long began = System.nanoTime();
        long bytes = block.sizeBytes();
        long need = bytes + FILE_OVERHEAD;
        requireNotRefused(need);
        awaitRoom(need);
        List<SpillDirectory> places = reserve(need);
        SpillFile file = null;
        try {
            while (file == null) {
                file = shielded(() -> writeToAny(block, bytes, need, places));
            }
        } finally {
            settle(need, file);
        }
        spilledBlocks.increment();
        spilledBytes.add(bytes);
        writtenBytes.add(file.fileBytes());
        writeNanos.add(System.nanoTime() - began);
        if (flight.shouldCommit()) {
            flight.rows = block.rows();
            flight.bytes = bytes;
            flight.written = file.fileBytes();
            flight.commit();
        }
        return file;
    }

    /// Null if no disk had room before the deletions in progress.
    private @Nullable SpillFile writeToAny(Block block, long bytes, long need, List<SpillDirectory> places) {
        MillraceException failure = null;
        for (SpillDirectory place : places) {
            long free = place.free();
            if (free < need) {
                failure = refused(place, need, free + " bytes are free there", null);
                continue;
            }
            Path path = place.path().resolve("block-" + names.incrementAndGet() + ".arrow");
            try {
                return writeTo(path, block, bytes);
            } catch (MillraceException e) {
                deleteQuietly(path);
                if (!(e.getCause() instanceof IOException cause) || cause instanceof ClosedByInterruptException) {
                    throw e;
                }
                failure = refused(place, need, cause.getMessage() + ", " + place.free() + " bytes are free there", e);
            } catch (RuntimeException | Error e) {
                deleteQuietly(path);
                throw e;
            }
        }
        if (deletions.await()) {
            return null;
        }
        MillraceException last = Objects.requireNonNull(failure, "there is at least one place");
        refused = new Refusal(need, System.nanoTime(), last.getMessage());
        throw last;
    }

    /// Waits until there is room below the cap, which may need the end of deletions in progress.
    private void awaitRoom(long need) {
        boolean full;
        synchronized (this) {
            full = directories != null && used + need > cap;
        }
        if (full) {
            deletions.await();
        }
    }

    /// A full disk is not tried again at once: threads that wait for memory would try for every block, over and over.
    private void requireNotRefused(long need) {
        Refusal last = refused;
        if (last != null && need >= last.need() && System.nanoTime() - last.since() < REFUSED_NANOS) {
            throw MillraceException.resources(last.message());
        }
    }

    private SpillFile writeTo(Path path, Block block, long bytes) {
        PieceScratch pieces = takeScratch();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            PieceTarget target = new PieceTarget(channel, pieces);
            // Nothing of a single block needs more memory except, in theory, indices into several dictionaries.
            Allocator rare = Allocator.collected("spill scratch");
            BlockWriter writer = new BlockWriter(target, block.schema(), settings.compression(), rare, true);
            try (writer) {
                writer.write(block);
            }
            return new SpillFile(path, writer.bytesWritten(), bytes, block.rows(), block.schema(), target.checksums());
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, path + " could not be written: " + e, e);
        } finally {
            giveScratch(pieces);
        }
    }

    /// The process ends, perhaps in the middle of a run: nothing new is begun, so that removed files stay removed.
    private void removeAtExit() {
        List<SpillDirectory> made;
        synchronized (this) {
            ending = true;
            made = directories;
        }
        if (made != null) {
            made.forEach(SpillDirectory::close);
        }
    }

    private synchronized PieceScratch takeScratch() {
        if (scratch == null) {
            scratch = Allocator.root("spill scratch", SCRATCH_LIMIT);
        }
        return idle.isEmpty() ? new PieceScratch(scratch) : idle.pop();
    }

    private synchronized void giveScratch(PieceScratch pieces) {
        if (closed) {
            pieces.close();
        } else {
            idle.push(pieces);
        }
    }

    private MillraceException refused(SpillDirectory place, long need, String reason, @Nullable Throwable cause) {
        long now;
        synchronized (this) {
            now = used - need;
        }
        return new MillraceException(
                Culprit.RESOURCES,
                "A block of " + need + " bytes cannot be spilled to " + place.path() + ": " + reason + " (" + now
                        + " of at most " + cap + " bytes are spilled). Free disk space, or name more directories in"
                        + " SpillSettings.",
                cause);
    }

    /// Reserves `need` bytes and returns the directories to try, round-robin.
    private synchronized List<SpillDirectory> reserve(long need) {
        List<SpillDirectory> directories = start();
        if (used + need > cap) {
            throw MillraceException.resources("A block of " + need + " bytes cannot be spilled to "
                    + String.join(
                            ", ",
                            directories.stream().map(d -> d.path().toString()).toList())
                    + ": " + used + " of at most " + cap
                    + " bytes are spilled. Raise the cap in SpillSettings, or the memory limit.");
        }
        used += need;
        List<SpillDirectory> places = new ArrayList<>();
        for (int i = 0; i < directories.size(); i++) {
            places.add(directories.get((turn + i) % directories.size()));
        }
        turn = (turn + 1) % directories.size();
        return places;
    }

    /// Replaces the reservation by the actual size of the file.
    private synchronized void settle(long reserved, @Nullable SpillFile file) {
        used -= reserved;
        if (file != null) {
            used += file.fileBytes();
            files++;
        }
    }

    private List<SpillDirectory> start() {
        if (closed || ending) {
            throw MillraceException.user(
                    (closed ? "The session is closed" : "The process ends") + ": nothing can be spilled any more.");
        }
        if (directories != null) {
            return directories;
        }
        List<String> places = settings.directories().isEmpty()
                ? List.of(System.getProperty("java.io.tmpdir"))
                : settings.directories();
        List<SpillDirectory> made = new ArrayList<>();
        try (ResourceScope scope = new ResourceScope()) {
            for (String place : places) {
                made.add(scope.add(shielded(() -> SpillDirectory.in(Path.of(place)))));
            }
            cap = settings.capBytes() != null ? settings.capBytes() : SpillDirectory.freeTogether(made) / 10 * 9;
            scope.keep();
        }
        directories = made;
        cleanup = new Thread(this::removeAtExit, "millrace-spill-cleanup");
        Runtime.getRuntime().addShutdownHook(cleanup);
        return made;
    }

    private synchronized Allocator readBackAccount() {
        if (readBack == null) {
            readBack = memory.child("blocks read back from disk");
        }
        return readBack;
    }

    /// The block of a file, which the caller closes. It stays valid when the file is deleted.
    ///
    /// @throws MillraceException culprit RESOURCES, when memory is full or the file is not what was written
    Block read(SpillFile file) {
        long began = System.nanoTime();
        Allocator account = readBackAccount();
        RegionScratch regions = takeRegions();
        Block block;
        try {
            block = shielded(() -> read(file, account, regions));
        } catch (MillraceException e) {
            if (e.culprit() != Culprit.DATA && !(e.getCause() instanceof IOException)) {
                throw e;
            }
            throw unreadable(file, e.getCause() instanceof IOException io ? io.toString() : e.getMessage(), e);
        } finally {
            giveRegions(regions);
        }
        readBlocks.increment();
        readBytes.add(file.blockBytes());
        readNanos.add(System.nanoTime() - began);
        return block;
    }

    private synchronized RegionScratch takeRegions() {
        return idleRegions.isEmpty() ? new RegionScratch() : idleRegions.pop();
    }

    private synchronized void giveRegions(RegionScratch regions) {
        if (idleRegions.size() < KEPT_REGIONS) {
            idleRegions.push(regions);
        }
    }

    private static Block read(SpillFile file, Allocator account, RegionScratch regions) {
        requireWhole(file);
        List<Block> parts = new ArrayList<>();
        try (CheckedFile checked = CheckedFile.open(file.path(), file.checksums(), account, regions);
                FileDecoder decoder = checked.decoder()) {
            for (int i = 0; i < decoder.batches(); i++) {
                parts.add(decoder.read(i, null));
            }
            // One batch, unless offsets had to be narrowed (see IpcWriter).
            return parts.size() == 1 ? parts.removeFirst() : Blocks.concatenate(account, parts);
        } finally {
            parts.forEach(Block::close);
        }
    }

    /// Reading beyond the end of a truncated mapped file is a fault of the JVM, not an exception with a sentence.
    private static void requireWhole(SpillFile file) {
        try {
            long size = Files.size(file.path());
            if (size != file.fileBytes()) {
                throw MillraceException.data("it has " + size + " bytes and had " + file.fileBytes());
            }
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, e.toString(), e);
        }
    }

    private static MillraceException unreadable(SpillFile file, String reason, Throwable cause) {
        return new MillraceException(
                Culprit.RESOURCES,
                "The spill file " + file.path() + " with " + file.rows() + " rows of a materialised dataset cannot be"
                        + " read: " + reason + ". Something removed or changed it. Materialise the dataset again.",
                cause);
    }

    /// Deletes a file that [#write] made, soon; once.
    void delete(SpillFile file) {
        synchronized (this) {
            leavingBytes += file.fileBytes();
            leaving++;
        }
        deletions.add(file);
    }

    /// Waits for the files that are being deleted.
    void awaitDeleted() {
        deletions.await();
    }

    private void deleted(SpillFile file) {
        refused = null;
        synchronized (this) {
            used -= file.fileBytes();
            files--;
            leavingBytes -= file.fileBytes();
            leaving--;
        }
    }

    private static void deleteQuietly(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // It is deleted with its folder.
        }
    }

    /// Repeats `work` when an interrupt closed its channel; the interrupt is restored afterwards.
    private static <T> T shielded(Supplier<T> work) {
        boolean interrupted = false;
        try {
            while (true) {
                interrupted |= Thread.interrupted();
                try {
                    return work.get();
                } catch (MillraceException e) {
                    if (!(e.getCause() instanceof ClosedByInterruptException)) {
                        throw e;
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Files in deletion are not included.
    public synchronized SpillStats stats() {
        return new SpillStats(
                spilledBlocks.sum(),
                spilledBytes.sum(),
                writtenBytes.sum(),
                readBlocks.sum(),
                readBytes.sum(),
                files - leaving,
                used - leavingBytes,
                Duration.ofNanos(writeNanos.sum()),
                Duration.ofNanos(readNanos.sum()));
    }

    /// The folders in use; empty before the first spill.
    synchronized List<Path> paths() {
        return directories == null
                ? List.of()
                : directories.stream().map(SpillDirectory::path).toList();
    }

    /// Removes every file and folder. Blocks that were read stay valid.
    @Override
    public void close() {
        deletions.close();
        removeAll();
    }

    private synchronized void removeAll() {
        if (closed) {
            return;
        }
        closed = true;
        if (directories != null) {
            directories.forEach(SpillDirectory::close);
            try {
                Runtime.getRuntime().removeShutdownHook(cleanup);
            } catch (IllegalStateException e) {
                // The JVM is going down: the hook finds nothing left to do.
            }
        }
        idle.forEach(PieceScratch::close);
        idle.clear();
        Allocator copies = readBack;
        Allocator compressed = scratch;
        try (copies;
                compressed) {
            // Both, whatever the other throws.
        }
    }
}
