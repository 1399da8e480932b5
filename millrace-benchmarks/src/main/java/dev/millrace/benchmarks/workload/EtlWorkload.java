package dev.millrace.benchmarks.workload;

import dev.millrace.batch.Batch;
import dev.millrace.benchmarks.BenchSettings;
import dev.millrace.benchmarks.Measurement;
import dev.millrace.benchmarks.Workload;
import dev.millrace.column.DecimalColumn;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.type.DataType;

/// Reads every column of every row, adds one computed by a function, and writes all of it.
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
        return LineItem.rewritten(settings, table -> table.mapBatches(EtlWorkload::net));
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
