package dev.millrace.internal.source;

import dev.millrace.error.MillraceException;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An iterator of the program, read lazily, a few splits ahead of the tasks that turn its rows into columns. Where no
/// schema is given, the first rows decide it.
public final class IteratorSource implements Source {
    private static final long serialVersionUID = 1L;

    private final transient Supplier<? extends Iterator<?>> iterators;
    private final @Nullable Schema schema;

    private IteratorSource(Supplier<? extends Iterator<?>> iterators, @Nullable Schema schema) {
        this.iterators = Objects.requireNonNull(iterators);
        this.schema = schema;
    }

    /// @param schema the rows' columns, or null to find out
    public static IteratorSource repeatable(Supplier<? extends Iterator<?>> iterators, @Nullable Schema schema) {
        return new IteratorSource(iterators, schema);
    }

    public static IteratorSource once(Iterator<?> iterator) {
        Objects.requireNonNull(iterator);
        return new IteratorSource(onlyOnce("an iterator", () -> iterator), null);
    }

    public static IteratorSource once(Stream<?> stream) {
        Objects.requireNonNull(stream);
        return new IteratorSource(onlyOnce("a stream", () -> new StreamIterator(stream)), null);
    }

    private static Supplier<Iterator<?>> onlyOnce(String what, Supplier<Iterator<?>> iterators) {
        AtomicBoolean consumed = new AtomicBoolean();
        return () -> {
            if (consumed.getAndSet(true)) {
                throw MillraceException.user("This dataset reads " + what + " that was consumed before, and can be read"
                        + " once only. Call materialize() to keep its rows, or give a supplier of iterators.");
            }
            return iterators.get();
        };
    }

    @Override
    public String name() {
        return "Iterator";
    }

    @Override
    public Optional<Schema> schema() {
        return Optional.ofNullable(schema);
    }

    @Override
    public boolean isRepeatable() {
        return false;
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        return new IteratorSplits(iterators.get(), schema, request.minBytes());
    }

    /// A stream's elements; closing it closes the stream.
    private static final class StreamIterator implements Iterator<Object>, AutoCloseable {
        private final Stream<?> stream;
        private final Iterator<?> elements;

        StreamIterator(Stream<?> stream) {
            this.stream = stream;
            this.elements = stream.iterator();
        }

        @Override
        public boolean hasNext() {
            return elements.hasNext();
        }

        @Override
        public Object next() {
            return elements.next();
        }

        @Override
        public void close() {
            stream.close();
        }
    }
}
