package dev.millrace.internal.jsonfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.testing.Python;
import dev.millrace.testing.Seeds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The same files, read by pyarrow and DuckDB.
class JsonOracleTest {
    @TempDir
    Path folder;

    @Test
    void randomFilesReadAsPyarrowReadsThem() {
        long seed = Seeds.seed();
        System.out.println("JsonOracleTest: seed " + seed);
        Python.environment("test").run(JsonOracleTest.class, "make_json.py", folder.toString(), Long.toString(seed));
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            for (int file = 0; file < 20; file++) {
                Dataset ours = session.readJson(folder.resolve(file + ".json").toString());
                Dataset theirs =
                        session.readArrow(folder.resolve(file + ".arrow").toString());
                assertThat(ours.schema()).as("seed %d, file %d", seed, file).isEqualTo(theirs.schema());
                assertThat(ours.takeAll().toString())
                        .as("seed %d, file %d", seed, file)
                        .isEqualTo(theirs.takeAll().toString());
            }
        }
    }

    @Test
    void aLargeFileReadInPartsHasTheSumsThatDuckDbFinds() throws IOException, SQLException {
        Path plain = folder.resolve("large.json");
        try (Connection duckdb = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duckdb.createStatement()) {
            statement.execute(
                    "COPY (SELECT i AS id, i * 0.25 AS price, 'name ' || (i % 97) AS name, i % 3 = 0 AS ok, [i, i + 1]"
                            + " AS pair, {'a': i, 'b': 'x' || i} AS part FROM range(200000) t(i)) TO '" + plain
                            + "' (FORMAT json)");
            try (ResultSet sums = statement.executeQuery("SELECT count(*), sum(id), sum(price), sum(length(name)),"
                    + " sum(ok::INT), sum(pair[2]), sum(part.a) FROM read_json('" + plain + "')")) {
                sums.next();
                List<Double> expected = new ArrayList<>();
                for (int i = 1; i <= 7; i++) {
                    expected.add(sums.getDouble(i));
                }
                Path packed = folder.resolve("packed.json.gz");
                try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
                    Files.copy(plain, out);
                }
                assertThat(sums(plain)).isEqualTo(expected);
                assertThat(sums(packed)).isEqualTo(expected);
            }
        }
    }

    private static List<Double> sums(Path file) {
        double[] sums = new double[7];
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            Dataset rows = session.readJson(file.toString());
            try (var all = rows.iterRows()) {
                while (all.hasNext()) {
                    var row = all.next();
                    sums[0]++;
                    sums[1] += row.getLong("id");
                    sums[2] += row.getDouble("price");
                    sums[3] += row.getString("name").length();
                    sums[4] += row.getBoolean("ok") ? 1 : 0;
                    sums[5] += ((Number) ((List<?>) row.get("pair")).get(1)).doubleValue();
                    sums[6] += ((Number) ((Map<?, ?>) row.get("part")).get("a")).doubleValue();
                }
            }
        }
        List<Double> boxed = new ArrayList<>();
        for (double sum : sums) {
            boxed.add(sum);
        }
        return boxed;
    }
}
