package dev.millrace.internal.avro;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.millrace.column.ColumnBuilder;
import dev.millrace.internal.text.DecimalText;
import dev.millrace.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;

/// Decodes decimals with more than 38 digits into text, floats or decimals that they fit.
final class WideDecimals extends ValueDecoder {
    /// Arithmetic on longer values might be slow.
    private static final int MAX_BYTES = 1 << 12;

    private final int size;
    private final int scale;

    /// @param size of a value; -1 if each value is preceded by its length
    WideDecimals(int size, int scale) {
        super(size < 0 ? 1 : size);
        this.size = size;
        this.scale = scale;
    }

    @Override
    BoundDecoder into(ColumnBuilder builder) {
        return new BoundDecoder() {
            @Override
            void read(AvroInput in) {
                long length = size < 0 ? in.readLength() : size;
                long from = size < 0 ? in.position() - length : in.pass(size);
                if (length > MAX_BYTES) {
                    throw in.malformed("a decimal has more than " + MAX_BYTES + " bytes");
                }
                byte[] bytes = new byte[(int) length];
                MemorySegment.copy(in.memory(), JAVA_BYTE, from, bytes, 0, bytes.length);
                BigDecimal value = new BigDecimal(length == 0 ? BigInteger.ZERO : new BigInteger(bytes), scale);
                switch (builder.type()) {
                    case DataType.Utf8 _ -> builder.append(value.toPlainString());
                    case DataType.Decimal(int precision, int digits) -> {
                        if (DecimalText.unscaled(value, precision, digits) == null) {
                            throw in.malformed("the decimal " + value.toPlainString() + " does not fit "
                                    + builder.type() + ". Read such decimals by ReadAvro.wideDecimals(DataType.UTF8)");
                        }
                        builder.append(value.stripTrailingZeros());
                    }
                    // Floats.
                    default -> builder.append(value.doubleValue());
                }
            }
        };
    }

    @Override
    void skip(AvroInput in) {
        if (size < 0) {
            in.readLength();
        } else {
            in.pass(size);
        }
    }
}
