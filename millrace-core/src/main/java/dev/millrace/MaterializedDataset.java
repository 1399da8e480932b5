package dev.millrace;

import dev.millrace.internal.consume.HeldBlocks;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.runtime.BlockSlice;
import dev.millrace.settings.Settings;
import dev.millrace.type.Schema;
import java.util.List;
import java.util.Optional;

/// A dataset whose blocks are computed and kept: in memory, and what does not fit there on disk (see
/// [dev.millrace.settings.SpillSettings]). Datasets made from it start there. Closing it frees them; runs
/// that began before keep what they need to their end. A session frees what was not closed.
public final class MaterializedDataset extends Dataset implements AutoCloseable {
    private final HeldBlocks held;

    MaterializedDataset(
            Session session, HeldBlocks held, Schema schema, List<String> inputFiles, Settings settings, String name) {
        super(session, new LogicalPlan.Blocks(held.slices(), Optional.of(schema), inputFiles), settings, name);
        this.held = held;
    }

    @Override
    public int numBlocks() {
        return held.slices().size();
    }

    @Override
    public long sizeBytes() {
        return held.sizeBytes();
    }

    /// The blocks in order, held by this dataset.
    public List<BlockSlice> blockReferences() {
        return held.slices();
    }

    @Override
    public void close() {
        held.close();
    }
}
