package dev.millrace.memory;

import dev.millrace.error.MillraceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An account of off-heap memory in a tree that mirrors ownership: session, run, operator. An allocation from a child
/// counts on every account above it, and none may exceed its limit. Closing an account that still holds bytes is an
/// error that names the holders.
///
/// When the tree is nearly full, [Patience] decides what a request of an account does: it waits in the [MemoryLine], or
/// it is refused.
///
/// Thread-safe.
public final class Allocator implements AutoCloseable {
    private final String name;
    private final @Nullable Allocator parent;
    private final @Nullable SlabPool pool;
    private final @Nullable MemoryLine line;
    private final Patience patience;
    private final @Nullable MemoryCharges charges;
    private final HeldBytes bytes;
    private final MemoryWaits waits;
    private final MemoryAdmission admission;
    private final Set<Allocator> children = Collections.newSetFromMap(new ConcurrentHashMap<>());
    private final AllocationTraces traces = new AllocationTraces();

    private volatile boolean closed;

    /// The position of an operator in its run: operators nearer to the output are served first.
    private volatile int stage;

    private volatile boolean last;

    /// Asked to free memory before a request is refused; on the root only.
    private volatile @Nullable MemoryRelief relief;

    /// Set on a handle of another account, see [#observed]: that account allocates, and `made` is called with each
    /// buffer.
    private final @Nullable Consumer<Buffer> made;
    /// Of such a handle: the turn that requests of threads without one have; null for none.
    private final @Nullable MemoryTurn behalf;

    private Allocator(
            String name,
            @Nullable Allocator parent,
            @Nullable SlabPool pool,
            @Nullable MemoryLine line,
            long limit,
            Patience patience,
            @Nullable Consumer<Buffer> made,
            @Nullable MemoryTurn behalf) {
        this.name = name;
        this.parent = parent;
        this.pool = pool;
        this.line = line;
        this.patience = patience;
        this.charges = line == null ? null : new MemoryCharges(this, line, patience);
        this.bytes = new HeldBytes(parent == null ? null : parent.bytes, limit);
        this.waits = new MemoryWaits(parent == null ? null : parent.waits);
        this.admission = new MemoryAdmission(this, line);
        this.made = made;
        this.behalf = behalf;
    }

    /// A new tree with a pool of its own; closing it returns the pool's memory to the system.
    public static Allocator root(String name, long limit) {
        return root(name, limit, System::nanoTime);
    }

    /// @param clock for the deadline of waiting requests
    static Allocator root(String name, long limit, LongSupplier clock) {
        MemoryLine line = new MemoryLine(MemoryLine.Limits.of(limit), clock);
        return new Allocator(name, null, new SlabPool(limit), line, limit, Patience.NONE, null, null);
    }

    /// Memory that the garbage collector frees when it is unreachable, counted on no account: for data that a user
    /// keeps or creates outside a run. The JVM counts it as direct memory and bounds it. Each allocation is fresh
    /// memory, so this is not for hot paths.
    public static Allocator collected(String name) {
        return new Allocator(name, null, null, null, Long.MAX_VALUE, Patience.NONE, null, null);
    }

    /// This account through a handle that calls `made` with every buffer allocated through it. Closing the handle does
    /// nothing.
    public Allocator observed(Consumer<Buffer> made) {
        return new Allocator(name, this, pool, line, ownLimit(), patience, made, null);
    }

    /// This account through a handle for a call in other threads: their requests wait in line with the call's turn.
    /// Closing the handle does nothing.
    public Allocator onBehalfOf(MemoryTurn call) {
        return new Allocator(name, this, pool, line, ownLimit(), patience, _ -> {}, call);
    }

    /// For a handle: the buffer that its account allocates.
    private Buffer handled(Supplier<Buffer> request) {
        Buffer buffer = behalf == null ? request.get() : behalf.lend(request);
        Objects.requireNonNull(made, "a handle has a listener").accept(buffer);
        return buffer;
    }

    /// Sets the relief that frees memory before this tree, at its limit, refuses a request. On the root only.
    public void relief(@Nullable MemoryRelief other) {
        if (parent != null) {
            throw new IllegalStateException("'" + name + "' is not the root of its tree");
        }
        relief = other;
    }

    /// An account below this one, without a limit of its own.
    public Allocator child(String childName) {
        return child(childName, Long.MAX_VALUE);
    }

    /// An account below this one, with a limit of its own.
    public Allocator child(String childName, long childLimit) {
        return child(childName, childLimit, patience);
    }

    /// A child account that, with the accounts below it, behaves as `childPatience` says when the tree is full.
    public Allocator child(String childName, Patience childPatience) {
        return child(childName, Long.MAX_VALUE, childPatience);
    }

