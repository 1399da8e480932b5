package dev.millrace.internal.transform;

import dev.millrace.compute.Download;
import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import dev.millrace.type.Schema;
import java.util.ArrayList;
import java.util.List;

/// Fetches the files that a column names and adds their bytes as a column. A null address results in null.
public record DownloadStep(String addresses, Download options) implements TransformStep {
    @Override
    public String name() {
        return "download(" + addresses + ")";
    }

    @Override
    public boolean keepsRowCount() {
        return options.onError().keepsRows();
    }

    /// The columns with the bytes, at the end unless one is replaced.
    ///
    /// @throws MillraceException culprit USER, when the column of addresses is missing or not of strings
    public static Schema output(Schema input, String addresses, String bytes) {
        DataType type = input.field(input.require(addresses, "download")).type();
        DataType plain = type instanceof DataType.Dictionary dictionary ? dictionary.value() : type;
        if (!plain.equals(DataType.UTF8)) {
            throw MillraceException.user(
                    "download needs a column of addresses, but '" + addresses + "' is " + type + ".");
        }
        List<Field> fields = new ArrayList<>(input.fields());
        Field made = new Field(bytes, DataType.BINARY);
        int at = input.indexOf(bytes);
        if (at < 0) {
            fields.add(made);
        } else {
            fields.set(at, made);
        }
        return Schema.of(fields);
    }

    @Override
    public ChunkTransform open(StepContext context) {
        return new DownloadTransform(this, context);
    }
}
