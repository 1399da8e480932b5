package dev.millrace.internal.runtime.wire;

import java.io.Serializable;

/// Stands in a program for a part of it that was sent before. Not a record: a worker reads one with its first task, and
/// Java makes method handles for each kind of record that it reads.
final class PartReference implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long number;

    PartReference(long number) {
        this.number = number;
    }

    long number() {
        return number;
    }
}
