package dev.millrace.internal.sql;

import java.util.List;
import org.apache.calcite.plan.RelOptPredicateList;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.metadata.BuiltInMetadata;
import org.apache.calcite.rel.metadata.ChainedRelMetadataProvider;
import org.apache.calcite.rel.metadata.DefaultRelMetadataProvider;
import org.apache.calcite.rel.metadata.MetadataDef;
import org.apache.calcite.rel.metadata.MetadataHandler;
import org.apache.calcite.rel.metadata.ReflectiveRelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;

/// Tells Calcite that nothing is known of the rows of a relation. What it concludes from the conditions below a
/// relation is of little use here and fails in many ways: it asserts that no condition compares with null, evaluates
/// generated code for set operations (no compiler is available), and removes grouping keys that it takes for constants.
public final class UnknownPredicates implements MetadataHandler<BuiltInMetadata.Predicates> {
    /// Calcite's metadata provider with this exception and that of [JoinRowCounts].
    static final RelMetadataProvider PROVIDER = ChainedRelMetadataProvider.of(List.of(
            ReflectiveRelMetadataProvider.reflectiveSource(
                    new UnknownPredicates(), BuiltInMetadata.Predicates.Handler.class),
            JoinRowCounts.PROVIDER,
            DefaultRelMetadataProvider.INSTANCE));

    private UnknownPredicates() {}

    /// Public because it is called by reflection.
    public RelOptPredicateList getPredicates(RelNode node, RelMetadataQuery metadata) {
        return RelOptPredicateList.EMPTY;
    }

    @Override
    public MetadataDef<BuiltInMetadata.Predicates> getDef() {
        return BuiltInMetadata.Predicates.DEF;
    }
}
