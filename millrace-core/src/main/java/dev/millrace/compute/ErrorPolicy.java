package dev.millrace.compute;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What happens to a row (or batch) whose function threw or returned an invalid result, or whose expression failed.
/// Immutable; given with [Compute#onError] for a function,
/// `Compute.defaults().onError(ErrorPolicy.skip().atMost(100))`, and to the verb itself for an expression,
/// `filter(col("a").div(col("b")).gt(1), ErrorPolicy.skip())`.
///
/// A policy is about the data and the function, not about the machine: a cancelled task, exhausted memory and internal
/// errors are never tolerated. A function over rows loses the one row; a `flatMap` loses all rows that the row would
/// have become. A function over batches loses the whole batch.
///
/// @param deadLetters the name under which rows are kept, or null
/// @param most the number of rows that may fail in a run; one more fails the run
/// @param mostRatio the fraction of the rows passed to the function that may fail; checked when all are done
public record ErrorPolicy(Action action, @Nullable String deadLetters, long most, double mostRatio)
        implements Serializable {
    /// What happens to a row that fails.
    public enum Action {
        /// The run fails.
        FAIL,
        /// The row is dropped.
        SKIP,
        /// The row is output with null in every column.
        NULLS,
        /// The row is dropped, and kept with its origin and the cause.
        DEAD_LETTER
    }

    private static final ErrorPolicy FAIL = new ErrorPolicy(Action.FAIL, null, 0, 0);

    public ErrorPolicy {
        Objects.requireNonNull(action);
        if (most < 0) {
            throw MillraceException.user(
                    "onError: the number of rows that may fail must be 0 or more, not " + most + ".");
        }
        if (!(mostRatio >= 0 && mostRatio <= 1)) {
            throw MillraceException.user(
                    "onError: the ratio of rows that may fail must be between 0 and 1, not " + mostRatio + ".");
        }
    }

    /// The first error stops the run: the default.
    public static ErrorPolicy fail() {
        return FAIL;
    }

    /// Drops rows that fail; their number is in the stats.
    public static ErrorPolicy skip() {
        return new ErrorPolicy(Action.SKIP, null, Long.MAX_VALUE, 1);
    }

    /// For expressions: null in the columns whose expression fails, the others keep their values. For functions: a row
    /// of nulls in the columns that the function returns, including those that it would have passed on unchanged, since
    /// these are not known. A batch becomes as many rows of nulls as it had. The columns are taken from rows of the
    /// same task that did not fail; if all of them fail, so does the run.
    public static ErrorPolicy nulls() {
        return new ErrorPolicy(Action.NULLS, null, Long.MAX_VALUE, 1);
    }

    /// Keeps rows that fail for inspection, with the cause.
    ///
    /// @param name for `session.deadLetters(name)`
    public static ErrorPolicy deadLetter(String name) {
        return new ErrorPolicy(Action.DEAD_LETTER, Objects.requireNonNull(name), Long.MAX_VALUE, 1);
    }

    /// Fails the run when more rows than this fail.
    public ErrorPolicy atMost(long rows) {
        return new ErrorPolicy(action, deadLetters, rows, mostRatio);
    }

    /// Fails the run at its end when a larger fraction of the rows than this has failed.
    public ErrorPolicy atMostRatio(double ratio) {
        return new ErrorPolicy(action, deadLetters, most, ratio);
    }

    /// Whether the first row that fails ends the run.
    public boolean isFail() {
        return action == Action.FAIL;
    }

    /// False if rows that fail are dropped.
    public boolean keepsRows() {
        return action == Action.FAIL || action == Action.NULLS;
    }

    /// "skip", "nulls", "deadLetter(bad)"
    @Override
    public String toString() {
        return action == Action.DEAD_LETTER
                ? "deadLetter(" + deadLetters + ")"
                : action.name().toLowerCase(Locale.ROOT);
    }
}
