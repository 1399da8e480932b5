package dev.millrace.internal.csv;

import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadCsv;
import dev.millrace.type.DataType;
import java.util.List;

/// Creates the parser for each type.
final class ColumnParsers {
    private static final List<String> EMPTY = List.of("");

    private ColumnParsers() {}

    static LiteralTexts nullTexts(DataType type, ReadCsv options) {
        if (options.nullTexts() != null) {
            return new LiteralTexts(options.nullTexts(), true, options.charset());
        }
        boolean text = type instanceof DataType.Utf8 || type instanceof DataType.Binary;
        return new LiteralTexts(text ? EMPTY : ReadCsv.NULL_TEXTS, false, options.charset());
    }

    static LiteralTexts trueTexts(ReadCsv options) {
        return new LiteralTexts(options.trueTexts(), false, options.charset());
    }

    static LiteralTexts falseTexts(ReadCsv options) {
        return new LiteralTexts(options.falseTexts(), false, options.charset());
    }

    static ColumnParser of(DataType type, ReadCsv options) {
        LiteralTexts nulls = nullTexts(type, options);
        return switch (type) {
            case DataType.Bool _ -> new BooleanParser(nulls, trueTexts(options), falseTexts(options));
            case DataType.Int integer -> new IntegerParser(integer, nulls);
            case DataType.Float real -> new FloatParser(real, nulls);
            case DataType.Decimal decimal -> new DecimalParser(decimal, nulls);
            case DataType.Date _, DataType.Time _, DataType.Timestamp _ -> new TimeParser(type, nulls);
            case DataType.Utf8 _, DataType.Binary _ -> new TextParser(type, nulls);
            case DataType.Null _, DataType.Duration _, DataType.Dictionary _, DataType.Nested _ ->
                throw MillraceException.internal("a CSV column of type " + type);
        };
    }
}
