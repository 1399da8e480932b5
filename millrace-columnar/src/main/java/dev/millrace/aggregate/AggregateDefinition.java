package dev.millrace.aggregate;

import dev.millrace.type.DataType;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// A user-defined aggregate: the state of a group (`S`, which must be serialisable) starts with [#init], accumulates
/// one value at a time, is merged with the states that other tasks computed for the same group, and is converted to the
/// result at the end.
///
/// Values are the Java objects that rows contain, null for null. A state may be modified in place and returned. The
/// definition itself is serialised and must give the same results when it is run again.
public interface AggregateDefinition<S extends Serializable> extends Serializable {
    /// The state of a group before its first value.
    S init();

    /// The state after this value.
    S accumulate(S state, @Nullable Object value) throws Exception;

    /// The merged state; the rows of `state` precede those of `other`.
    S merge(S state, S other) throws Exception;

    /// The result, a Java object that fits [#type], or null.
    @Nullable
    Object finish(S state) throws Exception;

    /// The type of the results.
    DataType type();
}
