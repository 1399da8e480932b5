package dev.millrace.internal.sql;

import java.util.List;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.ChainedRelMetadataProvider;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.MetadataDef;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.ReflectiveRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/// Infers no predicates for set operations: Calcite would evaluate generated code for that, and no compiler is
/// available.
public final class SetPredicates implements MetadataHandler<BuiltInMetadata.Predicates> {
    /// Calcite's metadata provider with this exception.
    static final RelMetadataProvider PROVIDER = ChainedRelMetadataProvider.of(List.of(
            ReflectiveRelMetadataProvider.reflectiveSource(
                    new SetPredicates(), BuiltInMetadata.Predicates.Handler.class),
            DefaultRelMetadataProvider.INSTANCE));

    private SetPredicates() {}

    /// Public because it is called by reflection.
    public RelOptPredicateList getPredicates(SetOp set, RelMetadataQuery metadata) {
        return RelOptPredicateList.EMPTY;
    }

    @Override
    public MetadataDef<BuiltInMetadata.Predicates> getDef() {
        return BuiltInMetadata.Predicates.DEF;
    }
}
