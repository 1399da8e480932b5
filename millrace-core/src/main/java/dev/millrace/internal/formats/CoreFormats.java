package dev.millrace.internal.formats;

import dev.millrace.arrow.IpcCompression;
import dev.millrace.internal.avro.AvroFormat;
import dev.millrace.internal.avro.AvroOutput;
import dev.millrace.internal.binary.BinaryFormat;
import dev.millrace.internal.csv.CsvFormat;
import dev.millrace.internal.csv.CsvOutput;
import dev.millrace.internal.json.JsonFormat;
import dev.millrace.internal.json.JsonOutput;
import dev.millrace.internal.numpy.NumpyFormat;
import dev.millrace.internal.sink.ArrowFormat;
import dev.millrace.internal.source.ArrowReadFormat;
import dev.millrace.internal.text.TextFormat;
import dev.millrace.internal.tfrecord.TfRecordFormat;
import dev.millrace.internal.tfrecord.TfRecordOutput;
import dev.millrace.internal.webdataset.WebDatasetFormat;
import dev.millrace.internal.webdataset.WebDatasetOutput;
import dev.millrace.sink.FileFormat;
import dev.millrace.sink.WriteAvro;
import dev.millrace.sink.WriteCsv;
import dev.millrace.sink.WriteJson;
import dev.millrace.source.FileReads;
import dev.millrace.source.ReadArrow;
import dev.millrace.source.ReadAvro;
import dev.millrace.source.ReadCsv;
import dev.millrace.source.ReadJson;
import dev.millrace.source.ReadText;
import dev.millrace.source.ReadTfRecords;
import dev.millrace.source.ReadWebDataset;
import java.util.function.Function;

/// One class for each, as `ServiceLoader` wants it.
public final class CoreFormats {
    private CoreFormats() {}

    public static final class Arrow extends CoreFormat<ReadArrow> {
        public Arrow() {
            super("arrow", ReadArrow.defaults(), _ -> new ArrowReadFormat(), ReadArrow::files);
        }

        @Override
        public FileFormat writing(Object options) {
            return new ArrowFormat(require(options, IpcCompression.NONE));
        }
    }

    public static final class Avro extends CoreFormat<ReadAvro> {
        public Avro() {
            super("avro", ReadAvro.defaults(), options -> new AvroFormat(options.wideDecimals()), ReadAvro::files);
        }

        @Override
        public FileFormat writing(Object options) {
            return new AvroOutput(require(options, WriteAvro.defaults()));
        }
    }

    public static final class Binary extends CoreFormat<FileReads> {
        public Binary() {
            super("binary", FileReads.defaults(), _ -> new BinaryFormat(), Function.identity());
        }
    }

    public static final class Csv extends CoreFormat<ReadCsv> {
        public Csv() {
            super("csv", ReadCsv.defaults(), CsvFormat::new, ReadCsv::files);
        }

        @Override
        public FileFormat writing(Object options) {
            return new CsvOutput(require(options, WriteCsv.defaults()));
        }
    }

    public static final class Json extends CoreFormat<ReadJson> {
        public Json() {
            super("json", ReadJson.defaults(), JsonFormat::new, ReadJson::files);
        }

        @Override
        public FileFormat writing(Object options) {
            return new JsonOutput(require(options, WriteJson.lines()));
        }
    }

    public static final class Numpy extends CoreFormat<FileReads> {
        public Numpy() {
            super("numpy", FileReads.defaults(), _ -> new NumpyFormat(), Function.identity());
        }
    }

    public static final class Text extends CoreFormat<ReadText> {
        public Text() {
            super("text", ReadText.defaults(), TextFormat::new, ReadText::files);
        }
    }

    public static final class TfRecord extends CoreFormat<ReadTfRecords> {
        public TfRecord() {
            super("tfrecord", ReadTfRecords.defaults(), TfRecordFormat::new, ReadTfRecords::files);
        }

        @Override
        public FileFormat writing(Object options) {
            return new TfRecordOutput(null);
        }
    }

    public static final class WebDataset extends CoreFormat<ReadWebDataset> {
        public WebDataset() {
            super("webdataset", ReadWebDataset.defaults(), WebDatasetFormat::new, ReadWebDataset::files);
        }

        @Override
        public FileFormat writing(Object options) {
            return new WebDatasetOutput();
        }
    }
}
