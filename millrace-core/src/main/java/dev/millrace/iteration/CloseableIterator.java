package dev.millrace.iteration;

import java.util.Iterator;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// An iteration over a running dataset. Reading to the end closes it; closing it early cancels the run and frees
/// everything. If neither happens, it is closed with its session. One thread reads at a time.
///
/// [#hasNext] is false after the last element, and for a thread that has closed the iteration itself. If something else
/// ended it early (its session was closed, another thread closed it, the run failed) it throws, on each call: a loop
/// never mistakes a part of the rows for all of them.
///
/// It is its own [Iterable], for one loop:
///
/// ```java
/// try (var batches = dataset.iterBatches()) {
///     for (Batch batch : batches) { ... }
/// }
/// ```
@SuppressWarnings("IterableAndIterator") // for one loop, as said above; a second one would find it consumed
public interface CloseableIterator<T> extends Iterator<T>, Iterable<T>, AutoCloseable {
    /// This iteration itself: it can be consumed once.
    @Override
    default Iterator<T> iterator() {
        return this;
    }

    /// The rest as a stream; closing the stream closes this.
    default Stream<T> stream() {
        int traits = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, traits), false)
                .onClose(this::close);
    }

    @Override
    void close();
}
