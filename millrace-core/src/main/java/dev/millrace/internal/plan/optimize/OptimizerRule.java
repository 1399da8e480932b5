package dev.millrace.internal.plan.optimize;

import dev.millrace.internal.plan.logical.LogicalPlan;

/// A rewrite of a plan that keeps its rows, their order and its schema.
interface OptimizerRule {
    LogicalPlan apply(LogicalPlan plan);
}
