package dev.millrace.internal.recovery;

import dev.millrace.block.BlockMetadata;
import dev.millrace.error.MillraceException;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A block as the engine sees it: rows of a task's output, wherever they are in the store below. At first that is one
/// block; when they are made again, they may be several pieces, or a part of a larger block. Thread-safe.
final class RecoverableBlock extends BlockRef {
    private final LostNodes lostNodes;
    private final @Nullable TaskRecipe recipe;
    private final long firstRow;
    /// Guarded by this block's monitor, as all that follows. Replaced as a whole.
    private List<BlockSlice> pieces;

    private boolean gone;
    private boolean maySpill;
    private boolean freed;

    private RecoverableBlock(
            BlockSlice stored,
            BlockMetadata metadata,
            LostNodes lostNodes,
            @Nullable TaskRecipe recipe,
            long firstRow) {
        super(metadata);
        this.lostNodes = lostNodes;
        this.recipe = recipe;
        this.firstRow = firstRow;
        this.pieces = List.of(stored);
    }

    /// A block of a task's output; takes the reference over.
    ///
    /// @param metadata of the rows of the slice
    /// @param firstRow its first row in the output
    static RecoverableBlock made(
            BlockSlice stored, BlockMetadata metadata, LostNodes lostNodes, TaskRecipe recipe, long firstRow) {
        RecoverableBlock block = new RecoverableBlock(stored, metadata, lostNodes, recipe, firstRow);
        recipe.add(block);
        return block;
    }

    /// A block without a recipe, which is never lost; takes the reference over.
    static RecoverableBlock kept(BlockRef stored, LostNodes lostNodes) {
        return new RecoverableBlock(BlockSlice.whole(stored), stored.metadata(), lostNodes, null, 0);
    }

    static RecoverableBlock of(BlockRef block) {
        if (block instanceof RecoverableBlock own) {
            return own;
        }
        throw MillraceException.internal("a block of another runtime came to one that makes lost blocks again: "
                + block.getClass().getSimpleName());
    }

    /// Number of its first row in its task's output.
    long firstRow() {
        return firstRow;
    }

    /// How a slice of this block is named in the recipe of a task that gets it. The caller owns what it holds.
    RecipeInput input(BlockSlice slice) {
        return recipe == null
                ? new RecipeInput.Kept(slice.slice(0, slice.rows()))
                : new RecipeInput.Made(recipe.retain(), firstRow + slice.from(), slice.rows());
    }

    /// The same for as long as the caller holds the slice; null if there is no recipe.
    RecipeInput.@Nullable Made borrowed(BlockSlice slice) {
        return recipe == null ? null : new RecipeInput.Made(recipe, firstRow + slice.from(), slice.rows());
    }

    /// Where some of its rows are: slices with references of their own; null if the block is lost, or freed.
    synchronized @Nullable List<BlockSlice> rows(long from, long count) {
        if (freed || isLost()) {
            return null;
        }
        if (count == 0) {
            return List.of(pieces.getFirst().slice(0, 0));
        }
        List<BlockSlice> found = new ArrayList<>();
        long at = 0;
        for (BlockSlice piece : pieces) {
            long start = Math.max(from, at);
            long end = Math.min(from + count, at + piece.rows());
            if (start < end) {
                found.add(piece.slice(start - at, end - start));
            }
            at += piece.rows();
        }
        return found;
    }

    /// Whether its rows are not in the store, and somebody may ask for them.
    synchronized boolean isLost() {
        if (freed) {
            return false;
        }
        for (int i = 0; i < pieces.size() && !gone; i++) {
            gone = lostNodes.had(pieces.get(i).block());
        }
        return gone;
    }

    /// A block of the store is gone from which its rows came: its own, or that of another attempt of its task.
    void lostInStore(BlockRef stored) {
        if (recipe == null) {
            lost(stored);
        } else {
            recipe.lost(stored);
        }
    }

    /// A block of the store is gone, perhaps one of its own.
    synchronized void lost(BlockRef stored) {
        gone |= pieces.stream().anyMatch(piece -> piece.block().equals(stored));
    }

    /// Its rows were made again; takes the references over. Nothing changes if they are not wanted any more.
    void replace(List<BlockSlice> made) {
        List<BlockSlice> old;
        synchronized (this) {
            if (maySpill) {
                made.forEach(piece -> piece.block().maySpill());
            }
            if (isLost()) {
                old = pieces;
                pieces = List.copyOf(made);
                gone = false;
            } else {
                old = made;
            }
        }
        old.forEach(BlockSlice::release);
    }

    /// Of a block in several pieces, the node of the first.
    @Override
    public synchronized @Nullable String node() {
        return freed || isLost() ? null : pieces.getFirst().block().node();
    }

    @Override
    public void moveTo(Allocator account) {
        inStore(block -> block.moveTo(account));
    }

    @Override
    public void maySpill() {
        synchronized (this) {
            maySpill = true;
        }
        inStore(BlockRef::maySpill);
    }

    /// Calls the store without the monitor, which others need to see whether the block is lost.
    private void inStore(Consumer<BlockRef> call) {
        List<BlockSlice> held = rows(0, metadata().rows());
        if (held != null) {
            held.forEach(piece -> {
                call.accept(piece.block());
                piece.release();
            });
        }
    }

    @Override
    protected void free() {
        List<BlockSlice> old;
        synchronized (this) {
            freed = true;
            old = pieces;
            pieces = List.of();
        }
        old.forEach(BlockSlice::release);
        if (recipe != null) {
            recipe.remove(this);
        }
    }

    @Override
    public String toString() {
        BlockMetadata block = metadata();
        return "rows " + firstRow + ".." + (firstRow + block.rows()) + " of "
                + (recipe == null ? "the program" : recipe.operator());
    }
}
