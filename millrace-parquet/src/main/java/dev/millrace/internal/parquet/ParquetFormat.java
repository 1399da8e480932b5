package dev.millrace.internal.parquet;

import dev.millrace.internal.formats.CoreFormat;
import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.parquet.ReadParquet;
import dev.millrace.parquet.WriteParquet;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteFormatOptions;
import org.jspecify.annotations.Nullable;

/// The format `parquet`, found by the session by name.
public final class ParquetFormat extends CoreFormat<ReadParquet> {
    public ParquetFormat() {
        super("parquet", ParquetSource.endings(), ReadParquet.defaults(), ParquetSource::of);
    }

    @Override
    public FileFormat writing(@Nullable WriteFormatOptions options) {
        return new ParquetFileFormat(require(options, WriteParquet.defaults()));
    }
}
