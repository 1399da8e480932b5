package dev.millrace.type;

import java.io.Serializable;
import java.util.Objects;

/// A named, typed member of a [Schema] or of a struct. Every field is nullable.
public record Field(String name, DataType type) implements Serializable {
    public Field {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
    }

    @Override
    public String toString() {
        return name + ": " + type;
    }
}
