package dev.millrace.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Queries give DuckDB's rows for the same text: of all that is supported one or more.
@Timeout(60)
class SqlOracleTest extends SqlOracle {
    static Stream<String> queries() throws IOException {
        try (InputStream in = SqlOracleTest.class.getResourceAsStream("queries.sql")) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            assertThat(lines).hasSizeGreaterThan(150);
            return lines.stream();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("queries")
    void queriesGiveDuckDbsRows(String query) throws Exception {
        Dataset dataset = sql(query);
        check(query, dataset);
    }
}
