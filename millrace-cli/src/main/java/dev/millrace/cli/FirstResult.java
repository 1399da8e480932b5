package dev.millrace.cli;

import dev.millrace.Session;
import dev.millrace.benchmarks.ProcessMemory;
import picocli.CommandLine.Command;

/// The child process of the benchmark `start`: prints the number of the first row as soon as it arrives, then its peak
/// memory in MB.
@Command(name = "first-result", hidden = true, mixinStandardHelpOptions = true)
final class FirstResult implements Runnable {
    @Override
    public void run() {
        try (Session session = Session.open()) {
            long first = session.range(10)
                    .mapBatches(batch -> batch)
                    .take(1)
                    .getFirst()
                    .getLong("id");
            System.out.println(first);
            System.out.flush();
        }
        System.out.println(ProcessMemory.peakMb());
    }
}
