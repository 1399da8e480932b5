package dev.millrace.internal.planfile;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.plan.logical.GroupPlan;
import dev.millrace.internal.plan.logical.LogicalPlan;
import dev.millrace.internal.plan.logical.PlanRewrite;
import dev.millrace.internal.source.ArrowBytesSource;
import dev.millrace.internal.source.ItemsSource;
import dev.millrace.internal.source.IteratorSource;
import dev.millrace.internal.transform.FunctionCheck;
import dev.millrace.source.Source;
import java.io.IOException;

/// The parts of a plan, each of which can be saved or is named in an error.
final class PlanParts {
    /// Rows in memory that may be part of a file.
    static final int MAX_ROWS_BYTES = 1 << 20;

    private PlanParts() {}

    /// @throws MillraceException culprit USER, for the first part that belongs to this process
    static void requireSavable(LogicalPlan plan) {
        PlanRewrite.visit(plan, node -> {
            switch (node) {
                case LogicalPlan.Blocks _ ->
                    throw MillraceException.user(
                            "savePlan: the plan begins with a materialised dataset, whose blocks are"
                                    + " of this session. Write its rows to files and read these, or save the plan before"
                                    + " materialize().");
                case LogicalPlan.Read read -> requireSavable(read.source());
                case LogicalPlan.TransformRows rows -> requireSavable(rows.name(), rows.operation());
                case LogicalPlan.TransformBatches batches ->
                    requireSavable(batches.name(), batches.operation().function());
                case GroupPlan.MapGroups groups ->
                    requireSavable(groups.name(), groups.operation().function());
                // Expressions, and options of verbs: all of them are values.
                default -> {}
            }
        });
    }

    private static void requireSavable(String operator, Object function) {
        try {
            FunctionCheck.requireSerialisable(operator, function);
        } catch (MillraceException e) {
            throw MillraceException.user("savePlan: " + e.getMessage());
        }
    }

    private static void requireSavable(Source source) {
        switch (source) {
            case IteratorSource _ ->
                throw MillraceException.user(
                        "savePlan: the plan reads an iterator or a stream, which is of this process."
                                + " Write its rows to files and read these.");
            case ArrowBytesSource arrow
            when !arrow.isOnHeap() ->
                throw MillraceException.user(
                        "savePlan: the plan reads Arrow data in memory of this process. Write it to a"
                                + " file and read that.");
            case ItemsSource _, ArrowBytesSource _ -> requireSmall(source);
            default -> {}
        }
    }

    private static void requireSmall(Source source) {
        int bytes;
        try {
            bytes = PlanOutput.encode(source).length;
        } catch (IOException e) {
            throw MillraceException.user("savePlan: the rows of " + source.name() + " cannot be written: " + e + ".");
        }
        if (bytes > MAX_ROWS_BYTES) {
            throw MillraceException.user("savePlan: " + source.name() + " has rows of " + bytes
                    + " bytes in memory, and a plan may have " + MAX_ROWS_BYTES
                    + " of them. Write the rows to files and read these.");
        }
    }
}
