package dev.millrace.internal.webdataset;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.LongBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.VariableWidthBuilder;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.binary.FeedReader;
import dev.millrace.internal.binary.Utf8Validation;
import dev.millrace.internal.jsonfile.JsonTexts;
import dev.millrace.internal.numpy.NpyValue;
import dev.millrace.internal.text.TextValues;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadWebDataset;
import dev.millrace.type.DataType;
import dev.millrace.type.Field;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Appends the members of one extension to one column.
final class MemberColumn {
    private static final int MAX_DIGITS = 1 << 10;

    private final Field field;
    private final byte[] extension;
    private final boolean isArray;
    /// The user gave the type.
    private final boolean isGiven;
    /// Null if members are not JSON, or are kept as they are.
    private final @Nullable JsonTexts json;

    private final TextValues texts = new TextValues();
    /// Null before the first chunk.
    private @Nullable ColumnBuilder builder;
    /// From the previous chunk, so that the builder of the next one does not grow step by step.
    private long expectedBytes;

    MemberColumn(Field field, ReadWebDataset options) {
        this.field = field;
        this.isGiven = options.types().containsKey(field.name());
        boolean stays = (isGiven || options.isRaw())
                && (field.type() instanceof DataType.Utf8 || field.type() instanceof DataType.Binary);
        this.json = SampledMembers.isLast(field.name(), "json") && !stays ? new JsonTexts() : null;
        this.extension = field.name().getBytes(StandardCharsets.UTF_8);
        this.isArray = field.name().equals("npy") || field.name().endsWith(".npy");
    }

    byte[] extension() {
        return extension;
    }

    void into(ColumnBuilder next) {
        builder = next;
        if (next instanceof VariableWidthBuilder bytes && expectedBytes > 0) {
            bytes.reserveBytes(expectedBytes);
        }
        if (json != null) {
            json.into(next, isGiven);
        }
    }

    /// Called when a chunk is full; the next one is expected to be similar.
    void endChunk() {
        if (builder instanceof VariableWidthBuilder bytes) {
            expectedBytes = bytes.byteCount() + bytes.byteCount() / 16;
        }
    }

    /// Ends a row; appends null if there was no such member.
    void endRow(long rows) {
        ColumnBuilder builder = builder();
        if (builder.length() < rows) {
            builder.appendNull();
        }
    }

    /// Appends the current member of [ArchiveSamples] as the value of a row.
    void append(ArchiveSamples samples, long row, Allocator allocator) throws IOException {
        ColumnBuilder builder = builder();
        if (builder.length() > row) {
            throw samples.in()
                    .malformed("there are two members '" + samples.memberText()
                            + "' in one sample. Is the archive sorted" + " by name?");
        }
        if (json != null) {
            JsonMember.take(samples, field.name(), json);
            try {
                json.append();
            } catch (IllegalArgumentException e) {
                throw JsonMember.wrong(samples, field.name(), e);
            }
            return;
        }
        switch (builder) {
            case BinaryBuilder bytes -> copy(samples, bytes);
            case StringColumnBuilder text -> {
                long start = text.byteCount();
                long position = samples.in().position();
                copy(samples, text);
                MemorySegment copied = text.bytesFrom(start);
                if (!Utf8Validation.isValid(copied, 0, copied.byteSize())) {
                    throw samples.in()
                            .malformed(position, "'" + samples.memberText() + "' is no UTF-8 text. " + asBytes());
                }
            }
            case LongBuilder numbers
            when !isArray -> {
                numbers.append((Long) number(samples));
            }
            case DoubleBuilder numbers
            when !isArray -> {
                numbers.append((Double) number(samples));
            }
            default -> {
                NpyValue array = NpyValue.begin(samples.in(), samples.size());
                if (!array.appendTo(builder, samples.in(), allocator)) {
                    throw unfit(samples, "is a " + array.type());
                }
            }
        }
    }

    private ColumnBuilder builder() {
        return Objects.requireNonNull(builder, "a chunk begins before its rows");
    }

    private Object number(ArchiveSamples samples) throws IOException {
        String digits = digits(samples);
        Object number = texts.value(digits, field.type());
        if (number == null) {
            throw unfit(samples, "is '" + shorten(digits) + "'");
        }
        return number;
    }

    /// Copies directly from the window into the column.
    private static void copy(ArchiveSamples samples, VariableWidthBuilder builder) throws IOException {
        FeedReader in = samples.in();
        long size = samples.size();
        if (size > in.available() && in.size() != Long.MAX_VALUE) {
            if (in.position() + size > in.size()) {
                throw in.malformed(in.size(), "the file ends in the middle of '" + samples.memberText() + "'");
            }
            builder.reserveBytes(size);
        }
        if (size > in.available()) {
            in.addTo(builder, size, "'" + samples.memberText() + "'");
        } else {
            builder.add(in.window(), in.at(), size);
            in.advance(size);
        }
        builder.endValue();
    }

    private String digits(ArchiveSamples samples) throws IOException {
        if (samples.size() > MAX_DIGITS) {
            throw unfit(samples, "has " + samples.size() + " bytes");
        }
        byte[] text = samples.in().bytes((int) samples.size(), "'" + samples.memberText() + "'");
        return new String(text, StandardCharsets.UTF_8).strip();
    }

    private static String shorten(String text) {
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }

    private String asBytes() {
        return "Read it as bytes: ReadWebDataset.defaults().type(\"" + field.name() + "\", DataType.BINARY)";
    }

    private MillraceException unfit(ArchiveSamples samples, String what) {
        return samples.in()
                .malformed("'" + samples.memberText() + "' " + what + ", and its column is of type " + field.type()
                        + ". Give another: ReadWebDataset.defaults().type(\"" + field.name() + "\", DataType...)");
    }

    static boolean isReadable(String name, DataType type) {
        return SampledMembers.isLast(name, "json") || isReadable(type);
    }

    private static boolean isReadable(DataType type) {
        return switch (type) {
            case DataType.Binary _, DataType.Utf8 _, DataType.Tensor _, DataType.VariableTensor _ -> true;
            case DataType.Int integer -> integer.bits() == 64 && integer.signed();
            case DataType.Float real -> real.bits() == 64;
            case DataType.Null _,
                    DataType.Bool _,
                    DataType.Decimal _,
                    DataType.Temporal _,
                    DataType.Dictionary _,
                    DataType.ListOf _,
                    DataType.FixedList _,
                    DataType.Struct _,
                    DataType.MapOf _ -> false;
        };
    }
}
