package dev.millrace.aggregate;

import dev.millrace.type.DataType;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// An aggregate of your own: what is known of a group (`S`, which must be serialisable) starts with [#init], takes in a
/// value at a time, is merged with what another task knows of the same group, and becomes the result at the end.
///
/// Values come as the Java objects that rows have, null for null. A state may be changed in place and returned. The
/// definition itself is serialised and must give the same results when it is run again.
public interface AggregateDefinition<S extends Serializable> extends Serializable {
    /// What is known of a group before its first value.
    S init();

    /// What is known with this value.
    S accumulate(S state, @Nullable Object value) throws Exception;

    /// What both know; `state` is of rows that come before those of `other`.
    S merge(S state, S other) throws Exception;

    /// The result, a Java object that fits [#type], or null.
    @Nullable Object finish(S state) throws Exception;

    /// The type of the results.
    DataType type();
}
