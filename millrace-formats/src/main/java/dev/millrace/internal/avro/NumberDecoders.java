package dev.millrace.internal.avro;

import dev.millrace.column.BooleanBuilder;
import dev.millrace.column.ColumnBuilder;
import dev.millrace.column.DoubleBuilder;
import dev.millrace.column.FloatBuilder;
import dev.millrace.column.IntBuilder;
import dev.millrace.column.LongBuilder;

/// Decoders of nulls, booleans and numbers; dates and times are numbers.
final class NumberDecoders {
    private NumberDecoders() {}

    static final class Nulls extends ValueDecoder {
        Nulls() {
            super(0);
        }

        @Override
        BoundDecoder into(ColumnBuilder builder) {
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    builder.appendNull();
                }
            };
        }

        @Override
        void skip(AvroInput in) {}
    }

    static final class Booleans extends ValueDecoder {
        Booleans() {
            super(1);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            BooleanBuilder builder = (BooleanBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    builder.append(in.readBoolean());
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.pass(1);
        }
    }

    static final class Ints extends ValueDecoder {
        Ints() {
            super(1);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            IntBuilder builder = (IntBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    builder.append(in.readInt());
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.readLong();
        }
    }

    static final class Longs extends ValueDecoder {
        Longs() {
            super(1);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            LongBuilder builder = (LongBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    builder.append(in.readLong());
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.readLong();
        }
    }

    static final class Floats extends ValueDecoder {
        Floats() {
            super(Float.BYTES);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            FloatBuilder builder = (FloatBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    builder.append(in.readFloat());
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.pass(Float.BYTES);
        }
    }

    static final class Doubles extends ValueDecoder {
        Doubles() {
            super(Double.BYTES);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            DoubleBuilder builder = (DoubleBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    builder.append(in.readDouble());
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.pass(Double.BYTES);
        }
    }

    /// Decodes floats of a union with doubles.
    static final class FloatsAsDoubles extends ValueDecoder {
        FloatsAsDoubles() {
            super(Float.BYTES);
        }

        @Override
        BoundDecoder into(ColumnBuilder column) {
            DoubleBuilder builder = (DoubleBuilder) column;
            return new BoundDecoder() {
                @Override
                void read(AvroInput in) {
                    builder.append(in.readFloat());
                }
            };
        }

        @Override
        void skip(AvroInput in) {
            in.pass(Float.BYTES);
        }
    }
}
