package dev.millrace.examples.guide;

import static dev.millrace.expression.Expressions.col;

import dev.millrace.Session;
import dev.millrace.batch.Row;
import dev.millrace.examples.ExampleFiles;
import dev.millrace.iceberg.Iceberg;
import dev.millrace.iceberg.IcebergCatalog;
import dev.millrace.settings.ProgressSettings;
import dev.millrace.type.DataType;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;

/// The files that samples read, small ones, in the folder that the process runs in.
public final class GuideData {
    private static final List<String> ZONES = List.of("Airport", "Centre", "Harbour", "Hills", "Station");
    private static final LocalDateTime BEGIN = LocalDateTime.of(2024, 1, 1, 6, 0);
    private static final int TRIPS = 1_000;

    private GuideData() {}

    static void make() throws Exception {
        try (Session session = Session.builder().progress(ProgressSettings.OFF).open()) {
            session.range(TRIPS, 4).map(GuideData::trip).writeParquet("trips/");
            photographs(session);
            fill(session);
        }
        texts();
        tables();
        documents();
    }

    private static Row trip(Row row) {
        long id = row.getLong("id");
        LocalDateTime time = BEGIN.plusHours(17 * id);
        return Row.builder()
                .set("id", id)
                .set("user", "user " + id * 7 % 50)
                .set("zone", ZONES.get((int) (id * 3 % ZONES.size())))
                .set("time", time)
                .set("year", time.getYear())
                .set("distance", 0.5 + id % 13)
                .set("fare", 3.0 + id % 13 * 2.25)
                .build();
    }

    private static void photographs(Session session) throws IOException {
        ExampleFiles files = ExampleFiles.unpack(Path.of("unpacked"));
        Files.createDirectories(Path.of("photos"));
        try (var photos = Files.newDirectoryStream(files.photos(), "*.jpg")) {
            for (Path photo : photos) {
                Files.copy(photo, Path.of("photos").resolve(photo.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        Files.copy(files.model(), Path.of("model.onnx"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(files.labels(), Path.of("labels.txt"), StandardCopyOption.REPLACE_EXISTING);
        session.readBinaryFiles("photos/")
                .rename("bytes", "jpg")
                .zip(session.range(8).rename("id", "cls"))
                .withColumn("__key__", col("cls").cast(DataType.UTF8))
                .writeWebDataset("shards/");
    }

    private static void texts() throws IOException {
        Files.writeString(Path.of("fares.txt"), "1.1\n");
        write("logs/monday.log", "08:00 INFO started", "08:01 ERROR no such file", "08:02 INFO stopped");
        write("reviews/reviews.txt", "The parcel came a week late.", "Too small, and the colour is wrong.");
        gzip("export/part-1.csv.gz", "zip;city;sold\n01067;Dresden;12\n80331;Munich;9\n");
        gzip("export/part-2.csv.gz", "zip;city;sold\n20095;Hamburg;7\n");
        gzip("events/day-1.jsonl.gz", "{\"id\":1,\"payload\":{\"a\":1}}\n{\"id\":2,\"payload\":[1,2]}\n");
        write("broken/events.jsonl", "{\"id\":1}", "{\"id\":", "{\"id\":3}");
    }

    private static void tables() throws IOException {
        write(
                "people.csv",
                "age,income,city",
                "31,52000,Dresden",
                ",48000,Munich",
                "45,61000,Dresden",
                "28,39000,Hamburg");
        write("sales.csv", "shop,jan,feb,mar", "North,1,2,3", "South,4,5,6");
        write("zones.csv", "zone,borough", "Airport,Outside", "Centre,Inside", "Harbour,Inside", "Hills,Outside");
        write("orders.csv", "o_orderkey,o_priority", "1,high", "2,low");
        write("lines.csv", "l_orderkey,l_price", "1,10.5", "1,3.25", "3,7.0");
        write("trades.csv", "symbol,time,price", "MIL,2025-03-01T10:00:05,7.1", "RAC,2025-03-01T10:00:09,3.3");
        write("quotes.csv", "symbol,time,bid", "MIL,2025-03-01T10:00:00,7.0", "MIL,2025-03-01T10:00:06,7.2");
    }

    private static void documents() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:documents.duckdb");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE documents AS SELECT range AS id, 'text ' || range AS text FROM range(100)");
            statement.execute("CREATE TABLE scores (id BIGINT, score DOUBLE)");
        }
    }

    /// A catalog in a file, with the tables `db.trips` and `db.expensive`.
    public static IcebergCatalog lake() {
        String warehouse = Path.of("lake").toUri().toString();
        return Iceberg.catalog(Map.of("type", "jdbc", "uri", "jdbc:sqlite:lake.db", "warehouse", warehouse));
    }

    private static void fill(Session session) {
        try (IcebergCatalog catalog = lake()) {
            ((SupportsNamespaces) catalog.unwrap()).createNamespace(Namespace.of("db"));
            Schema columns = new Schema(
                    Types.NestedField.optional(1, "id", Types.LongType.get()),
                    Types.NestedField.optional(2, "fare", Types.DoubleType.get()));
            catalog.unwrap().createTable(TableIdentifier.of("db", "trips"), columns);
            catalog.unwrap().createTable(TableIdentifier.of("db", "expensive"), columns);
            session.readParquet("trips/")
                    .select("id", "fare")
                    .write(catalog.table("db.trips").append());
        }
    }

    private static void write(String name, String... lines) throws IOException {
        Path file = Path.of(name);
        if (file.getParent() != null) {
            Files.createDirectories(file.getParent());
        }
        Files.write(file, List.of(lines));
    }

    private static void gzip(String name, String text) throws IOException {
        Path file = Path.of(name);
        Files.createDirectories(file.getParent());
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }
}