    private Allocator child(String childName, long childLimit, Patience childPatience) {
        requireOpen();
        if (made != null) {
            return observedAccount().child(childName, childLimit, childPatience);
        }
        Allocator child = new Allocator(childName, this, pool, line, childLimit, childPatience, null, null);
        children.add(child);
        return child;
    }

    /// A buffer of exactly `size` usable bytes, aligned to 64, contents undefined, with one reference.
    ///
    /// @throws MillraceException culprit RESOURCES, when this account or one above it would pass its limit
    public Buffer allocate(long size) {
        requireOpen();
        if (size < 0) {
            throw new IllegalArgumentException("cannot allocate " + size + " bytes");
        }
        if (made != null) {
            return handled(() -> observedAccount().allocate(size));
        }
        if (pool == null) {
            return Buffer.unowned(collectedMemory(Math.max(1, size)).asSlice(0, size));
        }
        // Counted before it is taken, so that a refused request does not make the process grow.
        long counted = SlabPool.regionSize(size);
        requireCharges().charge(counted);
        SlabPool.Region region;
        try {
            region = take(size, counted);
        } catch (RuntimeException | Error e) {
            discharge(counted);
            throw e;
        }
        Buffer buffer = new Buffer(region.memory().asSlice(0, size), region, this, null);
        traces.record(buffer, "allocated here");
        return buffer;
    }

    /// Java collects garbage before it refuses.
    private MemorySegment collectedMemory(long size) {
        try {
            return Arena.ofAuto().allocate(size, 64);
        } catch (OutOfMemoryError e) {
            throw MemoryErrors.noDirectMemory(name, size, e);
        }
    }

    /// Counts a part of `whole`, memory that this tree did not allocate, such as a mapped file, as if it had been
    /// allocated here. The bytes are reserved first; then `part` is called for its `size` bytes. The buffer holds a
    /// reference to `whole` until its end.
    ///
    /// @throws MillraceException culprit RESOURCES, when this account or one above it would exceed its limit
    public Buffer adopt(Buffer whole, long size, Supplier<MemorySegment> part) {
        requireOpen();
        if (made != null) {
            return handled(() -> observedAccount().adopt(whole, size, part));
        }
        if (pool == null) {
            return Buffer.part(whole, part.get());
        }
        requireCharges().charge(size);
        SlabPool.Region region;
        try {
            region = pool.adopt(whole, part.get());
        } catch (RuntimeException | Error e) {
            discharge(size);
            throw e;
        }
        Buffer buffer = new Buffer(region.memory(), region, this, null);
        traces.record(buffer, "adopted here");
        return buffer;
    }

    /// For a handle: the account that allocates.
    private Allocator observedAccount() {
        return Objects.requireNonNull(parent, "a handle has an account");
    }

    /// The pool, which all accounts have except those of garbage-collected memory.
    private SlabPool requirePool() {
        return Objects.requireNonNull(pool, "collected memory has no pool");
    }

    private MemoryCharges requireCharges() {
        return Objects.requireNonNull(charges, "collected memory is not counted");
    }

    private MemoryLine requireLine() {
        return Objects.requireNonNull(line, "collected memory is not waited for");
    }

    Allocator root() {
        Allocator root = this;
        while (root.parent != null) {
            root = root.parent;
        }
        return root;
    }

    /// An idle region may be larger than what was counted; it is used if the rest can be charged too.
    private SlabPool.Region take(long size, long counted) {
        SlabPool pool = requirePool();
        SlabPool.Region region = pool.take(size);
        long more = region.memory().byteSize() - counted;
        if (more == 0 || requireCharges().chargeNow(more) == null) {
            return region;
        }
        pool.give(region);
        return pool.takeExactly(size);
    }

    /// A buffer whose bytes are all zero.
    public Buffer allocateZeroed(long size) {
        Buffer buffer = allocate(size);
        buffer.segment().fill((byte) 0);
        return buffer;
    }

    /// The account above; null for a root.
    public @Nullable Allocator parent() {
        return parent;
    }

    /// The name in error messages.
    public String name() {
        return name;
    }

    /// Bytes in use now, here and in the children.
    public long heldBytes() {
        return made != null ? observedAccount().heldBytes() : bytes.now();
    }

    /// The largest number of bytes ever held at once.
    public long peakBytes() {
        return made != null ? observedAccount().peakBytes() : bytes.peak();
    }

    /// The lowest limit that applies here: this account's or that of one above.
    public long limit() {
        return parent == null ? ownLimit() : Math.min(ownLimit(), parent.limit());
    }

    /// How far tasks fill the tree before they wait; relief frees memory down to this.
    public long calmLimit() {
        return line == null ? Long.MAX_VALUE : line.limits().calm();
    }

    /// True when memory is short: finished rows should be emitted rather than collected.
    public boolean isTight() {
        return line != null && (!line.isEmpty() || heldInAll() > line.limits().calm() / 4 * 3);
    }

