package dev.millrace.internal.source;

import dev.millrace.block.Block;
import dev.millrace.block.BlockBuilder;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// An iterator of the program, read lazily as one split in this process. Where no schema is given, the first rows
/// decide it.
public final class IteratorSource implements Source {
    private static final long serialVersionUID = 1L;
    private static final int LOOK_AHEAD = 1000;

    private final transient Supplier<? extends Iterator<?>> iterators;
    private final Schema schema;

    private IteratorSource(Supplier<? extends Iterator<?>> iterators, Schema schema) {
        this.iterators = Objects.requireNonNull(iterators);
        this.schema = schema;
    }

    /// @param schema the rows' columns, or null to find out
    public static IteratorSource repeatable(Supplier<? extends Iterator<?>> iterators, Schema schema) {
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
    public boolean isLocal() {
        return true;
    }

    @Override
    public Iterator<Split> splits(SplitRequest request) {
        return List.<Split>of(new IteratorSplit(this)).iterator();
    }

    private record IteratorSplit(IteratorSource source) implements Split {
        @Override
        public String description() {
            return "the iterator";
        }

        @Override
        public SplitReader open(ReadContext context) {
            return new IteratorReader(source.iterators.get(), source.schema, context);
        }
    }

    private static final class IteratorReader implements SplitReader {
        private static final int CHECK_EVERY = 64;

        private final Iterator<?> iterator;
        private final ReadContext context;
        private Schema schema;
        private List<String> names;
        private long read;

        IteratorReader(Iterator<?> iterator, Schema schema, ReadContext context) {
            this.iterator = iterator;
            this.context = context;
            setSchema(schema);
        }

        private void setSchema(Schema known) {
            schema = known;
            names = known == null ? null : known.names();
        }

        @Override
        public Block next() {
            if (!iterator.hasNext()) {
                return null;
            }
            return schema == null ? first() : following();
        }

        private Block first() {
            ItemValues values = new ItemValues("fromIterator");
            while (values.size() < LOOK_AHEAD && iterator.hasNext()) {
                values.add(iterator.next());
            }
            setSchema(values.schema());
            read = values.size();
            try (BlockBuilder builder = new BlockBuilder(context.allocator(), schema, values.size())) {
                for (Object[] row : values.values()) {
                    builder.append(row);
                }
                return builder.build();
            }
        }

        private Block following() {
            try (BlockBuilder builder = new BlockBuilder(context.allocator(), schema, CHECK_EVERY)) {
                while (iterator.hasNext()
                        && (builder.rows() % CHECK_EVERY != 0 || builder.sizeBytes() < context.chunkBytes())) {
                    append(builder, ItemValues.columns("fromIterator", iterator.next()));
                    read++;
                }
                return builder.build();
            }
        }

        private void append(BlockBuilder builder, Map<String, Object> row) {
            try {
                if (!names.containsAll(row.keySet())) {
                    throw MillraceException.user("It has the columns " + row.keySet() + ", and not only " + names + ".");
                }
                builder.append(ItemValues.inOrder(row, names));
            } catch (MillraceException e) {
                throw new MillraceException(
                        Culprit.USER,
                        "fromIterator: row " + read + " does not fit the schema, which the first " + LOOK_AHEAD
                                + " rows decided unless it was given. " + e.getMessage(),
                        e);
            }
        }

        @Override
        public void close() throws Exception {
            if (iterator instanceof AutoCloseable closeable) {
                closeable.close();
            }
        }
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
