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
        private ColumnBuilder builder;

        Nulls() {
            super(0);
        }

        @Override
        void into(ColumnBuilder next) {
            builder = next;
        }

        @Override
        void read(AvroInput in) {
            builder.appendNull();
        }

        @Override
        void skip(AvroInput in) {}
    }

    static final class Booleans extends ValueDecoder {
        private BooleanBuilder builder;

        Booleans() {
            super(1);
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (BooleanBuilder) next;
        }

        @Override
        void read(AvroInput in) {
            builder.append(in.readBoolean());
        }

        @Override
        void skip(AvroInput in) {
            in.pass(1);
        }
    }

    static final class Ints extends ValueDecoder {
        private IntBuilder builder;

        Ints() {
            super(1);
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (IntBuilder) next;
        }

        @Override
        void read(AvroInput in) {
            builder.append(in.readInt());
        }

        @Override
        void skip(AvroInput in) {
            in.readLong();
        }
    }

    static final class Longs extends ValueDecoder {
        private LongBuilder builder;

        Longs() {
            super(1);
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (LongBuilder) next;
        }

        @Override
        void read(AvroInput in) {
            builder.append(in.readLong());
        }

        @Override
        void skip(AvroInput in) {
            in.readLong();
        }
    }

    static final class Floats extends ValueDecoder {
        private FloatBuilder builder;

        Floats() {
            super(Float.BYTES);
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (FloatBuilder) next;
        }

        @Override
        void read(AvroInput in) {
            builder.append(in.readFloat());
        }

        @Override
        void skip(AvroInput in) {
            in.pass(Float.BYTES);
        }
    }

    static final class Doubles extends ValueDecoder {
        private DoubleBuilder builder;

        Doubles() {
            super(Double.BYTES);
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (DoubleBuilder) next;
        }

        @Override
        void read(AvroInput in) {
            builder.append(in.readDouble());
        }

        @Override
        void skip(AvroInput in) {
            in.pass(Double.BYTES);
        }
    }

    /// Decodes floats of a union with doubles.
    static final class FloatsAsDoubles extends ValueDecoder {
        private DoubleBuilder builder;

        FloatsAsDoubles() {
            super(Float.BYTES);
        }

        @Override
        void into(ColumnBuilder next) {
            builder = (DoubleBuilder) next;
        }

        @Override
        void read(AvroInput in) {
            builder.append(in.readFloat());
        }

        @Override
        void skip(AvroInput in) {
            in.pass(Float.BYTES);
        }
    }
}
