package dev.millrace.internal.tfrecord;

import dev.millrace.error.MillraceException;
import dev.millrace.source.FileRange;
import dev.millrace.source.ReadContext;
import dev.millrace.source.ReadFormat;
import dev.millrace.source.ReadTfRecords;
import dev.millrace.source.SplitReader;
import dev.millrace.source.WantedColumns;
import dev.millrace.type.DataType;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Reads TFRecord files of examples, or of arbitrary records.
public record TfRecordFormat(ReadTfRecords options) implements ReadFormat {
    static final String COLUMN = "bytes";

    public TfRecordFormat {
        options.types().forEach((name, type) -> {
            if (FeatureKind.readAs(type) == null) {
                throw MillraceException.user(
                        "readTfRecords: a feature is read as binary, utf8, int64, float32 or a list"
                                + " of one of them; '" + name + "' cannot be of type " + type + ".");
            }
        });
    }

    @Override
    public String name() {
        return "TfRecords";
    }

    @Override
    public String verb() {
        return "readTfRecords";
    }

    @Override
    public List<String> endings() {
        return TfRecordOutput.ENDINGS;
    }

    @Override
    public double expansion() {
        return 1;
    }

    @Override
    public boolean hasFixedColumns() {
        return options.isRaw();
    }

    /// Single values and lists of the same type become lists; different kinds have no common type.
    @Override
    public Optional<DataType> commonType(DataType one, DataType other) {
        if (one.equals(other) || other.equals(DataType.NULL)) {
            return Optional.of(one);
        }
        return one.equals(DataType.NULL) || other.equals(DataType.list(one))
                ? Optional.of(other)
                : one.equals(DataType.list(other)) ? Optional.of(one) : Optional.empty();
    }

    @Override
    public Schema schema(FileRange first, ReadContext context) throws IOException {
        try (TfRecordReader records = new TfRecordReader(first, context.allocator())) {
            if (options.isRaw()) {
                records.next();
                return Schema.of(COLUMN, DataType.BINARY);
            }
            return SampledFeatures.of(records, options.types());
        }
    }

    @Override
    public SplitReader open(FileRange range, WantedColumns wanted, ReadContext context) throws IOException {
        return options.isRaw()
                ? new RawReader(range, wanted.contains(COLUMN), context)
                : new ExampleReader(this, range, wanted, context);
    }
}
