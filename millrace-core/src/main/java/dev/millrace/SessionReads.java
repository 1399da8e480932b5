package dev.millrace;

import dev.millrace.internal.source.FileEndings;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadArrow;
import dev.millrace.source.ReadAvro;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.ReadFormatOptions;
import dev.millrace.source.ReadJson;
import dev.millrace.source.ReadText;
import dev.millrace.source.ReadTfRecords;
import dev.millrace.source.ReadWebDataset;
import dev.millrace.source.Source;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads files: a few methods for each format, all of them through [#read(String, List, ReadFormatOptions)]. Except for
/// Arrow, they need the artifact of the format: `millrace-formats`, `millrace-parquet`, `millrace-images`.
sealed interface SessionReads permits Session {
    /// A dataset of any source.
    Dataset read(Source source);

    /// Files of any format on the class path.
    ///
    /// @param options the format's own record of options, or null for the defaults
    Dataset read(String format, List<String> paths, @Nullable ReadFormatOptions options);

    /// A table whose format is determined by its file ending (parquet, csv, tsv, json, jsonl, ndjson, arrow, feather,
    /// avro, compressed or not), as `FROM 'trips.parquet'` of a query reads it.
    ///
    /// @param path a file, a folder or a glob
    default Dataset readTable(String path) {
        String told = FileEndings.telling(path);
        return switch (Objects.requireNonNull(FileEndings.format(told), "the file tells its format")) {
            case "csv" -> readCsv(path, FileEndings.isTabSeparated(told) ? ReadCsv.tsv() : ReadCsv.defaults());
            case "json" -> readJson(path);
            case "arrow" -> readArrow(path);
            case "avro" -> readAvro(path);
            default -> readParquet(path);
        };
    }

    // Arrow

    /// Arrow IPC files, in the file or the stream format: paths, folders or globs.
    default Dataset readArrow(String... paths) {
        return readArrow(List.of(paths), ReadArrow.defaults());
    }

    /// The same with options.
    default Dataset readArrow(String path, ReadArrow options) {
        return readArrow(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readArrow(List<String> paths, ReadArrow options) {
        return read("arrow", paths, options);
    }

    // Files of bytes and arrays

    /// Files of any kind, each as one row: its contents in the column `bytes`.
    default Dataset readBinaryFiles(String... paths) {
        return readBinaryFiles(List.of(paths), FileReads.defaults());
    }

    /// The same with options.
    default Dataset readBinaryFiles(String path, FileReads options) {
        return readBinaryFiles(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readBinaryFiles(List<String> paths, FileReads options) {
        return read("binary", paths, options);
    }

    /// WAV files, one row for each: `amplitude`, a float32 tensor of channels by samples, from -1 to 1, and
    /// `sample_rate`, the samples per second. PCM of 8, 16, 24 and 32 bits and floats.
    default Dataset readAudio(String... paths) {
        return readAudio(List.of(paths), FileReads.defaults());
    }

    /// The same with options.
    default Dataset readAudio(String path, FileReads options) {
        return readAudio(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readAudio(List<String> paths, FileReads options) {
        return read("audio", paths, options);
    }

    /// NumPy files: for an `.npy` file the rows along its first dimension, in the column `data` (arrays of several
    /// dimensions as tensors); for an `.npz` file a column for each of its arrays.
    default Dataset readNumpy(String... paths) {
        return readNumpy(List.of(paths), FileReads.defaults());
    }

    /// The same with options.
    default Dataset readNumpy(String path, FileReads options) {
        return readNumpy(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readNumpy(List<String> paths, FileReads options) {
        return read("numpy", paths, options);
    }

    /// TFRecord files of `tf.train.Example`s: a column for each feature of the first records of the sampled files (see
    /// [FileReads]); a feature with a single value in each of them is a plain column, others are lists. A feature that
    /// occurs only later is an error unless [ReadTfRecords#type] names it. TensorFlow is not needed.
    default Dataset readTfRecords(String... paths) {
        return readTfRecords(List.of(paths), ReadTfRecords.defaults());
    }

    /// The same with options.
    default Dataset readTfRecords(String path, ReadTfRecords options) {
        return readTfRecords(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readTfRecords(List<String> paths, ReadTfRecords options) {
        return read("tfrecord", paths, options);
    }

    /// WebDataset's tar archives: a row for each sample, its key in the column `__key__`, its members in columns named
    /// by their extensions, as found in the first samples of the first archive. `txt` and `json` are text, `cls` is a
    /// number, `npy` a tensor; images and everything else are bytes.
    default Dataset readWebDataset(String... paths) {
        return readWebDataset(List.of(paths), ReadWebDataset.defaults());
    }

    /// The same with options.
    default Dataset readWebDataset(String path, ReadWebDataset options) {
        return readWebDataset(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readWebDataset(List<String> paths, ReadWebDataset options) {
        return read("webdataset", paths, options);
    }

    /// Avro's container files: a column for each field of their records, read without Avro's library.
    default Dataset readAvro(String... paths) {
        return readAvro(List.of(paths), FileReads.defaults());
    }

    /// The same with options of files.
    default Dataset readAvro(String path, FileReads options) {
        return readAvro(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readAvro(List<String> paths, FileReads options) {
        return readAvro(paths, ReadAvro.defaults().files(options));
    }

    /// The same with options of the format.
    default Dataset readAvro(String path, ReadAvro options) {
        return readAvro(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readAvro(List<String> paths, ReadAvro options) {
        return read("avro", paths, options);
    }

    // Text

    /// CSV files: paths, folders or globs. The first line names the columns, a sample determines their types; [ReadCsv]
    /// has alternatives.
    default Dataset readCsv(String... paths) {
        return readCsv(List.of(paths), ReadCsv.defaults());
    }

    /// The same with options.
    default Dataset readCsv(String path, ReadCsv options) {
        return readCsv(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readCsv(List<String> paths, ReadCsv options) {
        return read("csv", paths, options);
    }

    /// JSON files: paths, folders or globs. Each holds objects, one per line or one after the other, or one array of
    /// them; see [ReadJson] for types.
    default Dataset readJson(String... paths) {
        return readJson(List.of(paths), ReadJson.defaults());
    }

    /// The same with options.
    default Dataset readJson(String path, ReadJson options) {
        return readJson(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readJson(List<String> paths, ReadJson options) {
        return read("json", paths, options);
    }

    /// The lines of text files, in the column `text`: paths, folders or globs.
    default Dataset readText(String... paths) {
        return readText(List.of(paths), ReadText.defaults());
    }

    /// The same with options.
    default Dataset readText(String path, ReadText options) {
        return readText(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readText(List<String> paths, ReadText options) {
        return read("text", paths, options);
    }

    // Parquet and images

    /// Parquet files: paths, folders or globs. Needs the artifact `millrace-parquet`.
    default Dataset readParquet(String... paths) {
        return readParquet(List.of(paths), null);
    }

    /// The same with options.
    ///
    /// @param options a `ReadParquet` of `dev.millrace.parquet`
    default Dataset readParquet(String path, ReadFormatOptions options) {
        return readParquet(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readParquet(List<String> paths, @Nullable ReadFormatOptions options) {
        return read("parquet", paths, options);
    }

    /// Image files (JPEG, PNG, WebP, GIF, BMP, TIFF), each as one row: its pixels in the column `image`, a tensor of
    /// height x width x channels of uint8 (height x width of grey ones). See `ReadImages` for channels, sizes and
    /// paths. Needs the artifact `millrace-images`.
    default Dataset readImages(String... paths) {
        return readImages(List.of(paths), null);
    }

    /// The same with options.
    ///
    /// @param options a `ReadImages` of `dev.millrace.images.options`
    default Dataset readImages(String path, ReadFormatOptions options) {
        return readImages(List.of(path), options);
    }

    /// The same over several paths.
    default Dataset readImages(List<String> paths, @Nullable ReadFormatOptions options) {
        return read("images", paths, options);
    }
}
