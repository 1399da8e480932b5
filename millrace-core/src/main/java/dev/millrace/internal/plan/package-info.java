/// From what the user asked for to what runs: logical plans, the optimizer rules, physical plans. The input is a
/// [dev.millrace.internal.plan.logical.LogicalPlan], the output a [dev.millrace.internal.plan.physical.PhysicalPlan];
/// nothing here runs anything.
package dev.millrace.internal.plan;
