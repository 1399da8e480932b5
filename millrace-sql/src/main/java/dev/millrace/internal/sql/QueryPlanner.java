package dev.millrace.internal.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.metadata.MetadataHandlerProvider;
import org.apache.calcite.rel.metadata.ProxyingMetadataHandlerProvider;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.rules.FilterAggregateTransposeRule;
import org.apache.calcite.rel.rules.FilterJoinRule.FilterIntoJoinRule.FilterIntoJoinRuleConfig;
import org.apache.calcite.rel.rules.FilterJoinRule.JoinConditionPushRule.JoinConditionPushRuleConfig;
import org.apache.calcite.rel.rules.FilterMergeRule;
import org.apache.calcite.rel.rules.FilterProjectTransposeRule;
import org.apache.calcite.rel.rules.FilterSetOpTransposeRule;
import org.apache.calcite.rel.rules.JoinPushExpressionsRule;
import org.apache.calcite.rel.rules.ProjectMergeRule;
import org.apache.calcite.rel.rules.ProjectRemoveRule;
import org.apache.calcite.rel.rules.SubQueryRemoveRule;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;
import org.apache.calcite.util.ImmutableBitSet;

/// Optimises a query before it is translated to datasets: subqueries become joins, conditions are pushed to the joins
/// and tables they refer to, joins are ordered without needless cross products. Everything else is left to the
/// optimizer of datasets.
final class QueryPlanner {
    // Rules are made from their own configurations: the first use of Calcite's list of them makes all of it, which
    // loads a thousand classes.
    private static final List<RelRule<?>> SUBQUERIES = List.of(
            SubQueryRemoveRule.Config.FILTER.toRule(),
            SubQueryRemoveRule.Config.PROJECT.toRule(),
            SubQueryRemoveRule.Config.JOIN.toRule());

    /// Builds a new filter instead of copying it: a copy may contain an OR in an OR, which Calcite's assertions reject.
    private static final RelRule<?> FILTER_BELOW_PROJECTION =
            FilterProjectTransposeRule.Config.DEFAULT.withCopyFilter(false).toRule();

    /// Filters are not pushed below an aggregate without keys: it returns a row even for an empty input, which a
    /// condition without columns (the only one that Calcite would push there) has to filter out.
    private static final RelRule<?> FILTER_BELOW_AGGREGATE = FilterAggregateTransposeRule.Config.DEFAULT
            .withOperandSupplier(filter -> filter.operand(Filter.class)
                    .oneInput(input -> input.operand(Aggregate.class)
                            .predicate(aggregate ->
                                    aggregate.getGroupSets().stream().noneMatch(ImmutableBitSet::isEmpty))
                            .anyInputs()))
            .as(FilterAggregateTransposeRule.Config.class)
            .toRule();

    private static final List<RelRule<?>> CONDITIONS = List.of(
            FilterIntoJoinRuleConfig.DEFAULT.toRule(),
            JoinConditionPushRuleConfig.DEFAULT.toRule(),
            FILTER_BELOW_PROJECTION,
            FILTER_BELOW_AGGREGATE,
            FilterSetOpTransposeRule.Config.DEFAULT.toRule(),
            FilterMergeRule.Config.DEFAULT.toRule());

    private static final List<RelRule<?>> LAST = List.of(
            JoinPushExpressionsRule.Config.DEFAULT.toRule(),
            ProjectMergeRule.Config.DEFAULT.toRule(),
            ProjectRemoveRule.Config.DEFAULT.toRule());

    /// Constants are not folded by code that Calcite generates; they are evaluated when datasets run.
    private static final RexExecutor AS_WRITTEN = (builder, expressions, reduced) -> reduced.addAll(expressions);

    private static final MetadataHandlerProvider METADATA =
            new KeptHandlers(new ProxyingMetadataHandlerProvider(UnknownPredicates.PROVIDER));

    private final RelOptCluster cluster;
    private final RelBuilderFactory builders;

