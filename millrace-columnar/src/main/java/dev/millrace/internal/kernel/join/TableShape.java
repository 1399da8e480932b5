package dev.millrace.internal.kernel.join;

import java.io.Serializable;
import java.util.List;

/// The properties of a [JoinHashTable] beside its columns.
///
/// @param least the minimum key, if the key is a single integer that is not hashed
/// @param span the difference between the maximum and the minimum key of a direct table
/// @param unique every key has one row
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