    /// A task begins on this thread; its requests wait in the order of task ids.
    ///
    /// @param task the id of its first attempt
    public MemoryTurn enter(long task) {
        return MemoryTurn.enter(line, this, task);
    }

    /// Of an operator: sets its position in the run, in the order of the data flow.
    ///
    /// @param feedsConsumer its output goes directly to the consumer, not to another operator
    public void stage(int position, boolean feedsConsumer) {
        stage = position;
        last = feedsConsumer;
    }

    boolean isLast() {
        return last;
    }

    int stage() {
        return stage;
    }

    /// Of a run: registers its consumer and its listener. `consumerWaits` answers whether a consumer waits for the
    /// run's output; it is called often and from any thread, and whoever changes the answer calls
    /// [MemoryAdmission#wantedChanged]. `told` is called, from any thread, when tasks of the run begin or cease to wait
    /// for memory, and when a task that was held back in favour of others may begin.
    public void serve(BooleanSupplier consumerWaits, Runnable told) {
        waits.serve(consumerWaits, told);
    }

    @Nullable
    MemoryLine line() {
        return line;
    }

    MemoryWaits waits() {
        return waits;
    }

    /// What the loop of a run asks and tells the memory line, as the owner of this account.
    public MemoryAdmission admission() {
        return admission;
    }

    /// Notifies all runs that a request will be refused unless blocks in their queues are spilled.
    void notifyAllRuns() {
        for (Allocator run : root().children) {
            run.waits.tell();
        }
    }

    /// Bytes in use now in the whole tree.
    public long heldInAll() {
        return root().bytes.now();
    }

    /// Bytes of the sibling accounts: what other runs have in use now. For consumers, including this run's, it is twice
    /// the most they ever copied, because they will need as much again, and as much for the blocks they copy from.
    public long heldBySiblings() {
        long sum = 0;
        if (parent != null) {
            for (Allocator sibling : parent.children) {
                sum += sibling == this
                        ? 0
                        : (sibling.patience == Patience.CONSUMER ? 2 * sibling.bytes.peak() : sibling.bytes.now());
            }
        }
        return sum;
    }

    /// Bytes that the pool has from the system, in use or idle.
    public long footprint() {
        return pool == null ? 0 : pool.footprint();
    }

    void giveBack(Buffer buffer, SlabPool.Region region) {
        traces.forget(buffer);
        discharge(region.memory().byteSize());
        requirePool().give(region);
        if (closed && parent != null && bytes.now() == 0) {
            parent.children.remove(this);
        }
    }

    SlabPool.Region trim(SlabPool.Region region, long size) {
        SlabPool.Region trimmed = requirePool().trim(region, size);
        long freed = region.memory().byteSize() - trimmed.memory().byteSize();
        if (freed > 0) {
            discharge(freed);
        }
        return trimmed;
    }

    void moveTo(Allocator target, Buffer buffer) {
        if (target.pool != pool) {
            throw new IllegalStateException("'" + target.name + "' belongs to another session than '" + name + "'");
        }
        target.requireOpen();
        bytes.moveTo(target.bytes, buffer.heldBytes());
        traces.moveTo(target.traces, buffer);
    }

    /// Adds to this account and all above it; or adds to none and returns the account that is full.
    ///
    /// @param bound how far this request may fill the root, if that is below its limit
    @Nullable
    Allocator charge(long size, long bound) {
        HeldBytes full = bytes.charge(size, bound);
        if (full == null) {
            return null;
        }
        Allocator account = this;
        while (account.bytes != full) {
            account = Objects.requireNonNull(account.parent, "a full counter belongs to an account above");
        }
        return account;
    }

    void discharge(long size) {
        bytes.discharge(size);
        requireLine().released();
    }

    private void requireOpen() {
        if (closed) {
            throw MillraceException.user("'" + name + "' is closed: no memory can be taken from it.");
        }
    }

    /// Closes this account. Bytes still held are an error that names their holders; the memory stays valid and is freed
    /// when its holders release it.
    @Override
    public void close() {
        if (closed || made != null || pool == null) {
            return;
        }
        closed = true;
        requireLine().forget(this);
        if (parent == null) {
            pool.close();
        } else if (bytes.now() == 0) {
            // An account that still holds bytes stays in the tree, so that errors of the accounts above can name it.
            parent.children.remove(this);
        }
        if (bytes.now() != 0) {
            throw MemoryErrors.leak(this);
        }
    }

    Set<Allocator> children() {
        return children;
    }

    @Nullable
    MemoryRelief ownRelief() {
        return relief;
    }

    long ownLimit() {
        return bytes.limit();
    }

    /// The stack traces of the allocations of this account's live buffers; empty unless lifetimes are checked.
    Collection<Throwable> origins() {
        return traces.all();
    }
}
