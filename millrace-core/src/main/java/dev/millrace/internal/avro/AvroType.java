package dev.millrace.internal.avro;

import java.util.List;

/// A type of an Avro schema. Records may contain themselves, so they are compared by identity.
sealed interface AvroType {
    /// How values are told apart from plain ones of the same encoding.
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

    /// @param precision,scale of decimals
    record Primitive(Kind kind, Logical logical, int precision, int scale) implements AvroType {
        static Primitive of(Kind kind) {
            return new Primitive(kind, Logical.NONE, 0, 0);
        }
    }

    record Fixed(int size, Logical logical, int precision, int scale) implements AvroType {}

    record Enumeration(List<String> symbols) implements AvroType {}

    record Array(AvroType items) implements AvroType {}

    record MapOf(AvroType values) implements AvroType {}

    record Union(List<AvroType> branches) implements AvroType {}

    /// Its fields come when they are parsed: they may name this record.
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
