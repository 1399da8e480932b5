package dev.millrace.internal.spill;

import dev.millrace.block.Block;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import dev.millrace.memory.MemoryTurn;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A block of a store: in memory, in a file, or in both; until it is freed. It is created in memory and stays there
/// unless [#offerTo] passes it to a spiller.
///
/// `this` guards all fields, only for the duration of a pointer swap: nothing is written, read or allocated under it.
/// Reads continue while a block is being written, because readers and writers hold their own references to the memory.
/// One reader reads a block back while others wait for the result; its allocation may trigger relief, which never waits
/// for that.
public final class StoredBlock {
    private @Nullable Block block;
    private @Nullable SpillFile file;
    private @Nullable BlockSpiller spiller;
    private long lastNeeded;
    private boolean freed;
    /// Completed when the reader that reads it back has ended; null when there is none.
    private @Nullable CompletableFuture<Void> reading;

    /// @param block owned from here
    public StoredBlock(Block block) {
        this.block = block;
    }

    /// From here on the block may be spilled when memory is short.
    public void offerTo(BlockSpiller offered) {
        synchronized (this) {
            if (freed || spiller != null || !offered.isEnabled()) {
                return;
            }
            spiller = offered;
            lastNeeded = offered.tick();
            offered.add(this);
        }
    }

    /// Some rows, as a block that the caller closes. Read back from disk if necessary; then it stays in memory until
    /// that is needed, unless it is a view of the mapped file.
    public Block rows(long from, long count) {
        while (true) {
            CompletableFuture<Void> done;
            SpillFile there;
            synchronized (this) {
                if (block != null) {
                    return part(from, count);
                }
                requireNotFreed();
                there = reading == null ? file : null;
                reading = reading == null ? new CompletableFuture<>() : reading;
                done = reading;
            }
            if (there == null) {
                awaitReader(done);
                continue;
            }
            try {
                return read(there, from, count);
            } finally {
                synchronized (this) {
                    reading = null;
                }
                done.complete(null);
            }
        }
    }

    private Block read(SpillFile there, long from, long count) {
        BlockSpiller spiller = spiller();
        Block read = spiller.store().read(there);
        if (read.heldBytes() == 0) {
            return view(read, from, count);
        }
        synchronized (this) {
            if (freed) {
                return view(read, from, count);
            }
            block = read;
            spiller.add(this);
            return part(from, count);
        }
    }

    /// The reader may itself wait for memory, so this task must not count as one that will release some, and may be
    /// preempted.
    private static void awaitReader(CompletableFuture<Void> done) {
        MemoryTurn turn = MemoryTurn.ofThread();
        CompletableFuture<Void> asked = new CompletableFuture<>();
        if (turn != null) {
            turn.pauseForOther(() -> asked.complete(null));
        }
        try {
            CompletableFuture.anyOf(done, asked).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MillraceException(
                    Culprit.RESOURCES, "A task was interrupted while another read a block that it needs.", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            if (turn != null) {
                turn.resumeAfterOther();
            }
        }
        if (asked.isDone() && !done.isDone()) {
            throw Objects.requireNonNull(turn, "only a turn asks").yields();
        }
    }

    private Block part(long from, long count) {
        if (spiller != null) {
            lastNeeded = spiller.tick();
        }
        Block held = Objects.requireNonNull(block, "the block is in memory");
        return from == 0 && count == held.rows() ? held.retain() : held.slice(from, count);
    }

    private static Block view(Block read, long from, long count) {
        if (from == 0 && count == read.rows()) {
            return read;
        }
        try (read) {
            return read.slice(from, count);
        }
    }

    private BlockSpiller spiller() {
        return Objects.requireNonNull(spiller, "only a block that was offered to a spiller is spilled");
    }

    private void requireNotFreed() {
        if (freed) {
            throw MillraceException.internal("a block was asked for after its release");
        }
    }

    /// Moves the charge for bytes in memory to another account.
    public void moveTo(Allocator account) {
        synchronized (this) {
            if (block != null) {
                block.transferTo(account);
            }
        }
    }

    /// Gives up the memory; writes the block first if it has no file. Called by one thread at a time, see
    /// [BlockSpiller]. False if it was evicted already.
    boolean leave(SpillStore store) {
        Block leaving;
        boolean toWrite;
        synchronized (this) {
            if (block == null) {
                return false;
            }
            toWrite = file == null;
            leaving = toWrite ? block.retain() : takeOut();
        }
        try (leaving) {
            if (toWrite) {
                become(store.write(leaving), store);
            }
        }
        return true;
    }

    private void become(SpillFile written, SpillStore store) {
        Block out = null;
        synchronized (this) {
            if (!freed) {
                file = written;
                out = takeOut();
            }
        }
        if (out != null) {
            out.close();
        } else {
            store.delete(written);
        }
    }

    private Block takeOut() {
        Block out = Objects.requireNonNull(block, "one thread at a time takes a block out");
        block = null;
        spiller().remove(this);
        return out;
    }

    /// The effect of evicting it now, or null for a block that is not in memory.
    @Nullable
    SpillVictim asVictim(long now) {
        Block held;
        boolean written;
        long age;
        synchronized (this) {
            if (block == null) {
                return null;
            }
            held = block;
            written = file != null;
            age = now - lastNeeded;
        }
        IdentityHashMap<Buffer, Integer> own = new IdentityHashMap<>();
        held.columns().forEach(column -> column.forEachBuffer(buffer -> own.merge(buffer, 1, Integer::sum)));
        long all = 0;
        long alone = 0;
        for (Map.Entry<Buffer, Integer> entry : own.entrySet()) {
            long bytes = entry.getKey().heldBytes();
            all += bytes;
            alone += entry.getKey().references() <= entry.getValue() ? bytes : 0;
        }
        return new SpillVictim(this, written, all, alone, age);
    }

    /// Frees memory and file. Further calls do nothing.
    public void free() {
        Block held;
        SpillFile there;
        synchronized (this) {
            if (freed) {
                return;
            }
            freed = true;
            held = block;
            there = file;
            if (held != null && spiller != null) {
                spiller.remove(this);
            }
            block = null;
            file = null;
        }
        if (held != null) {
            held.close();
        }
        if (there != null) {
            spiller().store().delete(there);
        }
    }
}
