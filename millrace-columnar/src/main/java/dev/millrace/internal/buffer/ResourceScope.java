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
    /// Each an [AutoCloseable] or a [Releasable].
    private final List<Object> held = new ArrayList<>(4);

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
            held.add(resource);
        }
        return resource;
    }

    /// Gives up what turned out not to be needed.
    public void drop(Releasable resource) {
        held.remove((Object) resource);
        resource.release();
    }

    /// A list whose elements, one reference to each, it owns from the moment they come into the list.
    public <T extends Releasable> List<T> list() {
        List<T> elements = new ArrayList<>();
        addAll(elements);
        return elements;
    }

    /// Owns one reference to each that is in the collection when the scope ends, and empties it then: who else has the
    /// collection sees that nothing in it is held any more.
    public void addAll(Collection<? extends Releasable> resources) {
        held.add((AutoCloseable) () -> {
            List<Releasable> all = new ArrayList<>(resources);
            resources.clear();
            closeAll(all);
        });
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
        List<Object> left = new ArrayList<>(held);
        held.clear();
        closeAll(left);
    }

    /// Closes or releases each, the last first. The first error comes out with those after it suppressed.
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