    private QueryPlanner(RelOptCluster cluster, RelBuilderFactory builders) {
        this.cluster = cluster;
        this.builders = builders;
    }

    /// The context shared by the nodes of one query. Metadata providers use reflection, so that no compiler is needed.
    static RelOptCluster cluster(SqlTypeFactory types) {
        HepPlanner planner = new HepPlanner(new HepProgramBuilder().build());
        planner.setExecutor(AS_WRITTEN);
        RelOptCluster cluster = RelOptCluster.create(planner, new RexBuilder(types));
        cluster.setMetadataQuerySupplier(() -> new RelMetadataQuery(METADATA));
        return cluster;
    }

    /// @param relations how rules create relations
    static RelNode plan(RelNode query, RelBuilder.Config relations) {
        return new QueryPlanner(query.getCluster(), RelBuilder.proto(relations)).planned(query);
    }

    private RelNode planned(RelNode query) {
        RelNode node = apply(query.accept(new NullOperands()), SUBQUERIES, HepMatchOrder.BOTTOM_UP)
                .accept(new AlwaysARow())
                .accept(new UnusedCorrelations())
                .accept(new ConstantKeys())
                .accept(new CorrelatedMeasures())
                .accept(new OuterJoinKeys());
        // Twice: a correlation whose subquery turns out to have no rows remains, and with it those around it. Nothing
        // uses it then, so it becomes a join.
        for (int round = 0; round < 2; round++) {
            node = new QueryDecorrelation(builders).of(node).accept(new UnusedCorrelations());
        }
        node = apply(node, CONDITIONS, HepMatchOrder.TOP_DOWN);
        node = new JoinPlanner(cluster.getRexBuilder()).ordered(node);
        node = node.accept(new CommonFactors(cluster.getRexBuilder()));
        node = apply(node, CONDITIONS, HepMatchOrder.TOP_DOWN);
        return apply(node, LAST, HepMatchOrder.BOTTOM_UP);
    }

    private RelNode apply(RelNode node, List<RelRule<?>> rules, HepMatchOrder order) {
        List<RelOptRule> built = new ArrayList<>();
        rules.forEach(
                rule -> built.add(rule.config.withRelBuilderFactory(builders).toRule()));
        HepPlanner planner = new HepPlanner(new HepProgramBuilder()
                .addMatchOrder(order)
                .addRuleCollection(built)
                .build());
        planner.setExecutor(AS_WRITTEN);
        planner.setRoot(node);
        return planner.findBestExp();
    }

    /// A correlation whose right side has a row for every row of the left, such as an aggregate without keys, would
    /// lose rows as an inner join by keys; a left join keeps them.
    private static final class AlwaysARow extends RelHomogeneousShuttle {
        @Override
        public RelNode visit(LogicalCorrelate correlate) {
            LogicalCorrelate visited = (LogicalCorrelate) super.visit(correlate);
            Double least = visited.getCluster().getMetadataQuery().getMinRowCount(visited.getRight());
            if (visited.getJoinType() != JoinRelType.INNER || least == null || least < 1) {
                return visited;
            }
            RelNode outer = visited.copy(
                    visited.getTraitSet(),
                    visited.getLeft(),
                    visited.getRight(),
                    visited.getCorrelationId(),
                    visited.getRequiredColumns(),
                    JoinRelType.LEFT);
            return RelOptUtil.createCastRel(outer, visited.getRowType(), true);
        }
    }

    /// Rewrites `(a and b) or (a and c)` to `a and (b or c)`, so that `a` may be a join key.
    private static final class CommonFactors extends RelHomogeneousShuttle {
        private final RexBuilder builder;

        CommonFactors(RexBuilder builder) {
            this.builder = builder;
        }

        @Override
        public RelNode visit(LogicalFilter filter) {
            RelNode input = filter.getInput().accept(this);
            RexNode condition = RexUtil.pullFactors(builder, filter.getCondition());
            return filter.copy(filter.getTraitSet(), input, condition);
        }
    }
}
