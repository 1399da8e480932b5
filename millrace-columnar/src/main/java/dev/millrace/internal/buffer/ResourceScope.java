package dev.millrace.internal.buffer;

import dev.millrace.internal.lifetime.Releasable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Owns resources while a larger object is built from them. On failure the scope closes all of them in reverse order;
/// on success [#keep] passes ownership on, and closing the scope does nothing.
///
/// ```
/// try (ResourceScope scope = new ResourceScope()) {
///     Buffer words = scope.add(allocator.allocate(size));
///     Column keys = scope.add(read(words));
///     return scope.keep(new Table(words, keys));
/// }
/// ```
///
/// The exception of the body is thrown; those of closing are added as suppressed. One thread.
public final class ResourceScope implements AutoCloseable {
    /// Each is an [AutoCloseable] or a [Releasable].
    private final List<Object> held = new ArrayList<>(4);

    /// Takes ownership; null is ignored.
    public <T extends AutoCloseable> T add(T resource) {
        if (resource != null) {
            held.add(resource);
        }
        return resource;
    }

    /// Takes ownership of one reference; null is ignored.
    public <T extends Releasable> T add(T resource) {
        if (resource != null) {
            held.add(resource);
        }
        return resource;
    }

    /// Releases a resource that is not needed.
    public void drop(Releasable resource) {
        held.remove((Object) resource);
        resource.release();
    }

    /// A list that owns one reference to each element from the moment it is added.
    public <T extends Releasable> List<T> list() {
        List<T> elements = new ArrayList<>();
        addAll(elements);
        return elements;
    }

    /// Takes ownership of one reference to each element that is in the collection when the scope ends, and then clears
    /// it, so that other users of the collection do not see released elements.
    public void addAll(Collection<? extends Releasable> resources) {
        held.add((AutoCloseable) () -> {
            List<Releasable> all = new ArrayList<>(resources);
            resources.clear();
            closeAll(all);
        });
    }

    /// Ends ownership: the resources belong to the caller.
    public void keep() {
        held.clear();
    }

    /// Ends ownership: the resources belong to `whole`.
    public <T> T keep(T whole) {
        held.clear();
        return whole;
    }

    @Override
    public void close() {
        if (held.isEmpty()) {
            return;
        }
        List<Object> left = new ArrayList<>(held);
        held.clear();
        closeAll(left);
    }

    /// Closes or releases each in reverse order. The first exception is thrown with the others suppressed.
    private static void closeAll(List<?> all) {
        Throwable first = null;
        for (Object one : all.reversed()) {
            try {
                if (one instanceof Releasable counted) {
                    counted.release();
                } else {
                    ((AutoCloseable) one).close();
                }
            } catch (Throwable e) {
                first = FailureChain.add(first, e);
            }
        }
        switch (first) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case IOException e -> throw new UncheckedIOException(e);
            // Other checked exceptions that AutoCloseable allows: none of our resources throws them.
            default -> throw new IllegalStateException(first);
        }
    }
}
