package dev.millrace.cli;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.internal.stats.HumanUnits;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Reads files of one format and writes another.
@Command(
        name = "convert",
        description = "Reads files of one format and writes them in another.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "OUT is one file if its name has the ending of a table (parquet, csv, json, jsonl, arrow, avro), else a",
            "folder of files. What is there is replaced, when the rows are complete.",
            "",
            "Examples:",
            "  millrace convert trips.csv trips.parquet",
            "  millrace convert 'logs/*.jsonl.gz' logs-parquet/ --columns time,user --where \"status >= 500\"",
            "  millrace convert photos/ photos.parquet --from images",
            "  millrace convert tensors.npy shards/ --format tfrecord",
        })
final class Convert implements Runnable {
    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "IN", description = "a file, a folder or a glob")
    private String in;

    @Parameters(index = "1", paramLabel = "OUT", description = "a file or a folder")
    private String out;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "of OUT: parquet, csv, json, arrow or avro; in a folder also numpy, tfrecord, webdataset and"
                    + " text (default: by its ending, else parquet)")
    private @Nullable String format;

    @Option(names = "--columns", paramLabel = "NAME,...", split = ",", description = "only these columns")
    private List<String> columns = List.of();

    @Option(names = "--where", paramLabel = "CONDITION", description = "only rows for which it is true, as in SQL")
    private @Nullable String where;

    @Option(names = "--rows", paramLabel = "N", description = "only the first rows")
    private @Nullable Integer rows;

    @Mixin
    private final InputFiles input = new InputFiles();

    @Mixin
    private final SessionOptions options = new SessionOptions();

    @Override
    public void run() {
        RowPrinter.checkedRows(spec, rows);
        if (in.equals(out)) {
            throw new ParameterException(spec.commandLine(), "IN and OUT are both '" + in + "'.");
        }
        ResultOutput to = ResultOutput.of(spec, out, format);
        long begun = System.nanoTime();
        long count;
        try (Session session = options.open()) {
            count = to.write(session, wanted(input.open(session, in)));
        }
        PrintWriter printed = spec.commandLine().getOut();
        printed.printf(
                Locale.ROOT,
                "%,d rows: %s, %s, in %s%n",
                count,
                out,
                to.format(),
                HumanUnits.time(System.nanoTime() - begun));
        printed.flush();
    }

    private Dataset wanted(Dataset read) {
        Dataset some = where == null ? read : read.filter(where);
        Dataset narrow = columns.isEmpty() ? some : some.select(columns.toArray(String[]::new));
        return rows == null ? narrow : narrow.limit(rows);
    }
}
