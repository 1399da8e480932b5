package dev.millrace.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Stands between a driver and its server. On a connection over which rows have been moved from a job's table, it cuts
/// the line at the COMMIT: before it reaches the server, or before its answer comes back.
final class CuttingProxy implements AutoCloseable {
    enum Cut {
        NOWHERE,
        BEFORE_COMMIT,
        BEFORE_ANSWER,
        /// And nobody gets through after that.
        BEFORE_ANSWER_FOR_GOOD
    }

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int server;
    final AtomicInteger cuts = new AtomicInteger();
    volatile Cut cut = Cut.NOWHERE;
    /// Rows are moved by inserts.
    volatile boolean direct;

    CuttingProxy(int server) throws IOException {
        this.server = server;
        Thread.ofVirtual().name("cutting proxy").start(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                if (cut == Cut.BEFORE_ANSWER_FOR_GOOD && cuts.get() > 0) {
                    client.close();
                    continue;
                }
                Socket behind = new Socket(InetAddress.getLoopbackAddress(), server);
                Line line = new Line(client, behind);
                Thread.ofVirtual().start(line::requests);
                Thread.ofVirtual().start(line::answers);
            } catch (IOException _) {
                // Closed, or a client that has gone.
            }
        }
    }

    private final class Line {
        private final Socket client;
        private final Socket behind;
        private final CountDownLatch answered = new CountDownLatch(1);
        private volatile boolean dead;
        private boolean moving;

        Line(Socket client, Socket behind) {
            this.client = client;
            this.behind = behind;
        }

        void requests() {
            byte[] bytes = new byte[64 << 10];
            try (client;
                    behind;
                    InputStream in = client.getInputStream();
                    OutputStream out = behind.getOutputStream()) {
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    String text = new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
                    moving |= text.contains("FROM millrace_") || direct && text.contains("INSERT INTO");
                    if (moving && cut != Cut.NOWHERE && text.contains("COMMIT")) {
                        boolean sent = cut != Cut.BEFORE_COMMIT;
                        dead = true;
                        cuts.incrementAndGet();
                        if (sent) {
                            // The other thread cuts the line when the server answers: it has done it then.
                            out.write(bytes, 0, count);
                            out.flush();
                            answered.await();
                        }
                        return;
                    }
                    out.write(bytes, 0, count);
                    out.flush();
                }
            } catch (IOException | InterruptedException _) {
                // The line ends.
            }
        }

        void answers() {
            byte[] bytes = new byte[64 << 10];
            try {
                InputStream in = behind.getInputStream();
                OutputStream out = client.getOutputStream();
                for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                    if (dead) {
                        answered.countDown();
                        return;
                    }
                    out.write(bytes, 0, count);
                    out.flush();
                }
            } catch (IOException _) {
                // The line ends.
            } finally {
                answered.countDown();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
