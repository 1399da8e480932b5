package dev.millrace.internal.avro;

import dev.millrace.type.DataType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A type of an Avro schema. Records may be recursive, so they are compared by identity.
sealed interface AvroType {
    /// The maximum precision of a decimal column.
    int MAX_DIGITS = 38;

    /// The logical type of values of a primitive encoding.
    enum Logical {
        NONE,
        DECIMAL,
        DATE,
        TIME_MILLIS,
        TIME_MICROS,
        TIMESTAMP_MILLIS,
        TIMESTAMP_MICROS,
        TIMESTAMP_NANOS,
        LOCAL_TIMESTAMP_MILLIS,
        LOCAL_TIMESTAMP_MICROS,
        LOCAL_TIMESTAMP_NANOS,
        UUID
    }

    enum Kind {
        NULL,
        BOOLEAN,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        BYTES,
        STRING
    }

    /// @param precision,scale of decimals; the precision may exceed that of a column
    /// @param wide how a decimal of more than 38 digits is read; null if it is an error
    record Primitive(
            Kind kind,
            Logical logical,
            int precision,
            int scale,
            @Nullable DataType wide) implements AvroType {
        static Primitive of(Kind kind) {
            return new Primitive(kind, Logical.NONE, 0, 0, null);
        }
    }

    /// A primitive whose values all have the same size.
    record Fixed(
            int size,
            Logical logical,
            int precision,
            int scale,
            @Nullable DataType wide) implements AvroType {}

    /// Whether a decimal has more digits than a decimal column allows.
    static boolean isWide(int precision) {
        return precision > MAX_DIGITS;
    }

    record Enumeration(List<String> symbols) implements AvroType {}

    record Array(AvroType items) implements AvroType {}

    record MapOf(AvroType values) implements AvroType {}

    record Union(List<AvroType> branches) implements AvroType {}

    /// A record. Its fields are set after they are parsed, because they may refer to this record.
    final class Composite implements AvroType {
        private final String name;
        private List<Member> members = List.of();

        Composite(String name) {
            this.name = name;
        }

        void members(List<Member> all) {
            members = List.copyOf(all);
        }

        String name() {
            return name;
        }

        List<Member> members() {
            return members;
        }
    }

    record Member(String name, AvroType type) {}
}
