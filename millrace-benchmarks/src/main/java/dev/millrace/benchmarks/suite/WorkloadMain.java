package dev.millrace.benchmarks.suite;

import dev.millrace.benchmarks.BenchFailure;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.MeasuredProcess;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.RunMarks;
import dev.millrace.benchmarks.Workload;
import dev.millrace.benchmarks.workload.Workloads;
import dev.millrace.error.MillraceException;
import java.nio.file.Path;

/// Runs one workload in this process, on the cluster that the property `millrace.cluster` names if it does, and prints
/// marks and its answer.
///
/// Arguments: workload, times, scale, data folder or nothing.
public final class WorkloadMain {
    private WorkloadMain() {}

    public static void main(String[] arguments) throws Exception {
        Workload workload = Workloads.find(arguments[0]).orElseThrow();
        Path data = arguments.length > 3 ? Path.of(arguments[3]) : null;
        BenchSettings settings =
                new BenchSettings(Integer.parseInt(arguments[1]), Double.parseDouble(arguments[2]), data);
        try {
            Measurement measured = workload.measure(settings.withMarks(RunMarks.PRINTED));
            System.out.println(MeasuredProcess.answer(measured.all(), measured.result()));
        } catch (BenchFailure | MillraceException e) {
            System.err.println(String.valueOf(e.getMessage()).replace('\n', ' '));
            System.exit(1);
        }
    }
}
