package dev.millrace.memory;

import dev.millrace.error.MillraceException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// An account of off-heap memory in a tree that mirrors ownership: session, run, operator. What is allocated from a
/// child counts on every account above it, and none may pass its limit. Closing an account that still holds bytes is
/// an error that names the holders.
///
/// Thread-safe.
public final class Allocator implements AutoCloseable {
    private final String name;
    private final Allocator parent;
    private final SlabPool pool;
    private final long limit;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong peak = new AtomicLong();
    private final Set<Allocator> children = Collections.newSetFromMap(new ConcurrentHashMap<>());
    /// Where each living buffer was made; kept only when lifetimes are checked.
    private final Map<Buffer, Throwable> origins = Lifetimes.CHECKED ? new ConcurrentHashMap<>() : Map.of();

    private volatile boolean closed;

    /// Asked for room before a request is refused; on the root only.
    private volatile MemoryRelief relief;

    /// Set on a handle of another account, see [#observed]: that account allocates, `made` learns of it.
    private final Consumer<Buffer> made;

    private Allocator(String name, Allocator parent, SlabPool pool, long limit, Consumer<Buffer> made) {
        this.name = name;
        this.parent = parent;
        this.pool = pool;
        this.limit = limit;
        this.made = made;
    }

    /// A new tree with a pool of its own; closing it returns the pool's memory to the system.
    public static Allocator root(String name, long limit) {
        return new Allocator(name, null, new SlabPool(Math.min(limit / 4, 1L << 30)), limit, null);
    }

    /// Memory that the garbage collector frees when nothing refers to it, counted on no account: for what a user keeps
    /// or makes outside of a run. Fresh memory each time, so not for hot paths.
    public static Allocator collected(String name) {
        return new Allocator(name, null, null, Long.MAX_VALUE, null);
    }

    /// This account through a handle that tells `made` of every buffer allocated through it. Closing the handle does
    /// nothing.
    public Allocator observed(Consumer<Buffer> made) {
        return new Allocator(name, this, pool, limit, made);
    }

    /// Has `other` make room before this tree, at its limit, refuses a request. On the root.
    public void relief(MemoryRelief other) {
        if (parent != null) {
            throw new IllegalStateException("'" + name + "' is not the root of its tree");
        }
        relief = other;
    }

    public Allocator child(String childName) {
        return child(childName, Long.MAX_VALUE);
    }

    public Allocator child(String childName, long childLimit) {
        requireOpen();
        if (made != null) {
            return parent.child(childName, childLimit);
        }
        Allocator child = new Allocator(childName, this, pool, childLimit, null);
        children.add(child);
        return child;
    }

    /// A buffer of exactly `bytes` usable bytes, aligned to 64, contents undefined, with one reference.
    ///
    /// @throws MillraceException culprit RESOURCES, when this account or one above it would pass its limit
    public Buffer allocate(long bytes) {
        requireOpen();
        if (bytes < 0) {
            throw new IllegalArgumentException("cannot allocate " + bytes + " bytes");
        }
        if (made != null) {
            Buffer buffer = parent.allocate(bytes);
            made.accept(buffer);
            return buffer;
        }
        if (pool == null) {
            return Buffer.unowned(
                    Arena.ofAuto().allocate(Math.max(1, bytes), 64).asSlice(0, bytes));
        }
        // Counted before it is taken, so that a refused request does not make the process grow.
        long size = SlabPool.regionSize(bytes);
        Allocator full = charge(size);
        while (full != null) {
            if (full.relief == null || !full.relief.relieve(size)) {
                throw full.refusal(name, size);
            }
            full = charge(size);
        }
        SlabPool.Region region;
        try {
            region = take(bytes, size);
        } catch (RuntimeException | Error e) {
            discharge(size);
            throw e;
        }
        Buffer buffer = new Buffer(region.memory().asSlice(0, bytes), region, this, null);
        if (Lifetimes.CHECKED) {
            origins.put(buffer, new Throwable("allocated here"));
        }
        return buffer;
    }

    /// An idle region may be larger than was counted; it is used if there is room for all of it.
    private SlabPool.Region take(long bytes, long counted) {
        SlabPool.Region region = pool.take(bytes);
        long more = region.memory().byteSize() - counted;
        if (more == 0 || charge(more) == null) {
            return region;
        }
        pool.give(region);
        return pool.takeExactly(bytes);
    }

    private MillraceException refusal(String who, long bytes) {
        String state = relief == null ? "" : relief.state();
        return MillraceException.resources("'" + name + "' holds " + held.get() + " of " + limit
                + " bytes of block memory" + largestHolders() + "; " + who + " needs " + bytes + " more. " + state
                + (state.isEmpty() ? "" : " ") + "Raise the memory limit, or use smaller batches or blocks.");
    }

