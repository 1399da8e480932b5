package dev.millrace;

import dev.millrace.internal.consume.HeldBlocks;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.transform.CallSite;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.Settings;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Optional;

/// A dataset whose blocks are computed and kept: in memory, and what does not fit there on disk (see
/// [dev.millrace.settings.SpillSettings]). Datasets made from it start there. Closing it frees them at once; runs
/// that began before keep what they need to their end. What was not closed is freed some time after nobody refers to it
/// or to a dataset made from it any more, and at the latest by the session, which says at its end what it was.
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

    /// The blocks in order, held by this dataset: no longer than somebody refers to it.
    public List<BlockSlice> blockReferences() {
        return handle.held().slices();
    }

    @Override
    public void close() {
        handle.close();
    }
}
