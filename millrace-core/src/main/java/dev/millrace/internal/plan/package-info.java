/// From what the user asked for to what runs: logical plans, the optimizer rules, physical plans. The input is a
/// [dev.millrace.internal.plan.logical.LogicalPlan], the output a [dev.millrace.internal.plan.physical.PhysicalPlan];
/// nothing here runs anything.
@NullMarked
package dev.millrace.internal.plan;

import org.jspecify.annotations.NullMarked;
