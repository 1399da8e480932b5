/// From what the user asked for to what runs: logical plans, the rules that make them cheaper, physical plans.
/// Enters a [dev.millrace.internal.plan.logical.LogicalPlan], leaves a
/// [dev.millrace.internal.plan.physical.PhysicalPlan]; nothing here runs anything.
package dev.millrace.internal.plan;
