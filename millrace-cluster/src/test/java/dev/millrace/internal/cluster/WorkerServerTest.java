package dev.millrace.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.Session;
import dev.millrace.internal.cluster.link.Greeting;
import dev.millrace.internal.cluster.start.WorkerAddress;
import dev.millrace.internal.cluster.start.WorkerStarter;
import dev.millrace.internal.cluster.worker.WorkerOptions;
import dev.millrace.internal.cluster.worker.WorkerServer;
import dev.millrace.settings.ProgressSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A worker in this process, and callers that it must not trust.
@Timeout(60)
class WorkerServerTest {
    private static final String TOKEN = "the token of this test";
    private static final Greeting DRIVER = new Greeting(Greeting.Kind.MESSAGES, "session", "node", 1, false, false);

    private WorkerServer server;

    @BeforeEach
    void listen() {
        String[] line = {"--cpus", "2", "--memory", "256m"};
        server = new WorkerServer(WorkerOptions.parse(line, Map.of(WorkerOptions.TOKEN, TOKEN)));
        Thread.ofPlatform().daemon().start(server::run);
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aCallerWithAnotherTokenIsRefused() {
        assertThatThrownBy(() -> DRIVER.open("127.0.0.1", server.port(), "another token", null))
                .isInstanceOf(IOException.class)
                .hasMessage("its worker has another token, or another version of Millrace");
        assertThat(server.sessions()).isZero();
    }

    @Test
    void bytesOfSomethingElseEndTheirConnectionOnly() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 20; i++) {
            byte[] noise = new byte[64];
            random.nextBytes(noise);
            assertThat(answerTo(noise)).isEqualTo(-1);
        }
        ByteBuffer claim = ByteBuffer.allocate(8).putInt(0x4d4c5243).putInt(Integer.MAX_VALUE);
        assertThat(answerTo(claim.array())).isEqualTo(-1);
        rangeIsRight();
    }

    private int answerTo(byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
            InputStream in = socket.getInputStream();
            return in.read();
        } catch (SocketException reset) {
            return -1;
        }
    }

    @Test
    void aHostileFrameOfADriverEndsItsSessionOnly() throws Exception {
        try (var link = DRIVER.open("127.0.0.1", server.port(), TOKEN, null)) {
            ByteBuffer frame =
                    ByteBuffer.allocate(8).putInt(0x7fffffff).putInt(1).flip();
            while (frame.hasRemaining()) {
                link.out().write(frame);
            }
            ByteBuffer rest = ByteBuffer.allocate(1 << 16);
            while (link.in().read(rest.clear()) >= 0) {
                // Until the worker closes it.
            }
        }
        rangeIsRight();
    }

    @Test
    void whatADriverLeavesIsFreed() throws InterruptedException {
        rangeIsRight();
        rangeIsRight();
        for (int i = 0; i < 300 && server.sessions() > 0; i++) {
            Thread.sleep(100);
        }
        assertThat(server.sessions()).isZero();
        assertThat(server.heldBytes()).isZero();
    }

    private void rangeIsRight() {
        WorkerStarter here = new WorkerStarter() {
            @Override
            public void start(String token, Listener listener) {
                listener.joined(new WorkerAddress("127.0.0.1", server.port(), "this process"));
            }

            @Override
            public boolean sharesClassPath() {
                return true;
            }

            @Override
            public void close() {}
        };
        try (Session session = Session.builder()
                .progress(ProgressSettings.OFF)
                .runtime(account -> new ClusterRuntime(
                        "here",
                        new ClusterOptions(here, TOKEN, null, true, Duration.ofSeconds(30), null),
                        account,
                        null))
                .open()) {
            assertThat(session.range(500_000)
                            .mapBatches(batch -> batch.mapLongs("id", id -> id % 1000))
                            .sort("id")
                            .count())
                    .isEqualTo(500_000);
        }
    }
}
