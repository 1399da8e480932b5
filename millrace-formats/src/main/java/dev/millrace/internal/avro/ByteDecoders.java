package dev.millrace.internal.avro;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import dev.millrace.column.BinaryBuilder;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DecimalBuilder;
import dev.millrace.column.StringColumnBuilder;
import dev.millrace.column.VariableWidthBuilder;
import dev.millrace.internal.binary.Utf8Validation;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/// Decoders of bytes, text and types encoded as bytes.
final class ByteDecoders {
    private ByteDecoders() {}

    static final class Bytes extends ValueDecoder {
        private final boolean isText;

        Bytes(boolean isText) {
            super(1);
            this.isText = isText;
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            VariableWidthBuilder builder = (VariableWidthBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    long length = in.readLength();
                    long from = in.position() - length;
                    if (isText && !Utf8Validation.isValid(in.memory(), from, length)) {
                        throw in.malformed("a string is not UTF-8");
                    }
                    builder.append(in.memory(), from, length);
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.readLength();
        }
    }

    static final class FixedBytes extends ValueDecoder {
        private final int size;

        FixedBytes(int size) {
            super(size);
            this.size = size;
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            BinaryBuilder builder = (BinaryBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    builder.append(in.memory(), in.pass(size), size);
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.pass(size);
        }
    }

    static final class Symbols extends ValueDecoder {
        private final byte[][] symbols;

        Symbols(List<String> symbols) {
            super(1);
            this.symbols = symbols.stream()
                    .map(symbol -> symbol.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            StringColumnBuilder builder = (StringColumnBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    long index = in.readLong();
                    if (index < 0 || index >= symbols.length) {
                        throw in.malformed("there is no symbol " + index + " in an enum of " + symbols.length);
                    }
                    byte[] symbol = symbols[(int) index];
                    builder.append(symbol, 0, symbol.length);
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.readLong();
        }
    }

    static final class Uuids extends ValueDecoder {
        private static final int SIZE = 16;

        Uuids() {
            super(SIZE);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            StringColumnBuilder builder = (StringColumnBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    long from = in.pass(SIZE);
                    long high = Long.reverseBytes(in.memory().get(JAVA_LONG_UNALIGNED, from));
                    long low = Long.reverseBytes(in.memory().get(JAVA_LONG_UNALIGNED, from + Long.BYTES));
                    builder.append(new UUID(high, low).toString());
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.pass(SIZE);
        }
    }

    /// Big-endian two's complement of any length.
    static final class Decimals extends ValueDecoder {
        private static final int MAX_BYTES = 16;

        private final int size;

        /// @param size of a value; -1 if each value is preceded by its length
        Decimals(int size) {
            super(size < 0 ? 1 : size);
            this.size = size;
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            DecimalBuilder builder = (DecimalBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    long length = size < 0 ? in.readLength() : size;
                    long from = size < 0 ? in.position() - length : in.pass(size);
                    MemorySegment memory = in.memory();
                    long sign = length > 0 && memory.get(JAVA_BYTE, from) < 0 ? -1 : 0;
                    while (length > MAX_BYTES && memory.get(JAVA_BYTE, from) == (byte) sign) {
                        from++;
                        length--;
                    }
                    if (length > MAX_BYTES) {
                        throw in.malformed("a decimal has more than " + MAX_BYTES + " bytes");
                    }
                    long high = sign;
                    long low = sign;
                    for (long i = 0; i < length; i++) {
                        high = high << 8 | low >>> 56;
                        low = low << 8 | memory.get(JAVA_BYTE, from + i) & 0xFF;
                    }
                    builder.append(high, low);
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
}
