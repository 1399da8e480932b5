package dev.millrace.internal.buffer;

import dev.millrace.internal.lifetime.Releasable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// Owns what is opened while something larger is made of it. Where that fails, the scope closes all of it, the last
/// first; where it succeeds, [#keep] hands all of it over and closing the scope does nothing.
///
/// ```
/// try (ResourceScope scope = new ResourceScope()) {
///     Buffer words = scope.add(allocator.allocate(size));
///     Column keys = scope.add(read(words));
///     return scope.keep(new Table(words, keys));
/// }
/// ```
///
/// The error of the body comes out; those of closing are suppressed in it. One thread.
public final class ResourceScope implements AutoCloseable {
    private final List<AutoCloseable> held = new ArrayList<>(4);

    /// Owns it from here on; null is nothing to own.
    public <T extends AutoCloseable> T add(T resource) {
        if (resource != null) {
            held.add(resource);
        }
        return resource;
    }

    /// Owns one reference to it from here on; null is nothing to own.
    public <T extends Releasable> T add(T resource) {
        if (resource != null) {
            held.add(resource::release);
        }
        return resource;
    }

    /// A list whose elements, one reference to each, it owns from the moment they come into the list.
    public <T extends Releasable> List<T> list() {
        List<T> elements = new ArrayList<>();
        addAll(elements);
        return elements;
    }

    /// Owns one reference to each that is in the collection when the scope ends.
    public void addAll(Collection<? extends Releasable> resources) {
        held.add(() -> releaseAll(resources));
    }

    /// Owns nothing any more: what was opened belongs to the caller.
    public void keep() {
        held.clear();
    }

    /// Owns nothing any more: what was opened belongs to `whole`.
    public <T> T keep(T whole) {
        held.clear();
        return whole;
    }

    @Override
    public void close() {
        if (held.isEmpty()) {
            return;
        }
        List<AutoCloseable> left = List.copyOf(held).reversed();
        held.clear();
        closeAll(left);
    }

    /// Gives up one reference to each, whatever the others throw.
    public static void releaseAll(Collection<? extends Releasable> resources) {
        List<AutoCloseable> all = new ArrayList<>(resources.size());
        resources.forEach(resource -> all.add(resource::release));
        closeAll(all);
    }

    /// Closes each in turn. The first error comes out with those after it suppressed.
    private static void closeAll(List<AutoCloseable> all) {
        Throwable first = null;
        for (AutoCloseable one : all) {
            try {
                one.close();
            } catch (Throwable e) {
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }
        switch (first) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            case IOException e -> throw new UncheckedIOException(e);
            // Everything else that AutoCloseable allows: nothing of ours throws it.
            default -> throw new IllegalStateException(first);
        }
    }
}
