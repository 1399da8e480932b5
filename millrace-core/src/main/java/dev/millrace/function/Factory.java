package dev.millrace.function;

import java.io.Serializable;

/// Creates an object with state, e.g. a loaded model: called once per actor; the object is closed at the end if it is
/// AutoCloseable.
@FunctionalInterface
public interface Factory<T> extends Serializable {
    /// Creates the object, on the thread that will use it.
    T create() throws Exception;
}
