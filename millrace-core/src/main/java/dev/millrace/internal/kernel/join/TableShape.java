package dev.millrace.internal.kernel.join;

import java.io.Serializable;
import java.util.List;

/// What is known of a [JoinTable] beside its columns.
///
/// @param direct whether keys lead to slots without a hash
/// @param least the least key, of a direct one
/// @param unique no key has two rows
public record TableShape(List<KeyForm> forms, boolean direct, long least, boolean unique) implements Serializable {
    public TableShape {
        forms = List.copyOf(forms);
    }
}
