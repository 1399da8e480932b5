package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Prints the first rows of files.
@Command(
        name = "head",
        description = "Prints the first rows of a file, a folder or a glob.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  millrace head trips.parquet",
            "  millrace head 'logs/*.jsonl.gz' -n 100 --columns time,message --format csv",
            "  millrace head notes.parquet -n 1 --format vertical      # whole values, a line per column",
        })
final class Head implements Runnable {
    private static final int ROWS = 10;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PATH", description = "a file, a folder or a glob")
    private String path;

    @Option(
            names = {"-n", "--rows"},
            paramLabel = "N",
            description = "how many rows (default: 10)")
    private @Nullable Integer rows;

    @Option(names = "--columns", paramLabel = "NAME,...", split = ",", description = "only these columns")
    private List<String> columns = List.of();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "table, vertical, csv, json (one object per line) or markdown (default: table)")
    private @Nullable String format;

    @Mixin
    private final InputFiles input = new InputFiles();

    @Override
    public void run() {
        RowPrinter.checkedRows(spec, rows);
        String as = RowPrinter.checkedFormat(spec, format);
        try (Session session = Session.open()) {
            Dataset read = input.open(session, path);
            Dataset wanted = columns.isEmpty() ? read : read.select(columns.toArray(String[]::new));
            RowPrinter.of(spec).print(session, wanted, as, rows == null ? ROWS : rows, "");
        }
    }
}
