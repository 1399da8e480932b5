package dev.millrace.benchmarks.workload;

import static dev.millrace.aggregate.Aggregates.approximateCountDistinct;
import static dev.millrace.aggregate.Aggregates.count;
import static dev.millrace.aggregate.Aggregates.max;
import static dev.millrace.aggregate.Aggregates.sum;
import static dev.millrace.window.WindowFunctions.over;
import static dev.millrace.window.WindowFunctions.rowNumber;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.window.Frame;
import dev.millrace.window.Window;
import java.util.function.Function;

/// A query over 12 million rows of Parquet whose answer is one line.
///
/// @param isEstimate whether the results of engines may differ by a few percent
public record QuestionWorkload(String name, String sentence, boolean isEstimate, Function<Dataset, String> question)
        implements Workload {
    private static final double ESTIMATES_APART = 0.1;

    public static final Workload WINDOW = exact(
            "window",
            "row numbers and running sums of 12 million rows of Parquet, in 20 thousand partitions by date",
            rows -> numbered(rows, Window.partitionBy("l_suppkey").orderBy("l_shipdate")));

    public static final Workload WINDOW_WHOLE = exact(
            "window-whole",
            "the same of all 12 million rows as one partition",
            rows -> numbered(rows, Window.whole().orderBy("l_shipdate")));

    public static final Workload DISTINCT = exact(
            "distinct",
            "the different suppliers and dates of 12 million rows of Parquet, 10.6 million",
            rows -> Long.toString(
                    rows.select("l_suppkey", "l_shipdate").distinct().count()));

    public static final Workload VALUE_COUNTS = exact(
            "value-counts",
            "how often each of 400 thousand parts comes in 12 million rows of Parquet",
            QuestionWorkload::counted);

    public static final Workload APPROX_DISTINCT = new QuestionWorkload(
            "approx-distinct",
            "about how many of 3 million orders come in 12 million rows of Parquet",
            true,
            QuestionWorkload::estimated);

    private static Workload exact(String name, String sentence, Function<Dataset, String> question) {
        return new QuestionWorkload(name, sentence, false, question);
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public boolean agree(String ours, String theirs) {
        if (!isEstimate) {
            return ours.equals(theirs);
        }
        double one = Double.parseDouble(ours);
        return Math.abs(one - Double.parseDouble(theirs)) <= ESTIMATES_APART * one;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = LineItem.folder(settings);
        try (Session session = Sessions.quiet()) {
            return Measurement.repeat(settings, () -> question.apply(session.readParquet(folder)))
                    .perSecond("rows_per_second", rows())
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        }
    }

    private static String numbered(Dataset rows, Window window) {
        Row total = rows.window(
                        window,
                        rowNumber().as("n"),
                        over(sum("l_quantity"), Frame.runningWithPeers()).as("s"))
                .aggregate(sum("n"), sum("s"))
                .takeAll()
                .getFirst();
        return total.get("sum(n)") + " / " + total.get("sum(s)");
    }

    private static String counted(Dataset rows) {
        Row total = rows.valueCounts("l_partkey")
                .aggregate(count(), sum("count").as("n"), max("count").as("most"))
                .takeAll()
                .getFirst();
        return total.get("count()") + " / " + total.get("n") + " / " + total.get("most");
    }

    private static String estimated(Dataset rows) {
        Row total = rows.aggregate(approximateCountDistinct("l_orderkey").as("n"))
                .takeAll()
                .getFirst();
        return String.valueOf(total.get("n"));
    }
}
