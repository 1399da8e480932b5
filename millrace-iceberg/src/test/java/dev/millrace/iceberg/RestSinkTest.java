package dev.millrace.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.error.MillraceException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What every sink does, through a REST catalog.
class RestSinkTest extends TableSinkContract {
    private @Nullable RestCatalogServer server;

    @Override
    protected IcebergCatalog connect() throws Exception {
        RestCatalogServer started = new RestCatalogServer(folder);
        server = started;
        return started.connect();
    }

    @AfterEach
    void stopServer() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void aMissingTableIsNamed() {
        assertThatThrownBy(() -> catalog().table("db.nowhere"))
                .isInstanceOf(MillraceException.class)
                .hasMessage("There is no table 'db.nowhere' in the Iceberg catalog 'test'.");
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> Iceberg.catalog("test", Map.of("type", "rest", "uri", "http://127.0.0.1:1")))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("The Iceberg catalog 'test' (type rest) could not be opened");
    }

    @Test
    void anEarlierSnapshotIsRead() {
        write(session.range(10, 1));
        long first = table().unwrap().currentSnapshot().snapshotId();
        write(session.range(10, 1));
        assertThat(session.read(table().snapshot(first)).count()).isEqualTo(10);
        assertThat(written().count()).isEqualTo(20);
    }
}
