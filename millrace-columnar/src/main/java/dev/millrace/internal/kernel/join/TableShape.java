package dev.millrace.internal.kernel.join;

import java.io.Serializable;
import java.util.List;

/// What is known of a [JoinHashTable] beside its columns.
///
/// @param least the least key, where keys are one whole number that does not go by its hash
/// @param span how far the largest key of a table that is near is from it
/// @param unique no key has two rows
public record TableShape(List<KeyForm> forms, Kind kind, long least, long span, boolean unique)
        implements Serializable {
    public TableShape {
        forms = List.copyOf(forms);
    }

    /// How a key leads to its slot.
    public enum Kind {
        /// [DirectTable]
        DIRECT,
        /// [CompactKeyTable] with slots in the order of keys
        ORDERED,
        /// [CompactKeyTable]
        NEAR,
        /// [HashTable]
        HASHED
    }
}
