package dev.millrace.internal.iceberg;

import dev.millrace.block.Block;
import dev.millrace.block.Blocks;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.internal.runtime.MachineLimits;
import dev.millrace.memory.Allocator;
import dev.millrace.parquet.ParquetCompression;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.sink.Fragment;
import dev.millrace.sink.SinkWriter;
import dev.millrace.sink.WriteTask;
import dev.millrace.sink.WrittenFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.PropertyUtil;

/// Writes the data files of one attempt of a task: one open file per partition, with a maximum number of open files.
/// One thread.
public final class TableWriter implements SinkWriter {
    /// Each open file buffers the pages of a row group; beyond this number the least recently used file is closed.
    private static final int MAX_OPEN = 32;

    private final int mostOpen = MachineLimits.filesPerTask(MAX_OPEN);

    private final Table table;
    private final WriteColumns columns;
    private final WriteTask task;
    private final Allocator allocator;
    private final PartitionSpec spec;
    private final ParquetFileFormat format;
    private final long fileBytes;
    /// By partition, the least recently used first.
    private final Map<PartitionKey, DataFileOutput> open = new LinkedHashMap<>(16, 0.75f, true);

    private final List<DataFile> done = new ArrayList<>();
    private int files;
    private boolean finished;

    public TableWriter(Table table, WriteColumns columns, WriteTask task) {
        this.table = table;
        this.columns = columns;
        this.task = task;
        this.allocator = task.allocator();
        this.spec = table.spec();
        this.format = new ParquetFileFormat(options(table), IcebergTypes.ids(table.schema()));
        this.fileBytes = PropertyUtil.propertyAsLong(
                table.properties(),
                TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
                TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    }

    /// The table's write properties, as far as they are supported.
    private static WriteParquet options(Table table) {
        String codec = table.properties().getOrDefault(TableProperties.PARQUET_COMPRESSION, "zstd");
        ParquetCompression kind = switch (codec.toLowerCase(java.util.Locale.ROOT)) {
            case "uncompressed", "none" -> ParquetCompression.NONE;
            case "snappy" -> ParquetCompression.SNAPPY;
            case "gzip" -> ParquetCompression.GZIP;
            case "lz4", "lz4_raw" -> ParquetCompression.LZ4;
            default -> ParquetCompression.ZSTD;
        };
        return WriteParquet.defaults().compression(kind);
    }

    /// The folder of a table's data files.
    public static String dataFolder(Table table) {
        String given = table.properties().get(TableProperties.WRITE_DATA_LOCATION);
        return given == null ? table.location() + "/data" : given;
    }

    @Override
    public void write(Block chunk) throws Exception {
        if (chunk.rows() == 0) {
            return;
        }
        try (Block rows = columns.conform(chunk, allocator)) {
            if (spec.isUnpartitioned()) {
                write(new PartitionKey(spec, table.schema()), rows);
                return;
            }
            for (Map.Entry<PartitionKey, RowNumbers> part :
                    PartitionedRows.of(rows, spec, table.schema()).entrySet()) {
                RowNumbers numbers = part.getValue();
                try (Block some = Blocks.take(allocator, rows, numbers.rows(), numbers.count())) {
                    write(part.getKey(), some);
                }
            }
        }
    }

    private void write(PartitionKey partition, Block rows) throws Exception {
        DataFileOutput file = open.get(partition);
        if (file == null) {
            if (open.size() >= mostOpen) {
                Map.Entry<PartitionKey, DataFileOutput> oldest =
                        open.entrySet().iterator().next();
                end(oldest.getKey(), oldest.getValue());
            }
            file = new DataFileOutput(table, spec, partition, name(), format, columns.schema(), allocator);
            open.put(partition, file);
        }
        file.write(rows);
        if (file.bytes() >= fileBytes) {
            end(partition, file);
        }
    }

    private String name() {
        return task.job().id() + "-" + task.attempt() + "-" + String.format(Locale.ROOT, "%05d", files++) + ".parquet";
    }

    private void end(PartitionKey partition, DataFileOutput file) throws Exception {
        done.add(file.finish());
        open.remove(partition);
    }

    @Override
    public Fragment finish() throws Exception {
        for (Map.Entry<PartitionKey, DataFileOutput> file : List.copyOf(open.entrySet())) {
            end(file.getKey(), file.getValue());
        }
        finished = true;
        return new Fragment(done.stream()
                .map(file -> new WrittenFile(DataFileText.of(file), file.recordCount(), file.fileSizeInBytes()))
                .toList());
    }

    @Override
    public void close() {
        if (finished) {
            return;
        }
        open.values().forEach(DataFileOutput::discard);
        done.forEach(file -> table.io().deleteFile(file.location()));
    }
}
