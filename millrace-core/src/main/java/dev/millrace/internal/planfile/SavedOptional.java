package dev.millrace.internal.planfile;

import java.io.Serializable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An Optional in an object stream, which it cannot be itself.
///
/// @param value null: empty
record SavedOptional(@Nullable Object value) implements Serializable {
    private Object readResolve() {
        return Optional.ofNullable(value);
    }
}
