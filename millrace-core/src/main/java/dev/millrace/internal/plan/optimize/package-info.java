/// Rewrites logical plans into cheaper ones with the same meaning: one rule, one file. [PlanOptimizer] lists them in
/// their order, with the reason for each position.
@NullMarked
package dev.millrace.internal.plan.optimize;

import org.jspecify.annotations.NullMarked;
