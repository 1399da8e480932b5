package dev.millrace.benchmarks;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// How a workload is measured.
///
/// @param times the number of runs in one process, of which the first ones are not counted ([Median#ofWarm])
/// @param scale the factor on the number of rows; tests use a small one
/// @param data a folder of input files, or null
/// @param marks hears of each run
public record BenchSettings(
        int times, double scale, @Nullable Path data, RunMarks marks) {
    /// The usual number of runs, of every engine: five that count, after two that do not.
    public static final int TIMES = Median.UNCOUNTED + 5;

    public BenchSettings {
        if (times < 1) {
            throw new IllegalArgumentException("the number of times must be 1 or more, not " + times + ".");
        }
        if (!(scale > 0)) {
            throw new IllegalArgumentException("the scale must be above 0, not " + scale + ".");
        }
    }

    public BenchSettings(int times, double scale, @Nullable Path data) {
        this(times, scale, data, RunMarks.NONE);
    }

    public BenchSettings withTimes(int others) {
        return new BenchSettings(others, scale, data, marks);
    }

    public BenchSettings withMarks(RunMarks others) {
        return new BenchSettings(times, scale, data, others);
    }

    /// `rows` at this scale, at least ten.
    public long scaled(long rows) {
        return Math.max(10, Math.round(rows * scale));
    }
}
