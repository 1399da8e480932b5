package dev.millrace;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expressions;
import dev.millrace.internal.consume.HeldBlocks;
import dev.millrace.internal.consume.KeyIndex;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.BlockSettings;
import dev.millrace.settings.Settings;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import dev.millrace.type.Types;
import java.util.List;
import java.util.Optional;

/// A dataset whose blocks are computed and kept: in memory, and on disk if they do not fit there (see
/// [dev.millrace.settings.SpillSettings]). Datasets derived from it start there. Closing it frees the blocks at once;
/// runs that began before keep what they need to their end. If it is not closed, its blocks are freed some time after
/// it and all datasets derived from it have become unreachable, and at the latest by the session, which logs at its end
/// what was not closed.
public final class MaterializedDataset extends Dataset implements AutoCloseable {
    private final HeldBlocks.Handle handle;

    MaterializedDataset(
            Session session, HeldBlocks held, Schema schema, List<String> inputFiles, Settings settings, String name) {
        this(
                session,
                held.handle("'" + name + "'" + CallSite.suffix(CallSite.here())),
                schema,
                inputFiles,
                settings,
                name);
    }

    private MaterializedDataset(
            Session session,
            HeldBlocks.Handle handle,
            Schema schema,
            List<String> inputFiles,
            Settings settings,
            String name) {
        super(
                session,
                new LogicalPlan.Blocks(handle.held().slices(), Optional.of(schema), inputFiles, handle),
                settings,
                name);
        this.handle = handle;
    }

    @Override
    public int numBlocks() {
        return handle.held().slices().size();
    }

    @Override
    public long sizeBytes() {
        return handle.held().sizeBytes();
    }

    /// The blocks in order, owned by this dataset: valid only as long as it is referenced.
    public List<BlockSlice> blockReferences() {
        return handle.held().slices();
    }

    /// The rows by the values of a column, for lookups: a copy of them, sorted, which the caller closes, and which may
    /// outlive this dataset.
    public RandomAccessDataset randomAccess(String key) {
        Field column = schema().field(schema().require(key, "randomAccess"));
        DataType type = column.type() instanceof DataType.Dictionary texts ? texts.value() : column.type();
        if (!Types.hasOrder(type)) {
            throw MillraceException.user("randomAccess: '" + key + "' is " + type
                    + ", and values of this type have no order. Use a column of numbers, texts or times.");
        }
        Dataset sorted = filter(Expressions.col(key).isNotNull()).sort(key);
        BlockSettings blocks = settings().blocks();
        Settings small =
                sorted.settings().with(blocks.withTargetBytes(Math.min(blocks.targetBytes(), KeyIndex.TARGET_BYTES)));
        return new RandomAccessDataset(KeyIndex.of(
                session().executions().start(sorted.plan(), small, "randomAccess(" + key + ")", _ -> {}),
                session().executions(),
                column));
    }

    @Override
    public void close() {
        handle.close();
    }
}
