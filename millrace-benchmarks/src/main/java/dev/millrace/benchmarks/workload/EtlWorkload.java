package dev.millrace.benchmarks.workload;

import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.internal.sink.Trees;
import dev.millrace.sink.WriteOptions;
import dev.millrace.type.DataType;
import java.nio.file.Files;
import java.nio.file.Path;

/// Every column of every row read, one more made by a function, all of it written.
public final class EtlWorkload implements Workload {
    @Override
    public String name() {
        return "etl";
    }

    @Override
    public String sentence() {
        return "12 million rows of Parquet read, a column added by a batch function, 17 columns written as Parquet";
    }

    @Override
    public long rows() {
        return LineItem.ROWS;
    }

    @Override
    public Measurement measure(BenchSettings settings) throws Exception {
        String folder = LineItem.folder(settings);
        Path out = Files.createTempDirectory("millrace-etl");
        try (Session session = Sessions.quiet()) {
            WriteOptions overwrite = WriteOptions.defaults().overwrite();
            return Measurement.repeat(
                            settings.times(),
                            () -> session.readParquet(folder)
                                    .mapBatches(EtlWorkload::net)
                                    .writeParquet(out.toString(), overwrite)
                                    .rows())
                    .perSecond("rows_per_second", rows())
                    .with("peak_block_mb", session.allocator().peakBytes() / 1e6);
        } finally {
            Trees.delete(out);
        }
    }

    private static Batch net(Batch batch) {
        DecimalColumn price = (DecimalColumn) batch.column("l_extendedprice");
        DecimalColumn discount = (DecimalColumn) batch.column("l_discount");
        DoubleBuilder net = (DoubleBuilder) batch.newColumn(DataType.FLOAT64);
        for (long i = 0; i < batch.rows(); i++) {
            net.append(price.low(i) / 100.0 * (1 - discount.low(i) / 100.0));
        }
        return batch.with("net", net);
    }
}