    /// The children that hold most, e.g. ` (read-1: 4096, itself: 512)`; empty where there are none.
    private String largestHolders() {
        Map<String, Long> holders = new HashMap<>();
        long own = held.get();
        for (Allocator child : children) {
            long bytes = child.heldBytes();
            own -= bytes;
            holders.merge(child.name, bytes, Long::sum);
        }
        if (holders.isEmpty()) {
            return "";
        }
        holders.put("itself", own);
        return holders.entrySet().stream()
                .filter(holder -> holder.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(3)
                .map(holder -> holder.getKey() + ": " + holder.getValue())
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /// A buffer whose bytes are all zero.
    public Buffer allocateZeroed(long bytes) {
        Buffer buffer = allocate(bytes);
        buffer.segment().fill((byte) 0);
        return buffer;
    }

    public String name() {
        return name;
    }

    /// Bytes in use now, here and in the children.
    public long heldBytes() {
        return made != null ? parent.heldBytes() : held.get();
    }

    public long peakBytes() {
        return made != null ? parent.peakBytes() : peak.get();
    }

    /// The lowest limit that holds here: this account's or that of one above.
    public long limit() {
        return parent == null ? limit : Math.min(limit, parent.limit());
    }

    /// Bytes that the pool below has from the system, in use or idle.
    public long footprint() {
        return pool == null ? 0 : pool.footprint();
    }

    void giveBack(Buffer buffer, SlabPool.Region region) {
        if (Lifetimes.CHECKED) {
            origins.remove(buffer);
        }
        discharge(region.memory().byteSize());
        pool.give(region);
        if (closed && parent != null && held.get() == 0) {
            parent.children.remove(this);
        }
    }

    void moveTo(Allocator target, Buffer buffer) {
        if (target.pool != pool) {
            throw new IllegalStateException("'" + target.name + "' belongs to another session than '" + name + "'");
        }
        target.requireOpen();
        // The accounts above both stay as they are: their bytes must not seem free for a moment.
        long bytes = buffer.heldBytes();
        for (Allocator a = this; !a.isAtOrAbove(target); a = a.parent) {
            a.held.addAndGet(-bytes);
        }
        for (Allocator a = target; !a.isAtOrAbove(this); a = a.parent) {
            a.notePeak(a.held.addAndGet(bytes));
        }
        if (Lifetimes.CHECKED) {
            Throwable origin = origins.remove(buffer);
            target.origins.put(buffer, origin == null ? new Throwable("transferred here") : origin);
        }
    }

    /// Adds to this account and all above it, or to none and answers the one that is full.
    private Allocator charge(long bytes) {
        for (Allocator a = this; a != null; a = a.parent) {
            if (!a.add(bytes)) {
                for (Allocator undo = this; undo != a; undo = undo.parent) {
                    undo.held.addAndGet(-bytes);
                }
                return a;
            }
        }
        for (Allocator a = this; a != null; a = a.parent) {
            a.notePeak(Math.min(a.held.get(), a.limit));
        }
        return null;
    }

    /// Adds to this account unless it would pass its limit, so that a refused request takes nobody else's room.
    private boolean add(long bytes) {
        long now = held.get();
        while (bytes <= limit - now) {
            long seen = held.compareAndExchange(now, now + bytes);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false;
    }

    private boolean isAtOrAbove(Allocator other) {
        for (Allocator a = other; a != null; a = a.parent) {
            if (a == this) {
                return true;
            }
        }
        return false;
    }

    private void notePeak(long now) {
        if (now > peak.get()) {
            peak.accumulateAndGet(now, Math::max);
        }
    }

    private void discharge(long bytes) {
        for (Allocator a = this; a != null; a = a.parent) {
            a.held.addAndGet(-bytes);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw MillraceException.user("'" + name + "' is closed: no memory can be taken from it.");
        }
    }

    /// Closes this account. Bytes still held are an error that names who holds them; the memory stays valid and is
    /// freed when its holders release it.
    @Override
    public void close() {
        if (closed || made != null || pool == null) {
            return;
        }
        closed = true;
        if (parent == null) {
            pool.close();
        } else if (held.get() == 0) {
            // One that still holds bytes stays in the tree, so that the accounts above can name it.
            parent.children.remove(this);
        }
        if (held.get() != 0) {
            List<String> holders = new ArrayList<>();
            List<Throwable> origin = new ArrayList<>();
            collectHolders(holders, origin);
            IllegalStateException leak = new IllegalStateException(
                    "'" + name + "' was closed while " + held.get() + " bytes are held: " + String.join("; ", holders));
            origin.stream().limit(3).forEach(leak::addSuppressed);
            throw leak;
        }
    }

    private void collectHolders(List<String> holders, List<Throwable> origin) {
        long own =
                held.get() - children.stream().mapToLong(Allocator::heldBytes).sum();
        if (own != 0) {
            holders.add(name + " holds " + own + " bytes");
            origin.addAll(origins.values());
        }
        children.forEach(child -> child.collectHolders(holders, origin));
    }
}
