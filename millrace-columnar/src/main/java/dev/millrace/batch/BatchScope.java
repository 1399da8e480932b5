package dev.millrace.batch;

import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.internal.lifetime.Lifetime;
import dev.millrace.memory.Allocator;
import dev.millrace.memory.Buffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Owns everything that is created during one call of a user's function, so that a user never frees anything: batches
/// of the scope allocate from it, the result is taken out with [#toBlock], and [#close] releases the rest.
///
/// A call that passes on results while it runs has episodes: what is created after [#nextEpisode] is released by the
/// next call of it, so that a long call holds the memory of one result.
///
/// Thread-safe, for functions that go on in other threads; but a batch is taken out, and an episode ends, only when no
/// other thread uses the scope.
///
/// Ownership in detail. A column that a kernel created for a batch is owned whole. A column that the user provides
/// ([Batch#with(String, Column)]) is taken over with its reference, unless all of its buffers are already known here (a
/// view of a column of the scope). A buffer that was allocated through [#allocator] and is part of no column of the
/// scope is released too.
public final class BatchScope implements AutoCloseable {
    private final String what;
    private final Allocator account;
    private final Lifetime lifetime;
    private final List<Block> inputs = new ArrayList<>(1);
    private final List<Column> owned = new ArrayList<>();
    /// For an episode: the scope of the whole call; otherwise null.
    private final @Nullable BatchScope whole;
    /// The episode that owns what is created now; null before the first one.
    private @Nullable BatchScope episode;
    private List<ColumnBuilder> builders = List.of();
    private List<Buffer> made = List.of();
    private @Nullable Allocator observed;

    /// The scope of one call, with nothing in it.
    ///
    /// @param what the call, for errors after its end: "mapBatches(resize)"
    public BatchScope(String what, Allocator account) {
        this(what, account, new Lifetime(what), null);
    }

    /// The scope of a call whose batches live longer than the function runs.
    ///
    /// @param end what ends their lives, after "after": "its future was completed"
    public BatchScope(String what, Allocator account, String end) {
        this(what, account, new Lifetime(what, end), null);
    }

    private BatchScope(String what, Allocator account, Lifetime lifetime, @Nullable BatchScope whole) {
        this.what = what;
        this.account = account;
        this.lifetime = lifetime;
        this.whole = whole;
    }

    /// Ends what was created since the last call of this, and nothing before the first. A part of a result that was
    /// taken out lives on.
    public synchronized void nextEpisode() {
        if (episode != null) {
            episode.close();
        }
        episode = new BatchScope(what, account, new Lifetime(what, "its next batch was emitted"), this);
    }

    /// The scope that owns what is created now.
    BatchScope current() {
        return episode == null ? this : episode;
    }

    /// Whether both belong to one call.
    boolean isOfCall(BatchScope other) {
        return (whole == null ? this : whole) == (other.whole == null ? other : other.whole);
    }

    /// The block's rows as a batch of this scope, which closes the block at its end.
    public synchronized Batch adopt(Block block) {
        inputs.add(block);
        return new Batch(this, block.schema(), block.columns(), block.rows());
    }

    /// A batch of this scope without columns.
    public Batch empty() {
        return new Batch(this, new LinkedHashMap<>());
    }

    /// A block with its own references to the batch's columns, which must be of equal length. Columns of a batch of
    /// another scope (one that the user created or kept) are copied to this scope's account.
    public Block toBlock(Batch batch) {
        return batch.toBlock(this);
    }

    Lifetime lifetime() {
        return lifetime;
    }

    /// The account for kernels: their results come with a reference that [#own] takes over.
    Allocator account() {
        return account;
    }

    /// The account for user code: what is allocated here ends with the scope unless the result holds it.
    synchronized Allocator allocator() {
        if (episode != null) {
            return episode.allocator();
        }
        if (observed == null) {
            made = new ArrayList<>();
            observed = account.observed(this::remember);
        }
        return observed;
    }

    private synchronized void remember(Buffer buffer) {
        if (lifetime.isEnded()) {
            buffer.release();
            lifetime.check();
        }
        made.add(buffer);
    }

    synchronized <C extends Column> C own(C column) {
        if (episode != null) {
            return episode.own(column);
        }
        if (lifetime.isEnded()) {
            column.release();
            lifetime.check();
        }
        owned.add(column);
        return column;
    }

    synchronized <B extends ColumnBuilder> B track(B builder) {
        if (episode != null) {
            return episode.track(builder);
        }
        if (lifetime.isEnded()) {
            builder.close();
            lifetime.check();
        }
        if (builders.isEmpty()) {
            builders = new ArrayList<>();
        }
        builders.add(builder);
        return builder;
    }

    /// Takes over a user's column, unless it only refers to buffers known here.
    synchronized void takeOver(Column column) {
        if (episode != null) {
            episode.takeOver(column);
            return;
        }
        lifetime.check();
        Set<Buffer> known = known();
        boolean[] isNew = {false};
        column.forEachBuffer(buffer -> isNew[0] |= !known.contains(buffer));
        if (isNew[0]) {
            owned.add(column);
            if (whole != null && !whole.made.isEmpty()) {
                // Allocated before the episode, and released with it.
                column.forEachBuffer(whole.made::remove);
            }
        }
    }

    private Set<Buffer> known() {
        Set<Buffer> known = Collections.newSetFromMap(new IdentityHashMap<>());
        inputs.forEach(block -> block.columns().forEach(column -> column.forEachBuffer(known::add)));
        owned.forEach(column -> column.forEachBuffer(known::add));
        if (whole != null) {
            known.addAll(whole.known());
        }
        return known;
    }

    /// Ends the lifetime of every batch, column and row that was passed out, and releases what no result holds.
    @Override
    public synchronized void close() {
        lifetime.end();
        if (episode != null) {
            episode.close();
            episode = null;
        }
        builders.forEach(ColumnBuilder::close);
        if (!made.isEmpty()) {
            Set<Buffer> known = known();
            for (Buffer buffer : made) {
                if (buffer.isAlive() && !known.contains(buffer)) {
                    buffer.release();
                }
            }
        }
        owned.forEach(Column::release);
        inputs.forEach(Block::close);
        owned.clear();
        inputs.clear();
        builders = List.of();
        made = List.of();
    }
}
