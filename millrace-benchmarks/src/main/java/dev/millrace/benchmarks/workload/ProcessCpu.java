package dev.millrace.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/// The CPU time of this process over all threads, including native ones.
final class ProcessCpu {
    private ProcessCpu() {}

    static double seconds() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime() / 1e9
                : Double.NaN;
    }
}
