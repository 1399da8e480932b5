package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.worker.WorkerOptions;
import dev.millrace.internal.cluster.worker.WorkerServer;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.ProgressSettings;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two workers whose connections are encrypted, and drivers with the right keys, with others and with none.
@Timeout(90)
class EncryptedWorkersTest {
    private static final String TOKEN = "the token of encrypted workers";

    @TempDir
    Path folder;

    private final List<WorkerServer> workers = new ArrayList<>();

    @BeforeEach
    void listen() throws Exception {
        Path keys = keys("worker");
        Files.writeString(folder.resolve("token"), TOKEN);
        for (int i = 0; i < 2; i++) {
            String[] line = {"--cpus", "1", "--memory", "256m", "--tls", keys.toString()};
            WorkerServer worker = new WorkerServer(WorkerOptions.parse(line, Map.of(WorkerOptions.TOKEN, TOKEN)));
            workers.add(worker);
            Thread.ofPlatform().daemon().start(worker::run);
        }
    }

    @AfterEach
    void close() {
        workers.forEach(WorkerServer::close);
    }

    @Test
    void rowsAreShuffledOverEncryptedConnections() throws Exception {
        ClusterSettings access = access().withTls(folder.resolve("worker.p12").toString());
        try (Session session = connect(access)) {
            assertThat(session
                            .range(300_000)
                            .mapBatches(batch -> batch.mapLongs("id", id -> 299_999 - id))
                            .sort("id")
                            .take(3)
                            .stream()
                            .map(row -> row.getLong("id")))
                    .containsExactly(0L, 1L, 2L);
        }
        for (int i = 0; i < 300 && workers.stream().anyMatch(worker -> worker.sessions() > 0); i++) {
            Thread.sleep(100);
        }
        assertThat(workers).allMatch(worker -> worker.sessions() == 0 && worker.heldBytes() == 0);
    }

    @Test
    void aDriverWithoutKeysIsNotServed() {
        assertThatThrownBy(() -> connect(access()).close())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("its connections are encrypted (--tls) and those of this session are not");
        assertThat(workers).allMatch(worker -> worker.sessions() == 0);
    }

    @Test
    void aDriverWithOtherKeysIsNotServed() throws Exception {
        ClusterSettings access = access().withTls(keys("stranger").toString());
        assertThatThrownBy(() -> connect(access).close())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("its worker has other keys of encrypted connections than this session");
        assertThat(workers).allMatch(worker -> worker.sessions() == 0);
    }

    @Test
    void aFileWithoutKeysIsASentence() throws Exception {
        Path file = Files.writeString(folder.resolve("none.p12"), "no keys");
        assertThatThrownBy(() -> connect(access().withTls(file.toString())).close())
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("The keys of encrypted connections cannot be read from " + file)
                .hasMessageContaining("It must be a PKCS #12 file with a key and its certificate");
    }

    private ClusterSettings access() {
        return ClusterSettings.DEFAULT
                .withTokenFile(folder.resolve("token").toString())
                .withConnectTimeout(Duration.ofSeconds(5));
    }

    private Session connect(ClusterSettings access) {
        return Session.builder()
                .progress(ProgressSettings.OFF)
                .cluster(access)
                .cluster("millrace://127.0.0.1:" + workers.get(0).port() + ",127.0.0.1:"
                        + workers.get(1).port())
                .open();
    }

    /// A file with a new key, whose password is empty: the environment of the tests has none.
    private Path keys(String name) throws Exception {
        Path file = folder.resolve(name + ".p12");
        String password = "changeit";
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        password)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).isZero();
        KeyStore made = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            made.load(in, password.toCharArray());
        }
        KeyStore open = KeyStore.getInstance("PKCS12");
        open.load(null, null);
        open.setKeyEntry(name, made.getKey(name, password.toCharArray()), new char[0], made.getCertificateChain(name));
        try (OutputStream out = Files.newOutputStream(file)) {
            open.store(out, new char[0]);
        }
        return file;
    }
}
