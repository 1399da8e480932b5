package dev.millrace.internal.recovery;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.runtime.ActorSpec;
import dev.millrace.runtime.BlockRef;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.runtime.TaskProgram;
import dev.millrace.runtime.TaskSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How the blocks of one task are made: everything of the task but its inputs' blocks, in whose place are their
/// recipes. All attempts of a task share one. Held by its attempts while they run, by each of its blocks that is not
/// freed, by the recipes that have it as an input, and while it is made again; the last one to leave releases its
/// inputs.
///
/// Thread-safe; its lock is taken before that of a block, never after.
final class TaskRecipe {
    private final Map<Long, TaskRecipe> registry;
    private final long first;
    private final String operator;
    private final TaskProgram program;
    private final Resources resources;
    private final boolean local;
    private final TaskSpec.Stage stage;
    private final @Nullable ActorSpec actor;
    private final List<RecipeInput> inputs;
    /// All fields below are guarded by this recipe's monitor, except the last.
    private final Set<RecoverableBlock> blocks = new HashSet<>();

    private int holders = 1;
    private long rows = -1;
    /// Of the thread of [BlockRecoveries] only: what makes its blocks again now.
    @Nullable
    BlockRecovery recovery;

    private TaskRecipe(
            Map<Long, TaskRecipe> registry, TaskSpec task, @Nullable ActorSpec actor, List<RecipeInput> inputs) {
        this.registry = registry;
        this.first = task.first();
        this.operator = task.operator();
        this.program = task.program();
        this.resources = task.resources();
        this.local = task.local();
        this.stage = task.stage();
        this.actor = actor;
        this.inputs = inputs;
    }

    /// The recipe of a task that is about to be submitted, held once for the caller.
    ///
    /// @param registry the recipes in use, by the first attempts of their tasks
    /// @param actor the actor that runs it, or null
    static TaskRecipe of(Map<Long, TaskRecipe> registry, TaskSpec task, @Nullable ActorSpec actor) {
        TaskRecipe known = registry.get(task.first());
        if (known != null && known.tryRetain()) {
            return known;
        }
        List<RecipeInput> inputs = new ArrayList<>();
        for (BlockSlice slice : task.inputs()) {
            inputs.add(RecoverableBlock.of(slice.block()).input(slice));
        }
        TaskRecipe recipe = new TaskRecipe(registry, task, actor, List.copyOf(inputs));
        registry.put(task.first(), recipe);
        return recipe;
    }

    String operator() {
        return operator;
    }

    /// The id of the task's first attempt: its age.
    long first() {
        return first;
    }

    TaskProgram program() {
        return program;
    }

    Resources resources() {
        return resources;
    }

    TaskSpec.Stage stage() {
        return stage;
    }

    boolean isLocal() {
        return local;
    }

    /// Describes the actor that runs it; null for a plain task.
    @Nullable
    ActorSpec actor() {
        return actor;
    }

    List<RecipeInput> inputs() {
        return inputs;
    }

    // ---- holders

    private synchronized boolean tryRetain() {
        if (holders > 0) {
            holders++;
            return true;
        }
        return false;
    }

    TaskRecipe retain() {
        if (!tryRetain()) {
            throw MillraceException.internal("the recipe of a block of " + operator() + " was used after its end");
        }
        return this;
    }

    /// Chains of recipes are as long as plans are deep: no recursion.
    void release() {
        ArrayDeque<TaskRecipe> left = new ArrayDeque<>();
        for (TaskRecipe recipe = this; recipe != null; recipe = left.poll()) {
            if (recipe.leaves()) {
                for (RecipeInput input : recipe.inputs) {
                    switch (input) {
                        case RecipeInput.Made made -> left.add(made.maker());
                        case RecipeInput.Kept kept -> kept.slice().release();
                    }
                }
            }
        }
    }

    private synchronized boolean leaves() {
        holders--;
        if (holders == 0) {
            registry.remove(first, this);
        }
        return holders == 0;
    }

    // ---- its blocks

    void add(RecoverableBlock block) {
        retain();
        synchronized (this) {
            blocks.add(block);
        }
    }

    /// The block is freed.
    void remove(RecoverableBlock block) {
        synchronized (this) {
            blocks.remove(block);
        }
        release();
    }

    /// Rows of its output from blocks that are in the store: slices with references of their own; null if some are not.
    @Nullable
    List<BlockSlice> find(long from, long count) {
        List<BlockSlice> found = new ArrayList<>();
        long at = from;
        for (RecoverableBlock block : byRow()) {
            long end = block.firstRow() + block.metadata().rows();
            boolean isNext = count == 0 ? found.isEmpty() : block.firstRow() <= at && at < end;
            if (!isNext) {
                continue;
            }
            long wanted = count == 0 ? 0 : Math.min(from + count, end) - at;
            List<BlockSlice> pieces = block.rows(count == 0 ? 0 : at - block.firstRow(), wanted);
            if (pieces != null) {
                found.addAll(pieces);
                at += wanted;
            }
        }
        if (at == from + count && !found.isEmpty()) {
            return found;
        }
        found.forEach(BlockSlice::release);
        return null;
    }

    /// Those of its blocks that are lost and still referenced.
    List<RecoverableBlock> lostBlocks() {
        return byRow().stream().filter(RecoverableBlock::isLost).toList();
    }

    void maySpill() {
        byRow().forEach(RecoverableBlock::maySpill);
    }

    private synchronized List<RecoverableBlock> byRow() {
        List<RecoverableBlock> sorted = new ArrayList<>(blocks);
        sorted.sort(Comparator.comparingLong(RecoverableBlock::firstRow));
        return sorted;
    }

    /// A block of the store is gone, as its runtime said.
    void lost(BlockRef stored) {
        byRow().forEach(block -> block.lost(stored));
    }

    // ---- its output

    /// An attempt has finished with so many rows.
    ///
    /// @throws MillraceException if an earlier one had another number: rows are found by their numbers
    synchronized void finished(long made) {
        if (rows >= 0 && rows != made) {
            throw MillraceException.user(operator() + " made " + rows + " rows of an input, and " + made
                    + " when it was run again over the same. Functions must return the same rows each time: lost blocks"
                    + " are made again, and rows found by their numbers.");
        }
        rows = made;
    }
}
