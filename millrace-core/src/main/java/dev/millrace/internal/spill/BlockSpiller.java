package dev.millrace.internal.spill;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRelief;
import dev.millrace.settings.SpillSettings;
import dev.millrace.stats.SpillStats;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Decides which of the offered blocks are spilled when the session's memory is full, and writes them. One per session;
/// idle and without cost until then. Thread-safe.
///
/// The threads that need memory spill, up to [#WRITERS] at once, each with another block: compressing keeps a CPU busy.
/// Further threads, and those whose need is covered by what others are already writing if that is much, wait and check
/// again, so that many small requests do not evict many blocks. Its lock is held only for choosing, and nothing is
/// allocated from the session's account, so waiting here cannot deadlock.
public final class BlockSpiller implements MemoryRelief, AutoCloseable {
    /// Memory freed at a time, as a fraction of the limit: choosing inspects every block, so it should not be done for
    /// each KiB.
    private static final int STEPS = 64;

    private static final int WRITERS = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8);
    /// What may be in the process of being spilled beyond the need, as a fraction of the limit.
    private static final int AHEAD = 8;

    private final SpillSettings settings;
    private final Allocator memory;
    private final SpillStore store;
    private final ReentrantLock choosing = new ReentrantLock();
    private final Condition left = choosing.newCondition();
    // Guarded by the lock.
    private final Set<StoredBlock> leaving = new HashSet<>();
    private long leavingBytes;
    /// How many blocks threads are done with.
    private long departures;
    private final Set<StoredBlock> inMemory = ConcurrentHashMap.newKeySet();
    private final AtomicLong clock = new AtomicLong();
    private volatile @Nullable String failure;

    /// @param memory the session's account, whose fullness counts; the caller sets this as its relief
    public BlockSpiller(SpillSettings settings, Allocator memory) {
        this.settings = settings;
        this.memory = memory;
        this.store = new SpillStore(settings, memory);
    }

    boolean isEnabled() {
        return settings.enabled();
    }

    SpillStore store() {
        return store;
    }

    /// The logical time, counted in accessed blocks.
    long tick() {
        return clock.incrementAndGet();
    }

    void add(StoredBlock block) {
        inMemory.add(block);
    }

    void remove(StoredBlock block) {
        inMemory.remove(block);
    }

    /// Also true if another thread takes the freed memory first: there may be more to free.
    @Override
    public boolean relieve(long bytes, long most) {
        if (!settings.enabled() || bytes > memory.limit()) {
            return false;
        }
        long wanted = Math.max(bytes, memory.limit() / STEPS);
        Iterator<SpillVictim> victims = null;
        int done = 0;
        boolean room;
        boolean changed = false;
        String refused = null;
        while (true) {
            room = hasRoom(done == 0 ? bytes : wanted, most);
            if (room) {
                break;
            }
            if (victims == null) {
                victims = victims().iterator();
                changed = false;
            }
            if (!victims.hasNext()) {
                // Blocks that others spilled meanwhile may have been read back.
                if (done > 0 || !awaitOther() && !changed) {
                    break;
                }
                victims = null;
                continue;
            }
            SpillVictim victim = victims.next();
            Claim claim = claim(victim, wanted, most);
            changed |= claim == Claim.ANOTHERS;
            if (claim == Claim.LOOK_AGAIN) {
                victims = null;
            } else if (claim == Claim.MINE) {
                try {
                    boolean gone = victim.block().leave(store);
                    done += gone ? 1 : 0;
                    changed |= !gone;
                } catch (MillraceException e) {
                    // The cap is reached, or the disk is full or broken; a smaller block may still fit. If none does,
                    // the allocating thread gets an error that includes this message.
                    refused = refused == null ? e.getMessage() : refused;
                } finally {
                    unclaim(victim);
                }
            }
        }
        if (victims != null) {
            failure = refused;
        }
        return done > 0 || room;
    }

    private enum Claim {
        MINE,
        ANOTHERS,
        LOOK_AGAIN
    }

    /// Waits if enough is being written already.
    private Claim claim(SpillVictim victim, long wanted, long most) {
        choosing.lock();
        try {
            if (leaving.contains(victim.block())) {
                return Claim.ANOTHERS;
            }
            boolean met = memory.heldBytes() - leavingBytes + wanted <= most;
            boolean much = leavingBytes + victim.bytes() > memory.limit() / AHEAD;
            if (leaving.size() >= WRITERS || met && much && !leaving.isEmpty()) {
                awaitDeparture();
                return Claim.LOOK_AGAIN;
            }
            leaving.add(victim.block());
            leavingBytes += victim.bytes();
            return Claim.MINE;
        } finally {
            choosing.unlock();
        }
    }

    private void unclaim(SpillVictim victim) {
        choosing.lock();
        try {
            leaving.remove(victim.block());
            leavingBytes -= victim.bytes();
            departures++;
            left.signalAll();
        } finally {
            choosing.unlock();
        }
    }

    /// Waits until another thread is done with a block; false if none has one.
    private boolean awaitOther() {
        choosing.lock();
        try {
            if (leaving.isEmpty()) {
                return false;
            }
            awaitDeparture();
            return true;
        } finally {
            choosing.unlock();
        }
    }

    /// Waits, under the lock, until one of the threads that write is done with its block.
    private void awaitDeparture() {
        long before = departures;
        while (departures == before) {
            left.awaitUninterruptibly();
        }
    }

    private boolean hasRoom(long bytes, long most) {
        return memory.heldBytes() + bytes <= most;
    }

    /// The candidates, in the order of eviction.
    private List<SpillVictim> victims() {
        long now = clock.get() + 1;
        return inMemory.stream()
                .map(block -> block.asVictim(now))
                .filter(Objects::nonNull)
                .filter(SpillVictim::isUseful)
                .sorted(SpillVictim.FIRST)
                .toList();
    }

    @Override
    public String state() {
        if (!settings.enabled()) {
            return "Spilling is off.";
        }
        SpillStats stats = store.stats();
        String done = stats.files() == 0
                ? "No materialised block is left to spill."
                : stats.files() + (stats.files() == 1 ? " block" : " blocks") + " on disk (" + stats.diskBytes()
                        + " bytes in " + store.paths() + "); no materialised block is left to spill.";
        return failure == null ? done : failure;
    }

    public SpillStats stats() {
        return store.stats();
    }

    /// Removes all files. Blocks that were not freed before are lost.
    @Override
    public void close() {
        store.close();
    }
}
