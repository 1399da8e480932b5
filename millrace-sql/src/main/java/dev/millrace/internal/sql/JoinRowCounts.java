package dev.millrace.internal.sql;

import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.ReflectiveRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMdMaxRowCount;
import org.apache.calcite.rel.metadata.RelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.jspecify.annotations.Nullable;

/// The most rows that a relation can have, right for every kind of join. Calcite multiplies the rows of both sides:
/// one row fully joined with one that does not match are two, and an anti join with nothing keeps its rows.
public final class JoinRowCounts extends RelMdMaxRowCount {
    /// Calcite's provider of this figure with this exception.
    static final RelMetadataProvider PROVIDER = ReflectiveRelMetadataProvider.reflectiveSource(
            new JoinRowCounts(), BuiltInMetadata.MaxRowCount.Handler.class);

    private JoinRowCounts() {}

    /// Public because it is called by reflection.
    @Override
    public @Nullable Double getMaxRowCount(Join join, RelMetadataQuery metadata) {
        return switch (join.getJoinType()) {
            case FULL -> {
                Double left = metadata.getMaxRowCount(join.getLeft());
                Double right = metadata.getMaxRowCount(join.getRight());
                yield left == null || right == null ? null : Math.max(left + right, left * right);
            }
            case SEMI, ANTI -> metadata.getMaxRowCount(join.getLeft());
            default -> super.getMaxRowCount(join, metadata);
        };
    }
}
