package dev.millrace.stats;

import java.util.List;
import java.util.Map;

/// A metric of a session with all its values at one moment; docs/metrics.md lists them.
///
/// @param name in words that are joined by dots and underscores: `millrace.operator.input_rows`
/// @param unit as UCUM writes it: `By`, `s`, or what is counted in braces: `{row}`
/// @param description a sentence
/// @param samples one for each set of labels; there may be none yet
public record MetricFamily(String name, Kind kind, String unit, String description, List<Sample> samples) {
    /// How values follow one another.
    public enum Kind {
        /// Never falls while the session is open.
        COUNTER,
        /// As it is now.
        GAUGE
    }

    /// One value.
    ///
    /// @param labels what it is of, in a fixed order: dataset and operator for most; empty for those of the session
    public record Sample(Map<String, String> labels, double value) {}

    public MetricFamily {
        samples = List.copyOf(samples);
    }
}
