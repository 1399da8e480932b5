package dev.millrace.cli;

import dev.millrace.benchmarks.soak.Soak;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Searches for lost or duplicated rows.
@Command(
        name = "soak",
        description = "Runs random pipelines under injected faults and checks every row against a plain Java model.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  millrace soak --minutes 10",
            "  millrace soak --seed 42 --pipelines 1        # once more, a pipeline that failed",
        })
final class SoakCommand implements Callable<Integer> {
    /// The mean time from one killed or frozen worker to the next.
    private static final Duration DISTURBANCE = Duration.ofSeconds(3);

    @Spec
    private CommandSpec spec;

    @Option(names = "--minutes", paramLabel = "N", defaultValue = "1", description = "how long (default: 1)")
    private double minutes;

    @Option(names = "--seed", paramLabel = "S", description = "of the first pipeline (default: a random one)")
    private @Nullable Long seed;

    @Option(names = "--pipelines", paramLabel = "N", description = "at most so many (default: as the time allows)")
    private @Nullable Long pipelines;

    @Option(
            names = "--cluster",
            description = "on three worker processes, of which one is killed or frozen every few seconds, instead of"
                    + " injected faults")
    private boolean cluster;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!(minutes > 0)) {
            throw new ParameterException(spec.commandLine(), "--minutes must be more than 0, not " + minutes + ".");
        }
        PrintWriter out = spec.commandLine().getOut();
        long first = seed == null ? ThreadLocalRandom.current().nextLong(1_000_000_000) : seed;
        out.println("Seed " + first);
        out.flush();
        Duration time = Duration.ofMillis((long) (minutes * 60_000));
        long most = pipelines == null ? Long.MAX_VALUE : pipelines;
        Soak.Result result = cluster ? Soak.runOnWorkers(time, most, first, DISTURBANCE) : Soak.run(time, most, first);
        out.println(result);
        out.flush();
        return result.isGood() ? 0 : 1;
    }
}
