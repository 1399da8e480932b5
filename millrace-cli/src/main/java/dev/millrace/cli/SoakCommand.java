package dev.millrace.cli;

import dev.millrace.benchmarks.soak.Soak;
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
        mixinStandardHelpOptions = true)
final class SoakCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--minutes", paramLabel = "N", defaultValue = "1", description = "how long (default: 1)")
    private double minutes;

    @Option(names = "--seed", paramLabel = "S", description = "of the first pipeline (default: a random one)")
    private @Nullable Long seed;

    @Option(names = "--pipelines", paramLabel = "N", description = "at most so many (default: as the time allows)")
    private @Nullable Long pipelines;

    @Override
    public Integer call() {
        if (!(minutes > 0)) {
            throw new ParameterException(spec.commandLine(), "--minutes must be more than 0, not " + minutes + ".");
        }
        PrintWriter out = spec.commandLine().getOut();
        long first = seed == null ? ThreadLocalRandom.current().nextLong(1_000_000_000) : seed;
        out.println("Seed " + first);
        out.flush();
        Soak.Result result = Soak.run(
                Duration.ofMillis((long) (minutes * 60_000)), pipelines == null ? Long.MAX_VALUE : pipelines, first);
        out.println(result);
        out.flush();
        return result.isGood() ? 0 : 1;
    }
}
