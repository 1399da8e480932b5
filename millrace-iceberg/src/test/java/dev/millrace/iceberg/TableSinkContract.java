package dev.millrace.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.Dataset;
import dev.millrace.sink.Sink;
import dev.millrace.sink.WriteSummary;
import dev.millrace.testing.RowSinkContract;
import dev.millrace.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every sink does, by commits to a table of some catalog.
abstract class TableSinkContract extends RowSinkContract {
    private static final TableIdentifier NAME = TableIdentifier.parse("db.numbers");

    private IcebergCatalog catalog;

    /// A new catalog, with data below the test's folder.
    protected abstract IcebergCatalog connect() throws Exception;

    @BeforeEach
    void makeTable() throws Exception {
        catalog = connect();
        ((SupportsNamespaces) catalog.unwrap()).createNamespace(Namespace.of("db"));
        catalog.unwrap()
                .createTable(
                        NAME, new org.apache.iceberg.Schema(Types.NestedField.optional(1, "id", Types.LongType.get())));
    }

    @AfterEach
    void closeCatalog() {
        catalog.close();
    }

    protected final IcebergCatalog catalog() {
        return catalog;
    }

    protected final IcebergTable table() {
        return catalog.table(NAME.toString());
    }

    @Override
    protected void prepare(Schema columns) {
        catalog.unwrap()
                .loadTable(NAME)
                .updateSchema()
                .addColumn("text", Types.StringType.get())
                .commit();
    }

    @Override
    protected Sink appending() {
        return table().append();
    }

    @Override
    protected Sink overwriting() {
        return table().overwrite();
    }

    @Override
    protected Dataset written() {
        return session.read(table());
    }

    /// Data files only: metadata tells of all that ever was.
    @Override
    protected List<String> entries() throws IOException {
        Path data = folder.resolve("warehouse/db/numbers/data");
        if (!Files.exists(data)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(Files::isRegularFile).map(Path::toString).toList();
        }
    }

    @Override
    protected boolean isOrdered() {
        return false;
    }

    /// More than the library's own tries suffice for.
    @Test
    void manyJobsCommitBesideEachOther() throws Exception {
        // Few enough at once for the connections of client and server in one process with 64 open files.
        try (ExecutorService jobs = Executors.newFixedThreadPool(8)) {
            List<Future<WriteSummary>> writes = Stream.generate(() -> jobs.submit(() -> write(session.range(10, 1))))
                    .limit(24)
                    .toList();
            for (Future<WriteSummary> write : writes) {
                assertThat(write.get().rows()).isEqualTo(10);
            }
        }
        assertThat(ids()).hasSize(240);
    }
}
