package dev.millrace.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.arrow.IpcFile;
import dev.millrace.block.Block;
import dev.millrace.column.Column;
import dev.millrace.column.DictionaryColumn;
import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.memory.Allocator;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/// Reads files without an engine, and puts values into a form that compares.
final class ParquetFiles {
    private ParquetFiles() {}

    static Source source(Path file) {
        return ParquetSource.of(List.of(file.toString()), ReadParquet.defaults());
    }

    /// Every column's values in order, read in chunks of about `chunkBytes`.
    static Map<String, List<Object>> read(Source source, Allocator allocator, long chunkBytes) {
        Map<String, List<Object>> values = columns(source.schema().orElseThrow().names());
        forEachBlock(source, allocator, chunkBytes, block -> {
            assertThat(block.schema()).isEqualTo(source.schema().orElseThrow());
            add(values, block);
        });
        return values;
    }

    /// The same where columns may come as dictionaries; counts those that did, of all blocks.
    static Map<String, List<Object>> readEncoded(
            Source source, Allocator allocator, long chunkBytes, AtomicLong dictionaries) {
        List<String> names = source.schema().orElseThrow().names();
        Map<String, List<Object>> values = columns(names);
        forEachBlock(source.encoded(Set.copyOf(names)).orElseThrow(), allocator, chunkBytes, block -> {
            assertThat(block.schema().names()).isEqualTo(names);
            block.columns().stream().filter(DictionaryColumn.class::isInstance).forEach(column -> {
                assertThat(((DictionaryColumn) column).dictionary().type())
                        .isIn(source.schema().get().fields().stream()
                                .map(Field::type)
                                .toList());
                dictionaries.incrementAndGet();
            });
            add(values, block);
        });
        return values;
    }

    static void forEachBlock(Source source, Allocator allocator, long chunkBytes, Consumer<Block> action) {
        Iterator<Split> splits = source.splits(new SplitRequest(4, false, 1 << 20, 128 << 20));
        while (splits.hasNext()) {
            Split split = splits.next();
            try (SplitReader reader = split.open(new ReadContext(allocator, chunkBytes))) {
                for (Block block = reader.next(); block != null; block = reader.next()) {
                    try (Block open = block) {
                        action.accept(open);
                    }
                }
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static Map<String, List<Object>> readArrow(Path file, Allocator allocator) {
        try (IpcFile arrow = IpcFile.open(file, allocator)) {
            Map<String, List<Object>> values = columns(arrow.schema().names());
            for (int i = 0; i < arrow.batches(); i++) {
                try (Block block = arrow.read(i)) {
                    add(values, block);
                }
            }
            return values;
        }
    }

    private static Map<String, List<Object>> columns(List<String> names) {
        Map<String, List<Object>> values = new LinkedHashMap<>();
        names.forEach(name -> values.put(name, new ArrayList<>()));
        return values;
    }

    private static void add(Map<String, List<Object>> values, Block block) {
        for (int c = 0; c < block.schema().size(); c++) {
            Column column = block.column(c);
            List<Object> target = values.get(block.schema().field(c).name());
            for (long i = 0; i < block.rows(); i++) {
                target.add(comparable(column.value(i)));
            }
        }
    }

    /// Arrays as lists, to the bottom.
    static Object comparable(Object value) {
        return switch (value) {
            case null -> null;
            case byte[] bytes -> "x" + Arrays.toString(bytes);
            case List<?> list -> list.stream().map(ParquetFiles::comparable).toList();
            case Map<?, ?> map -> {
                List<Object> entries = new ArrayList<>();
                map.forEach((key, item) -> entries.add(Arrays.asList(comparable(key), comparable(item))));
                yield entries;
            }
            default -> value;
        };
    }
}
