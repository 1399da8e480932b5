/// Rewrites logical plans into cheaper ones with the same meaning: one rule, one file. [Optimizer] lists them in their
/// order, with the reason for each position.
package dev.millrace.internal.plan.optimize;
