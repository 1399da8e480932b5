package dev.millrace;

import dev.millrace.compression.IpcCompression;
import dev.millrace.files.FileSink;
import dev.millrace.internal.source.FormatRegistry;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteArrow;
import dev.millrace.sink.WriteAvro;
import dev.millrace.sink.WriteCsv;
import dev.millrace.sink.WriteFormatOptions;
import dev.millrace.sink.WriteJson;
import dev.millrace.sink.WriteNumpy;
import dev.millrace.sink.WriteOptions;
import dev.millrace.sink.WriteSummary;
import dev.millrace.sink.WriteTfRecords;
import org.jspecify.annotations.Nullable;

/// Writes a dataset: one method for each format, all of them through [#write(Sink)]. Except for Arrow, they need the
/// artifact of the format: `millrace-formats`, `millrace-parquet`, `millrace-images`.
sealed interface DatasetWrites permits Dataset {
    /// Writes to any sink.
    WriteSummary write(Sink sink);

    private Dataset self() {
        return (Dataset) this;
    }

    /// Writes CSV files into a folder; numbers, booleans, times and texts.
    default WriteSummary writeCsv(String folder) {
        return writeCsv(folder, WriteCsv.defaults());
    }

    /// The same with options.
    default WriteSummary writeCsv(String folder, WriteCsv options) {
        return write("csv", folder, options.files(), options);
    }

    /// Writes Arrow IPC files into a folder; see [WriteOptions] for the treatment of an existing folder, and for how
    /// rows are distributed over files. Nothing is visible before everything is written. A dataset without rows results
    /// in one file with the schema, if that is known, else none.
    default WriteSummary writeArrow(String folder) {
        return writeArrow(folder, WriteOptions.defaults());
    }

    /// The same with options of files.
    default WriteSummary writeArrow(String folder, WriteOptions options) {
        return writeArrow(folder, options, IpcCompression.NONE);
    }

    /// The same with buffers compressed.
    default WriteSummary writeArrow(String folder, WriteOptions options, IpcCompression compression) {
        return write("arrow", folder, options, WriteArrow.of(compression));
    }

    /// Writes one column as `.npy` files, each an array whose first dimension is the rows.
    default WriteSummary writeNumpy(String folder, String column) {
        return writeNumpy(folder, column, WriteOptions.defaults());
    }

    /// The same with options of files.
    default WriteSummary writeNumpy(String folder, String column, WriteOptions options) {
        return write("numpy", folder, options, WriteNumpy.of(column));
    }

    /// Writes Parquet files into a folder, as [#writeArrow] writes Arrow's. Needs the artifact `millrace-parquet`.
    default WriteSummary writeParquet(String folder) {
        return writeParquet(folder, WriteOptions.defaults(), null);
    }

    /// The same with options of files.
    default WriteSummary writeParquet(String folder, WriteOptions options) {
        return writeParquet(folder, options, null);
    }

    /// The same with options of the format.
    ///
    /// @param parquet a `WriteParquet` of `dev.millrace.parquet`
    default WriteSummary writeParquet(String folder, WriteFormatOptions parquet) {
        return writeParquet(folder, WriteOptions.defaults(), parquet);
    }

    /// The same with options of files and of the format.
    default WriteSummary writeParquet(String folder, WriteOptions options, @Nullable WriteFormatOptions parquet) {
        return write("parquet", folder, options, parquet);
    }

    /// Writes files of any format on the class path.
    ///
    /// @param formatOptions the format's own record of options, or null for the defaults
    default WriteSummary write(
            String format, String folder, WriteOptions options, @Nullable WriteFormatOptions formatOptions) {
        return write(FileSink.to(folder, FormatRegistry.toWrite(format).writing(formatOptions), options));
    }

    /// Writes TFRecord files, each row as a `tf.train.Example` with a feature for each column: integers and booleans as
    /// int64, floats as float32, text and bytes as bytes, tensors as flat lists.
    default WriteSummary writeTfRecords(String folder) {
        return writeTfRecords(folder, WriteOptions.defaults());
    }

    /// The same with options of files.
    default WriteSummary writeTfRecords(String folder, WriteOptions options) {
        return write("tfrecord", folder, options, WriteTfRecords.examples());
    }

    /// Writes the bytes of one column as the records of TFRecord files.
    default WriteSummary writeTfRecords(String folder, WriteOptions options, String column) {
        return write("tfrecord", folder, options, WriteTfRecords.records(column));
    }

    /// Writes WebDataset's tar archives: a sample for each row, with a member for each column, whose name is its
    /// extension. The column `__key__` has the samples' keys; without it they get unique ones.
    default WriteSummary writeWebDataset(String folder) {
        return writeWebDataset(folder, WriteOptions.defaults());
    }

    /// The same with options of files.
    default WriteSummary writeWebDataset(String folder, WriteOptions options) {
        return write("webdataset", folder, options, null);
    }

    /// Writes JSON files, one object per line, into a folder; nulls are written, see [WriteJson] for the format of
    /// values.
    default WriteSummary writeJson(String folder) {
        return writeJson(folder, WriteOptions.defaults());
    }

    /// The same with options of files.
    default WriteSummary writeJson(String folder, WriteOptions options) {
        return writeJson(folder, options, WriteJson.lines());
    }

    /// The same with options of files and of the format.
    default WriteSummary writeJson(String folder, WriteOptions options, WriteJson json) {
        return write("json", folder, options, json);
    }

    /// Writes the values of a column of text, one per line, into files of a folder. Nulls are empty lines; a value that
    /// contains a line end is an error.
    default WriteSummary writeText(String folder, String column) {
        return writeText(folder, column, WriteOptions.defaults());
    }

    /// The same with options of files.
    default WriteSummary writeText(String folder, String column, WriteOptions options) {
        return self().ranAs(self().select(column), needed -> needed.write("text", folder, options, null));
    }

    /// Writes Avro's container files: a record for each row, every field a union with null.
    default WriteSummary writeAvro(String folder) {
        return writeAvro(folder, WriteOptions.defaults(), WriteAvro.defaults());
    }

    /// The same with options of files.
    default WriteSummary writeAvro(String folder, WriteOptions options) {
        return writeAvro(folder, options, WriteAvro.defaults());
    }

    /// The same with options of files and of the format.
    default WriteSummary writeAvro(String folder, WriteOptions options, WriteAvro avro) {
        return write("avro", folder, options, avro);
    }

    /// Writes the images of a column (tensors of uint8, height x width x channels) as PNG files, one for each
    /// row. Needs the artifact `millrace-images`.
    default WriteSummary writeImages(String folder, String column) {
        return self().ranAs(
                        self().select(column), needed -> needed.write("images", folder, WriteOptions.defaults(), null));
    }

    /// The same with options: format, quality, names.
    ///
    /// @param images a `WriteImages` of `dev.millrace.images.options`
    default WriteSummary writeImages(String folder, String column, WriteFormatOptions images) {
        Dataset columns =
                images.nameColumn() == null ? self().select(column) : self().select(column, images.nameColumn());
        return self().ranAs(columns, needed -> needed.write("images", folder, images.files(), images));
    }
}
