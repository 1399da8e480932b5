package dev.millrace.internal.spill;

import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.MemoryRelief;
import dev.millrace.settings.SpillSettings;
import dev.millrace.stats.SpillStats;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/// Decides which of the blocks that were offered leave memory when the session's is full, and has them written. One per
/// session; idle and free of cost until then. Thread-safe.
///
/// One thread makes room at a time, the one that needs it; others that need some wait for it and look again, so that
/// many small needs do not drive out many blocks. It takes no lock but the blocks' own, which are held for a moment,
/// and allocates nothing of the session's, so whoever waits here is waited for by nobody.
public final class BlockSpiller implements MemoryRelief, AutoCloseable {
    /// Room made at a time, as a part of the limit: choosing looks at every block, so it should not be done for each
    /// KiB.
    private static final int STEPS = 64;

    private final SpillSettings settings;
    private final Allocator memory;
    private final SpillStore store;
    private final ReentrantLock relieving = new ReentrantLock();
    private final Set<StoredBlock> inMemory = ConcurrentHashMap.newKeySet();
    private final AtomicLong clock = new AtomicLong();
    private volatile String failure;

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

    /// The time, in blocks that were needed.
    long tick() {
        return clock.incrementAndGet();
    }

    void add(StoredBlock block) {
        inMemory.add(block);
    }

    void remove(StoredBlock block) {
        inMemory.remove(block);
    }

    @Override
    public boolean relieve(long bytes, long most) {
        if (!settings.enabled() || bytes > memory.limit()) {
            return false;
        }
        relieving.lock();
        try {
            if (hasRoom(bytes, most)) {
                return true;
            }
            // True even when another thread was faster to take the room: there may be more to make.
            return driveOut(Math.max(bytes, memory.limit() / STEPS), most) > 0 || hasRoom(bytes, most);
        } finally {
            relieving.unlock();
        }
    }

    /// Has blocks leave until there is room for `wanted` bytes; answers how many did.
    private int driveOut(long wanted, long most) {
        int left = 0;
        String refused = null;
        for (Victim victim : victims()) {
            try {
                victim.block().leave(store);
                left++;
            } catch (MillraceException e) {
                // The cap is reached, or the disk is full or broken; a smaller block may still fit. If none does,
                // whoever allocates gets an error, which tells this too.
                refused = refused == null ? e.getMessage() : refused;
            }
            if (hasRoom(wanted, most)) {
                break;
            }
        }
        failure = refused;
        return left;
    }

    private boolean hasRoom(long bytes, long most) {
        return memory.heldBytes() + bytes <= most;
    }

    /// Who may leave, the first to go first.
    private List<Victim> victims() {
        long now = clock.get() + 1;
        return inMemory.stream()
                .map(block -> block.asVictim(now))
                .filter(Objects::nonNull)
                .filter(Victim::isUseful)
                .sorted(Victim.FIRST)
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
