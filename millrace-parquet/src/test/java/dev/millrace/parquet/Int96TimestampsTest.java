package dev.millrace.parquet;

import static dev.millrace.expression.Expressions.col;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import dev.millrace.expression.Expression;
import dev.millrace.internal.parquet.read.ParquetSource;
import dev.millrace.memory.Allocator;
import dev.millrace.source.Source;
import dev.millrace.testing.Python;
import dev.millrace.type.DataType;
import dev.millrace.type.TimeUnit;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Timestamps in 96 bits, of which some are beyond what nanoseconds can hold.
class Int96TimestampsTest {
    private static final int TIMES = 40;
    private static final LocalDateTime LAST = LocalDateTime.of(9999, 12, 31, 23, 59, 59, 999_999_000);
    private static final LocalDateTime LEAP = LocalDateTime.of(2024, 2, 29, 13, 45, 30, 1_000);
    private static final LocalDateTime FIRST = LocalDateTime.of(1, 1, 1, 0, 0);
    private static final LocalDateTime BEFORE = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000);

    @TempDir
    static Path folder;

    @BeforeAll
    static void write() {
        Python.environment("test").run(Int96TimestampsTest.class, "int96_times.py", folder.toString());
    }

    private static Source source(String name, Int96Timestamps int96) {
        return ParquetSource.of(
                List.of(folder.resolve(name + ".parquet").toString()),
                ReadParquet.defaults().int96(int96));
    }

    private static Map<String, List<Object>> read(Source source) {
        try (Allocator allocator = Allocator.root("reading", 1L << 28)) {
            return ParquetFiles.read(source, allocator, 1 << 20);
        }
    }

    private static List<Object> often(LocalDateTime... some) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            all.addAll(Arrays.asList(some));
        }
        return all;
    }

    private static List<List<Object>> lists(List<Object> times) {
        return times.stream().map(time -> Arrays.asList(time)).toList();
    }

    @Test
    void aTimestampBeyondNanosecondsIsAnErrorThatNamesTheOption() {
        Path file = folder.resolve("plain.parquet");
        assertThatThrownBy(() -> read(source("plain", Int96Timestamps.NANOSECONDS)))
                .isInstanceOf(MillraceException.class)
                .hasMessage(
                        "The Parquet file '" + file + "' cannot be read: row group 0, column 't': a timestamp of the"
                                + " day 9999-12-31 is beyond what nanoseconds can hold (1677 to 2262). Read such timestamps in"
                                + " microseconds with the option int96(Int96Timestamps.MICROSECONDS), or as null with"
                                + " int96(Int96Timestamps.NULL_BEYOND_NANOSECONDS).");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "dictionary", "required"})
    void inMicrosecondsTheyAreAllThere(String name) {
        List<Object> times = often(LAST, LEAP, null, FIRST, BEFORE);
        if (name.equals("required")) {
            times.removeIf(Objects::isNull);
        }
        Source source = source(name, Int96Timestamps.MICROSECONDS);
        assertThat(source.schema().orElseThrow().type("t")).isEqualTo(DataType.timestamp(TimeUnit.MICROSECOND));
        assertThat(read(source)).isEqualTo(Map.of("t", times, "list", lists(times)));
        Source late = source.filter(col("t").gt(LEAP)).orElseThrow().source();
        assertThat(read(late).get("t")).isEqualTo(often(LAST));
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "dictionary", "required"})
    void asNullTheyAreNullForFiltersToo(String name) {
        List<Object> times = often(null, LEAP, null, null, BEFORE);
        if (name.equals("required")) {
            times = often(null, LEAP, null, BEFORE);
        }
        Source source = source(name, Int96Timestamps.NULL_BEYOND_NANOSECONDS);
        assertThat(source.schema().orElseThrow().type("t")).isEqualTo(DataType.timestamp(TimeUnit.NANOSECOND));
        assertThat(read(source)).isEqualTo(Map.of("t", times, "list", lists(times)));
        try (Allocator allocator = Allocator.root("reading", 1L << 28)) {
            assertThat(ParquetFiles.readEncoded(source, allocator, 1 << 20, new AtomicLong())
                            .get("t"))
                    .isEqualTo(times);
        }
        assertThat(filtered(source, col("t").isNotNull())).isEqualTo(often(LEAP, BEFORE));
        assertThat(filtered(source, col("t").le(LEAP))).isEqualTo(often(LEAP, BEFORE));
        assertThat(filtered(source, col("t").isNull()))
                .hasSize(times.size() - 2 * TIMES)
                .containsOnlyNulls();
    }

    private static List<Object> filtered(Source source, Expression filter) {
        return read(source.filter(filter).orElseThrow().source()).get("t");
    }
}
