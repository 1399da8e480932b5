package dev.millrace.internal.planfile;

import dev.millrace.internal.plan.logical.LogicalPlan;
import java.io.Serializable;

/// What a file of a plan holds.
///
/// @param name of the dataset's runs
/// @param ordered whether rows keep their order
public record SavedPlan(LogicalPlan plan, String name, boolean ordered) implements Serializable {}
