package dev.millrace.source;

import dev.millrace.error.MillraceException;
import dev.millrace.type.DataType;
import org.jspecify.annotations.Nullable;

/// Options of reading Avro files.
///
/// @param files the common options of all reads of files
/// @param wideDecimals the type of decimals of more than 38 digits, which no column can represent; null: they are an
///     error
public record ReadAvro(FileReads files, @Nullable DataType wideDecimals) implements FileReadOptions<ReadAvro> {
    private static final ReadAvro DEFAULTS = new ReadAvro(FileReads.defaults(), null);

    public ReadAvro {
        boolean isReadable = wideDecimals == null
                || wideDecimals.equals(DataType.UTF8)
                || wideDecimals.equals(DataType.BINARY)
                || wideDecimals.equals(DataType.FLOAT64)
                || wideDecimals instanceof DataType.Decimal;
        if (!isReadable) {
            throw MillraceException.user(
                    "ReadAvro.wideDecimals: decimals of more than 38 digits are read as utf8, float64,"
                            + " binary or a decimal, not as " + wideDecimals + ".");
        }
    }

    /// All fields of all files.
    public static ReadAvro defaults() {
        return DEFAULTS;
    }

    /// How decimals of more than 38 digits are read: `DataType.UTF8` as exact text, `DataType.FLOAT64` rounded,
    /// `DataType.BINARY` as the stored bytes, or a decimal, which every value must fit.
    public ReadAvro wideDecimals(DataType type) {
        return new ReadAvro(files, type);
    }

    /// Which files, and the columns of their paths.
    @Override
    public ReadAvro files(FileReads options) {
        return new ReadAvro(options, wideDecimals);
    }

    /// See [FileReads#columns].
    public ReadAvro columns(String... names) {
        return files(files.columns(names));
    }
}
