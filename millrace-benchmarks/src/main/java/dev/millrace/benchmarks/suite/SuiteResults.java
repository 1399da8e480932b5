package dev.millrace.benchmarks.suite;

import java.util.List;
import java.util.Optional;

/// What a run of many workloads has found.
///
/// @param outcomes of every engine and workload that was measured
/// @param differences sentences about results that differ
/// @param failures what was not measured, and why
public record SuiteResults(List<Outcome> outcomes, List<String> differences, List<Failure> failures) {
    /// An engine that has not finished a workload.
    public record Failure(String workload, String engine, String sentence) {}

    public SuiteResults {
        outcomes = List.copyOf(outcomes);
        differences = List.copyOf(differences);
        failures = List.copyOf(failures);
    }

    /// The engines in the order of their first outcome.
    List<String> engines(Outcome.Mode mode) {
        return of(mode).stream().map(Outcome::engine).distinct().toList();
    }

    List<String> workloads(Outcome.Mode mode) {
        return of(mode).stream().map(Outcome::workload).distinct().toList();
    }

    List<Outcome> of(Outcome.Mode mode) {
        return outcomes.stream().filter(outcome -> outcome.mode() == mode).toList();
    }

    Optional<Outcome> find(String workload, Outcome.Mode mode, String engine) {
        return outcomes.stream()
                .filter(outcome -> outcome.workload().equals(workload)
                        && outcome.mode() == mode
                        && outcome.engine().equals(engine))
                .findFirst();
    }
}
