package dev.millrace.internal.fileformat;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.audio.AudioFormat;
import dev.millrace.internal.avro.AvroFormat;
import dev.millrace.internal.avro.AvroOutput;
import dev.millrace.internal.binary.BinaryFormat;
import dev.millrace.internal.csv.CsvFormat;
import dev.millrace.internal.csv.CsvOutput;
import dev.millrace.internal.formats.CoreFormat;
import dev.millrace.internal.jsonfile.JsonFormat;
import dev.millrace.internal.jsonfile.JsonOutput;
import dev.millrace.internal.numpy.NumpyFormat;
import dev.millrace.internal.numpy.NumpyOutput;
import dev.millrace.internal.textfile.TextFormat;
import dev.millrace.internal.textfile.TextOutput;
import dev.millrace.internal.tfrecord.TfRecordFormat;
import dev.millrace.internal.tfrecord.TfRecordOutput;
import dev.millrace.internal.webdataset.WebDatasetFormat;
import dev.millrace.internal.webdataset.WebDatasetOutput;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteAvro;
import dev.millrace.sink.WriteCsv;
import dev.millrace.sink.WriteFormatOptions;
import dev.millrace.sink.WriteJson;
import dev.millrace.sink.WriteNumpy;
import dev.millrace.sink.WriteTfRecords;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadAvro;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.ReadJson;
import dev.millrace.source.ReadText;
import dev.millrace.source.ReadTfRecords;
import dev.millrace.source.ReadWebDataset;
import org.jspecify.annotations.Nullable;

/// The service providers of the formats; `ServiceLoader` requires one class each.
public final class FileFormats {
    private FileFormats() {}

    public static final class Audio extends CoreFormat<FileReads> {
        public Audio() {
            super("audio", FileReads.defaults(), _ -> new AudioFormat());
        }
    }

    public static final class Avro extends CoreFormat<ReadAvro> {
        public Avro() {
            super("avro", ReadAvro.defaults(), options -> new AvroFormat(options.wideDecimals()));
        }

        @Override
        public FileFormat writing(@Nullable WriteFormatOptions options) {
            return new AvroOutput(require(options, WriteAvro.defaults()));
        }
    }

    public static final class Binary extends CoreFormat<FileReads> {
        public Binary() {
            super("binary", FileReads.defaults(), _ -> new BinaryFormat());
        }
    }

    public static final class Csv extends CoreFormat<ReadCsv> {
        public Csv() {
            super("csv", ReadCsv.defaults(), CsvFormat::new);
        }

        @Override
        public FileFormat writing(@Nullable WriteFormatOptions options) {
            return new CsvOutput(require(options, WriteCsv.defaults()));
        }
    }

    public static final class Json extends CoreFormat<ReadJson> {
        public Json() {
            super("json", ReadJson.defaults(), JsonFormat::new);
        }

        @Override
        public FileFormat writing(@Nullable WriteFormatOptions options) {
            return new JsonOutput(require(options, WriteJson.lines()));
        }
    }

    public static final class Numpy extends CoreFormat<FileReads> {
        public Numpy() {
            super("numpy", FileReads.defaults(), _ -> new NumpyFormat());
        }

        @Override
        public FileFormat writing(@Nullable WriteFormatOptions options) {
            if (options == null) {
                throw MillraceException.user(
                        "Writing numpy needs the column that the arrays hold: WriteNumpy.of(column).");
            }
            return new NumpyOutput(require(options, WriteNumpy.of("")).column());
        }
    }

    public static final class Text extends CoreFormat<ReadText> {
        public Text() {
            super("text", ReadText.defaults(), TextFormat::new);
        }

        @Override
        public FileFormat writing(@Nullable WriteFormatOptions options) {
            requireNone(options);
            return new TextOutput();
        }
    }

    public static final class TfRecord extends CoreFormat<ReadTfRecords> {
        public TfRecord() {
            super("tfrecord", ReadTfRecords.defaults(), TfRecordFormat::new);
        }

        @Override
        public FileFormat writing(@Nullable WriteFormatOptions options) {
            return new TfRecordOutput(
                    require(options, WriteTfRecords.examples()).column());
        }
    }

    public static final class WebDataset extends CoreFormat<ReadWebDataset> {
        public WebDataset() {
            super("webdataset", ReadWebDataset.defaults(), WebDatasetFormat::new);
        }

        @Override
        public FileFormat writing(@Nullable WriteFormatOptions options) {
            requireNone(options);
            return new WebDatasetOutput();
        }
    }
}
