package dev.millrace.cli;

import dev.millrace.ColumnSummary;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.internal.consume.TableText;
import dev.millrace.internal.progress.TerminalStream;
import dev.millrace.internal.stats.HumanUnits;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Says what is in files.
@Command(
        name = "inspect",
        description = "Says what is in a file, a folder or a glob: format, size, rows, row groups, columns with their"
                + " statistics, and the first rows.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Statistics are those of the first rows (--sample); rows are counted if the files know their number or",
            "have up to 1 GiB, or with --count.",
            "",
            "Examples:",
            "  millrace inspect trips.parquet",
            "  millrace inspect 'logs/*.jsonl.gz' --sample 1000000",
            "  millrace inspect photos/ --from images --rows 3",
            "  millrace inspect trips.parquet --json | jq '.columns[].name'",
        })
final class Inspect implements Runnable {
    private static final long COUNTED_BYTES = 1L << 30;
    private static final int MAX_SAMPLE = 10_000_000;
    private static final int TOP = 3;
    private static final MathContext DIGITS = new MathContext(6);

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "PATH", description = "a file, a folder or a glob")
    private String path;

    @Option(
            names = {"-n", "--rows"},
            paramLabel = "N",
            defaultValue = "5",
            description = "first rows to show (default: 5)")
    private int rows;

    @Option(
            names = "--sample",
            paramLabel = "N",
            defaultValue = "100000",
            description = "rows that statistics are made of, 0 for none (default: 100000)")
    private int sample;

    @Option(names = "--count", description = "count the rows also if all files must be read for it")
    private boolean count;

    @Option(names = "--json", description = "one JSON object instead of text")
    private boolean json;

    @Mixin
    private final InputFiles input = new InputFiles();

    @Override
    public void run() {
        RowPrinter.checkedRows(spec, rows);
        if (sample < 0 || sample > MAX_SAMPLE) {
            throw new ParameterException(
                    spec.commandLine(), "--sample takes 0 to " + MAX_SAMPLE + " rows, not " + sample + ".");
        }
        PrintWriter to = spec.commandLine().getOut();
        try (Session session = Session.open()) {
            String format = input.format(path);
            Dataset read = input.open(session, path);
            FileFacts files = FileFacts.of(read, format);
            boolean counts = count || !files.footers().isEmpty() || files.bytes() <= COUNTED_BYTES;
            Facts facts = new Facts(
                    path,
                    format,
                    files,
                    read.schema(),
                    counts ? read.count() : null,
                    ColumnFacts.of(read, read.schema(), sample));
            if (json) {
                JsonOutput.print(to, facts.json());
            } else {
                TableText.Layout layout = TableText.Layout.of(TerminalStream.OUT);
                to.println(facts.text(layout));
                to.println();
                if (rows > 0) {
                    to.println(TableText.of(read.take(rows), Optional.of(read.schema()), layout));
                }
            }
            to.flush();
        }
    }

    /// @param rows null if they were not counted
    private record Facts(
            String path,
            String format,
            FileFacts files,
            Schema schema,
            @Nullable Long rows,
            ColumnFacts statistics) {

        String text(TableText.Layout layout) {
            List<Row> columns = new ArrayList<>();
            schema.fields().forEach(field -> columns.add(row(field)));
            String none = statistics.columns().isEmpty() ? "" : " (statistics of " + sampled() + ")";
            StringBuilder text = new StringBuilder(path).append('\n');
            line(text, "format", format + (files.codecs().isEmpty() ? "" : ", " + String.join(", ", files.codecs())));
            if (!files.writers().isEmpty()) {
                line(text, "written by", String.join("; ", files.writers()));
            }
            line(
                    text,
                    "size",
                    (files.areAllSized() ? "" : "the first " + FileFacts.SIZED + " files ")
                            + HumanUnits.bytes(files.bytes()) + " in " + HumanUnits.count(files.files())
                            + (files.files() == 1 ? " file" : " files"));
            line(
                    text,
                    "rows",
                    rows == null
                            ? "not counted: all files must be read for it, which --count does"
                            : String.format(Locale.ROOT, "%,d", rows));
            if (!files.footers().isEmpty()) {
                line(text, "row groups", groups());
            }
            line(text, "columns", schema.fields().size() + none);
            return text.append('\n')
                    .append(TableText.of(columns, Optional.empty(), layout))
                    .toString();
        }

        private static void line(StringBuilder text, String label, String value) {
            text.append(String.format(Locale.ROOT, "  %-11s %s\n", label, value));
        }

        private String sampled() {
            return rows != null && statistics.rows() == rows
                    ? "all rows"
                    : String.format(Locale.ROOT, "the first %,d rows", statistics.rows());
        }

        private String groups() {
            int read = files.footers().size();
            String of = read < files.files() ? " in the first " + read + " files" : "";
            if (files.groups().isEmpty()) {
                return "none" + of;
            }
            return HumanUnits.count(files.groups().size()) + of + ", of "
                    + range(
                            HumanUnits.count(files.groupRows().getMin()),
                            HumanUnits.count(files.groupRows().getMax()))
                    + " rows and "
                    + range(
                            HumanUnits.bytes(files.groupBytes().getMin()),
                            HumanUnits.bytes(files.groupBytes().getMax()));
        }

        private static String range(String least, String most) {
            return least.equals(most) ? least : least + " to " + most;
        }

        private Row row(Field field) {
            ColumnFacts.Fact fact = statistics.columns().get(field.name());
            Row.Builder row = Row.builder()
                    .set("column", field.name())
                    .set("type", field.type().toString());
            if (statistics.columns().isEmpty()) {
                return row.build();
            }
            ColumnSummary summary = fact == null ? null : fact.summary();
            return row.set("missing", summary == null ? "" : percent(summary.missing()))
                    .set("min", summary == null ? "" : shortened(summary.min()))
                    .set("mean", summary == null ? "" : number(summary.mean()))
                    .set("median", summary == null ? "" : number(summary.median()))
                    .set("max", summary == null ? "" : shortened(summary.max()))
                    .set("values", fact == null ? "" : values(fact))
                    .build();
        }

        private static String percent(@Nullable Double share) {
            if (share == null || share == 0) {
                return "";
            }
            return share < 0.1 ? "<0.1 %" : String.format(Locale.ROOT, "%.1f %%", share);
        }

        private static String number(@Nullable Double value) {
            if (value == null) {
                return "";
            }
            return Double.isFinite(value)
                    ? new BigDecimal(value).round(DIGITS).stripTrailingZeros().toString()
                    : value.toString();
        }

        /// Digits of a double beyond those that tell it from others are no use here.
        private static String shortened(@Nullable String value) {
            if (value == null) {
                return "";
            }
            return value.matches("-?\\d+\\.\\d{7,}(E-?\\d+)?") ? number(Double.valueOf(value)) : value;
        }

        private static String values(ColumnFacts.Fact fact) {
            if (fact.histogram() != null) {
                return fact.histogram().bars(TerminalStream.OUT.showsBlocks());
            }
            List<ColumnSummary.Frequency> top = fact.summary().top();
            if (top == null) {
                return "";
            }
            if (top.isEmpty() || top.getFirst().count() * 200 < fact.summary().count()) {
                return top.isEmpty() ? "" : "(hardly any repeats)";
            }
            return top.stream()
                    .limit(TOP)
                    .map(one -> one.value() + " "
                            + HumanUnits.percent((double) one.count()
                                    / Math.max(1, fact.summary().count())))
                    .collect(Collectors.joining(", "));
        }

        Map<String, @Nullable Object> json() {
            Map<String, @Nullable Object> all = new LinkedHashMap<>();
            all.put("path", path);
            all.put("format", format);
            all.put("files", files.files());
            all.put("bytes", files.bytes());
            all.put("rows", rows);
            if (!files.footers().isEmpty()) {
                all.put(
                        "rowGroups",
                        files.groups().stream()
                                .map(group -> Map.of("rows", group.rows(), "bytes", group.bytes()))
                                .toList());
                all.put("compression", files.codecs());
                all.put("writtenBy", files.writers());
            }
            all.put("sampledRows", statistics.rows());
            all.put("columns", schema.fields().stream().map(this::json).toList());
            return all;
        }

        private Map<String, @Nullable Object> json(Field field) {
            Map<String, @Nullable Object> column = new LinkedHashMap<>();
            column.put("name", field.name());
            column.put("type", field.type().toString());
            ColumnFacts.Fact fact = statistics.columns().get(field.name());
            if (fact == null) {
                return column;
            }
            ColumnSummary summary = fact.summary();
            column.put("missingPercent", finite(summary.missing()));
            column.put("zeroPercent", finite(summary.zero()));
            column.put("mean", finite(summary.mean()));
            column.put("std", finite(summary.std()));
            column.put("min", summary.min());
            column.put("median", finite(summary.median()));
            column.put("max", summary.max());
            if (summary.top() != null) {
                column.put(
                        "top",
                        summary.top().stream()
                                .map(one -> Map.of("value", one.value(), "count", one.count()))
                                .toList());
            }
            if (fact.histogram() != null) {
                Map<String, @Nullable Object> histogram = new LinkedHashMap<>();
                histogram.put("from", fact.histogram().from());
                histogram.put("to", fact.histogram().to());
                histogram.put(
                        "counts",
                        Arrays.stream(fact.histogram().counts()).boxed().toList());
                column.put("histogram", histogram);
            }
            return column;
        }

        /// JSON has no other numbers.
        private static @Nullable Double finite(@Nullable Double value) {
            return value != null && Double.isFinite(value) ? value : null;
        }
    }
}
