package dev.millrace.parquet;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.internal.parquet.write.ParquetFileFormat;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteParquet;
import dev.millrace.source.FormatProvider;
import dev.millrace.source.ReadParquet;
import dev.millrace.source.Source;
import java.util.List;

/// The format `parquet`, as the session finds it.
public final class ParquetFormat implements FormatProvider {
    @Override
    public String name() {
        return "parquet";
    }

    @Override
    public List<String> extensions() {
        return ParquetSource.endings();
    }

    @Override
    public FileFormat writing(Object options) {
        return switch (options) {
            case null -> new ParquetFileFormat(WriteParquet.defaults());
            case WriteParquet parquet -> new ParquetFileFormat(parquet);
            default ->
                throw MillraceException.user("Parquet is written with options of " + WriteParquet.class.getName()
                        + ", not of " + options.getClass().getName() + ".");
        };
    }

    @Override
    public Source open(List<String> paths, Object options) {
        return switch (options) {
            case null -> ParquetSource.of(paths, ReadParquet.defaults());
            case ReadParquet parquet -> ParquetSource.of(paths, parquet);
            default ->
                throw MillraceException.user("Parquet is read with options of " + ReadParquet.class.getName()
                        + ", not of " + options.getClass().getName() + ".");
        };
    }
}
