package dev.millrace.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ForbiddenException;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Catalogs that refuse a commit, lose their connection during one, or always have someone before us.
class CommitOutcomesTest {
    private static final TableIdentifier NAME = TableIdentifier.parse("db.numbers");

    @TempDir
    Path folder;

    private IcebergCatalog catalog;
    private Session session;

    @BeforeEach
    void makeTable() {
        session = Session.open();
        catalog = Iceberg.catalog(
                "test",
                Map.of(
                        "type", "jdbc",
                        "uri", "jdbc:sqlite:" + folder.resolve("catalog.db"),
                        "warehouse", "file://" + folder.resolve("warehouse")));
        ((SupportsNamespaces) catalog.unwrap()).createNamespace(Namespace.of("db"));
        catalog.unwrap()
                .createTable(NAME, new Schema(Types.NestedField.optional(1, "id", Types.LongType.get())))
                .updateProperties()
                .set("commit.retry.min-wait-ms", "1")
                .set("commit.retry.max-wait-ms", "2")
                .commit();
    }

    @AfterEach
    void close() {
        session.close();
        catalog.close();
    }

    /// What a commit does in place of the catalog's.
    private interface Fault {
        void commit(Runnable real);
    }

    private IcebergTable table(Fault fault) {
        var real = (BaseTable) catalog.unwrap().loadTable(NAME);
        TableOperations operations = real.operations();
        Object faulty = Proxy.newProxyInstance(
                TableOperations.class.getClassLoader(),
                new Class<?>[] {TableOperations.class},
                (_, method, arguments) -> {
                    if (!method.getName().equals("commit")) {
                        return invoke(operations, method, arguments);
                    }
                    fault.commit(() -> {
                        try {
                            invoke(operations, method, arguments);
                        } catch (RuntimeException e) {
                            throw e;
                        } catch (Throwable e) {
                            throw new AssertionError(e);
                        }
                    });
                    return null;
                });
        return Iceberg.table(new BaseTable((TableOperations) faulty, real.name()));
    }

    private static Object invoke(TableOperations operations, java.lang.reflect.Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(operations, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private void write(Fault fault) {
        session.range(20, 2).write(table(fault).append());
    }

    private long rows() {
        return session.read(catalog.table(NAME.toString())).count();
    }

    private long dataFiles() throws IOException {
        Path data = folder.resolve("warehouse/db/numbers/data");
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(Files::isRegularFile).count();
        }
    }

    @Test
    void aCommitWhoseAnswerIsLostIsFoundInTheTable() {
        write(real -> {
            real.run();
            throw new IllegalStateException("connection reset");
        });
        assertThat(rows()).isEqualTo(20);
    }

    @Test
    void filesStayWhereNobodyKnows() throws IOException {
        assertThatThrownBy(() -> write(_ -> {
                    throw new IllegalStateException("connection reset");
                }))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("Nobody knows whether the write to test.db.numbers was committed")
                .hasMessageContaining("millrace.job = ");
        assertThat(rows()).isZero();
        assertThat(dataFiles()).isEqualTo(2);
    }

    @Test
    void filesGoWhereTheCatalogRefuses() throws IOException {
        assertThatThrownBy(() -> write(_ -> {
                    throw new ForbiddenException("only readers here");
                }))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("was not committed")
                .hasMessageContaining("only readers here");
        assertThat(dataFiles()).isZero();
    }

    @Test
    void otherWritersMayBeFirstManyTimes() {
        var lost = new AtomicInteger();
        write(real -> {
            if (lost.incrementAndGet() < 12) {
                throw new CommitFailedException("someone was first");
            }
            real.run();
        });
        assertThat(rows()).isEqualTo(20);
    }

    @Test
    void aTableSaysHowOftenToTry() throws IOException {
        catalog.unwrap()
                .loadTable(NAME)
                .updateProperties()
                .set("commit.retry.num-retries", "2")
                .commit();
        var tries = new AtomicInteger();
        assertThatThrownBy(() -> write(_ -> {
                    tries.incrementAndGet();
                    throw new CommitFailedException("someone was first");
                }))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("other writers always were first");
        assertThat(tries).hasValue(3);
        assertThat(dataFiles()).isZero();
    }
}
