package dev.millrace.function;

import java.io.Serializable;

/// Makes an object with state, e.g. a loaded model: called once per actor; the object is closed at the end if it is
/// AutoCloseable.
@FunctionalInterface
public interface Factory<T> extends Serializable {
    /// Makes the object, on the thread that will use it.
    T create() throws Exception;
}
