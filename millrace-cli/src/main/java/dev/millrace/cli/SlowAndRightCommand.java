package dev.millrace.cli;

import dev.millrace.error.MillraceException;
import dev.millrace.examples.SlowAndRight;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Shows the cost of common mistakes.
@Command(
        name = "slow-and-right",
        description = "Classifies photographs well and in six bad ways: what each mistake costs, and what stats say.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  millrace slow-and-right",
            "  millrace slow-and-right --images 32 --rounds 1",
        })
final class SlowAndRightCommand implements Runnable {
    @Option(names = "--images", paramLabel = "N", defaultValue = "128", description = "photographs (default: 128)")
    private int images;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "2",
            description = "rounds of each way, of which the best counts (default: 2)")
    private int rounds;

    @Option(
            names = "--out",
            paramLabel = "FOLDER",
            defaultValue = "build/slow-and-right",
            description = "where model and photographs are unpacked (default: build/slow-and-right)")
    @SuppressWarnings("NullAway.Init")
    private Path out;

    @Override
    public void run() {
        try {
            SlowAndRight.run(out, images, rounds, System.out);
        } catch (IOException failure) {
            throw MillraceException.user("The example could not write into '" + out + "': " + failure.getMessage()
                    + ". Choose another folder with --out.");
        }
    }
}
