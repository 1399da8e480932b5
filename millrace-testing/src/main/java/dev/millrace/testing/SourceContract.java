package dev.millrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.block.Block;
import dev.millrace.internal.runtime.wire.ProgramDecoder;
import dev.millrace.internal.runtime.wire.ProgramEncoder;
import dev.millrace.internal.transform.FunctionCheck;
import dev.millrace.memory.Allocator;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.source.ReadContext;
import dev.millrace.source.Source;
import dev.millrace.source.Split;
import dev.millrace.source.SplitReader;
import dev.millrace.source.SplitRequest;
import dev.millrace.type.Schema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The guarantees of every source: extend it with a source of at least a few rows and, if it can have them, several
/// splits.
@Timeout(60)
public abstract class SourceContract {
    private static final long CHUNK = 64 << 10;

    private final Allocator allocator = Allocator.root("source contract", Long.MAX_VALUE);

    /// A source over the same rows at every call.
    protected abstract Source source() throws Exception;

    /// The rows of the source, in this order unless [#keepsOrder] is false.
    protected abstract List<Map<String, Object>> rows() throws Exception;

    /// Whether the source always returns its rows in the same order.
    protected boolean keepsOrder() {
        return true;
    }

    @AfterEach
    void nothingIsHeld() {
        allocator.close();
    }

    private static SplitRequest request(int parallelism) {
        return new SplitRequest(parallelism, false, 1, Long.MAX_VALUE);
    }

    private List<Split> splits(Source source, int parallelism) throws Exception {
        return splits(source, request(parallelism));
    }

    private static List<Split> splits(Source source, SplitRequest request) throws Exception {
        List<Split> splits = new ArrayList<>();
        var all = source.splits(request);
        all.forEachRemaining(splits::add);
        if (all instanceof AutoCloseable closeable) {
            closeable.close();
        }
        return splits;
    }

    private List<Map<String, Object>> read(Split split, Schema schema) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        try (SplitReader reader = split.open(new ReadContext(allocator, CHUNK))) {
            for (Block block = reader.next(); block != null; block = reader.next()) {
                try (Block chunk = block) {
                    assertThat(chunk.schema()).isEqualTo(schema);
                    for (long i = 0; i < chunk.rows(); i++) {
                        Map<String, Object> row = new LinkedHashMap<>();
                        for (int column = 0; column < schema.size(); column++) {
                            row.put(
                                    schema.field(column).name(),
                                    chunk.column(column).value(i));
                        }
                        rows.add(row);
                    }
                }
            }
            assertThat(reader.next()).as("after the end").isNull();
        }
        return rows;
    }

    private List<Map<String, Object>> readAll(Source source, int parallelism) throws Exception {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Split split : splits(source, parallelism)) {
            rows.addAll(read(split, source.schema().orElseThrow()));
        }
        return rows;
    }

    private void check(List<Map<String, Object>> found, List<Map<String, Object>> wanted) {
        if (keepsOrder()) {
            assertThat(found).isEqualTo(wanted);
        } else {
            assertThat(found).containsExactlyInAnyOrderElementsOf(wanted);
        }
    }

    @Test
    void everyRowComesOnceHoweverManySplitsAreAskedFor() throws Exception {
        for (int parallelism : List.of(1, 2, 3, 16, 200)) {
            check(readAll(source(), parallelism), rows());
        }
    }

    @Test
    void everyRowComesOnceForEveryExactNumberOfSplits() throws Exception {
        Source source = source();
        for (int count : List.of(1, 2, 7, 50)) {
            List<Split> splits = splits(source, new SplitRequest(count, true, 1, Long.MAX_VALUE));
            List<Map<String, Object>> found = new ArrayList<>();
            for (Split split : splits) {
                found.addAll(read(split, source.schema().orElseThrow()));
            }
            check(found, rows());
            if (source.hasSplits(count)) {
                assertThat(splits)
                        .as("splits of a source that knows that it has %d", count)
                        .hasSizeGreaterThanOrEqualTo(Math.min(count, rows().size()));
            }
        }
    }

    /// As a worker would get it.
    private static <T extends Serializable> T shipped(String what, T value, Class<T> kind) {
        return new ProgramDecoder()
                .receive(new ProgramEncoder(FunctionCheck::refusal).encode(what, value))
                .decode(what, kind);
    }

    @Test
    void splitsAndSourcesSurviveBytes() throws Exception {
        Source copy = shipped("the source", source(), Source.class);
        List<Map<String, Object>> found = new ArrayList<>();
        for (Split split : splits(copy, 4)) {
            Split shipped = shipped("a split", split, Split.class);
            found.addAll(read(shipped, copy.schema().orElseThrow()));
        }
        check(found, rows());
    }

    @Test
    void aSplitReadAgainGivesTheSameRows() throws Exception {
        Source source = source();
        for (Split split : splits(source, 4)) {
            Schema schema = source.schema().orElseThrow();
            assertThat(read(split, schema)).isEqualTo(read(split, schema));
        }
    }

    @Test
    void aReaderMayBeClosedEarly() throws Exception {
        for (Split split : splits(source(), 4)) {
            try (SplitReader _ = split.open(new ReadContext(allocator, CHUNK))) {
                // Closed before the first chunk.
            }
            try (SplitReader reader = split.open(new ReadContext(allocator, CHUNK))) {
                Block first = reader.next();
                if (first != null) {
                    first.close();
                }
            }
        }
    }

    @Test
    void whatIsSaidBeforehandIsTrue() throws Exception {
        Source source = source();
        source.rows().ifPresent(count -> assertThat(count).isEqualTo(count()));
        long sum = 0;
        boolean all = true;
        for (Split split : splits(source, 4)) {
            assertThat(split.description()).isNotBlank();
            all &= split.rows().isPresent();
            sum += split.rows().orElse(0);
        }
        if (all) {
            assertThat(sum).isEqualTo(count());
        }
        assertThat(source.name()).isNotBlank();
    }

    private long count() {
        try {
            return rows().size();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aProjectionIsExactAndInItsOrder() throws Exception {
        List<String> names =
                new ArrayList<>(source().schema().orElseThrow().names().reversed());
        if (names.size() > 1) {
            names.removeLast();
        }
        var projected = source().project(names);
        if (projected.isPresent()) {
            assertThat(projected.get().schema().orElseThrow().names()).isEqualTo(names);
            List<Map<String, Object>> wanted = new ArrayList<>();
            for (Map<String, Object> row : rows()) {
                Map<String, Object> part = new LinkedHashMap<>();
                names.forEach(name -> part.put(name, row.get(name)));
                wanted.add(part);
            }
            check(readAll(projected.get(), 3), wanted);
        }
    }

    @Test
    void aSessionReadsItWhole() throws Exception {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            List<Row> found = session.read(source()).takeAll();
            check(found.stream().map(Row::asMap).toList(), rows());
            assertThat(session.read(source()).count()).isEqualTo(rows().size());
            assertThat(session.read(source()).take(1)).hasSizeLessThanOrEqualTo(1);
        }
    }
}
