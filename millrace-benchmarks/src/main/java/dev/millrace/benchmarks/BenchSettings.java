package dev.millrace.benchmarks;

import java.nio.file.Path;

/// How a workload is measured.
///
/// @param times the number of runs in one process; the first one is cold
/// @param scale the factor on the number of rows; tests use a small one
/// @param data a folder of input files, or null
public record BenchSettings(int times, double scale, Path data) {
    public BenchSettings {
        if (times < 1) {
            throw new IllegalArgumentException("the number of times must be 1 or more, not " + times + ".");
        }
        if (!(scale > 0)) {
            throw new IllegalArgumentException("the scale must be above 0, not " + scale + ".");
        }
    }

    /// `rows` at this scale, at least ten.
    public long scaled(long rows) {
        return Math.max(10, Math.round(rows * scale));
    }
}
