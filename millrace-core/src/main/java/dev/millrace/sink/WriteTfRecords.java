package dev.millrace.sink;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Options of writing TFRecord files.
///
/// @param column the one whose bytes are the records; null: each row is a `tf.train.Example`
public record WriteTfRecords(@Nullable String column) implements WriteFormatOptions {
    private static final WriteTfRecords EXAMPLES = new WriteTfRecords(null);

    /// Each row as a `tf.train.Example`.
    public static WriteTfRecords examples() {
        return EXAMPLES;
    }

    /// The bytes of one column unchanged.
    public static WriteTfRecords records(String column) {
        return new WriteTfRecords(Objects.requireNonNull(column));
    }
}
