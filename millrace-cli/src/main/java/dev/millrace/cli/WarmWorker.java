package dev.millrace.cli;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// A process that stays for some minutes and runs commands of the same user, one at a time, with the streams of the
/// [WarmClient] that asks. It ends when it had nothing to do for so long, when it is asked to, and when a client goes
/// away in the middle of its command: then the command is broken off as by an interrupt of its own process.
@Command(name = WarmWorker.NAME, hidden = true)
final class WarmWorker implements Runnable {
    static final String NAME = "warm-worker";

    private static final int INTERRUPTED = 130;
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    /// What hooks at the end of a process may take.
    private static final Duration END_LIMIT = Duration.ofSeconds(10);

    @Parameters(index = "0")
    private Path socket;

    @Parameters(index = "1")
    private int minutes;

    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicLong idleSince = new AtomicLong(System.nanoTime());
    private final Routed out = new Routed(WarmFrame.Kind.OUT);
    private final Routed err = new Routed(WarmFrame.Kind.ERR);
    private final RoutedInput in = new RoutedInput();

    @Override
    public void run() {
        // Libraries keep the streams that they see first, so these stay and what is behind them changes.
        System.setOut(new PrintStream(out, false, System.out.charset()));
        System.setErr(new PrintStream(err, true, System.err.charset()));
        System.setIn(in);
        // Nobody waits yet: the planner of queries is loaded before the first one comes.
        String[] first = {"sql", "SELECT 1 AS one"};
        Main.commandLine(first).execute(first);
        System.out.flush();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
            Thread.ofPlatform().daemon().name("warm-worker-time").start(this::endWhenIdle);
            while (true) {
                SocketChannel client = server.accept();
                if (WarmSocket.isOfThisUser(client)) {
                    Thread.ofPlatform().daemon().name("warm-worker-client").start(() -> serve(client));
                } else {
                    client.close();
                }
            }
        } catch (IOException e) {
            // Another worker has the socket, or the folder is gone: nobody asks this one.
        }
    }

    private void endWhenIdle() {
        long limit = Duration.ofMinutes(minutes).toNanos();
        while (busy.get() || System.nanoTime() - idleSince.get() < limit) {
            try {
                Thread.sleep(LOOK_EVERY);
            } catch (InterruptedException e) {
                break;
            }
        }
        end(0);
    }

    private void serve(SocketChannel client) {
        boolean hasBegun = false;
        try (client) {
            DataInputStream from = new DataInputStream(Channels.newInputStream(client));
            DataOutputStream to = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(client)));
            WarmFrame first = WarmFrame.read(from);
            if (first == null) {
                return;
            }
            if (first.kind() == WarmFrame.Kind.STOP) {
                end(0);
            }
            hasBegun = busy.compareAndSet(false, true);
            if (!hasBegun) {
                new WarmFrame(WarmFrame.Kind.BUSY, WarmFrame.NOTHING).write(to);
                return;
            }
            AtomicBoolean isDone = new AtomicBoolean();
            Thread.ofPlatform().daemon().name("warm-worker-input").start(() -> listen(from, isDone));
            int code = execute(unpacked(first.bytes()), to);
            isDone.set(true);
            synchronized (to) {
                new WarmFrame(WarmFrame.Kind.EXIT, new byte[] {(byte) code}).write(to);
            }
        } catch (IOException e) {
            // The client has gone.
        } finally {
            if (hasBegun) {
                idleSince.set(System.nanoTime());
                busy.set(false);
            }
        }
    }

    private int execute(String[] arguments, DataOutputStream to) {
        out.connect(to);
        err.connect(to);
        in.connect(to);
        try {
            return Main.commandLine(arguments).execute(arguments);
        } finally {
            System.out.flush();
            System.err.flush();
            out.connect(null);
            err.connect(null);
            in.connect(null);
        }
    }

    /// Reads what the client sends while its command runs. Its end is an interrupt.
    private void listen(DataInputStream from, AtomicBoolean isDone) {
        try {
            for (WarmFrame frame = WarmFrame.read(from); frame != null; frame = WarmFrame.read(from)) {
                in.take(frame.bytes());
            }
        } catch (IOException e) {
            // It has gone.
        }
        if (!isDone.get()) {
            end(INTERRUPTED);
        }
    }

    /// Runs the hooks of the process as its own interrupt would, and ends even if they do not.
    private void end(int code) {
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            // The next client finds that nobody listens.
        }
        Thread.ofPlatform().daemon().name("warm-worker-end").start(() -> {
            try {
                Thread.sleep(END_LIMIT);
            } catch (InterruptedException e) {
                // at once, then
            }
            Runtime.getRuntime().halt(code);
        });
        System.exit(code);
    }

    private static String[] unpacked(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        String[] arguments = new String[in.readInt()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
        }
        return arguments;
    }

    /// An output of this process that goes to the client of the moment; without one it goes nowhere.
    private static final class Routed extends OutputStream {
        private final WarmFrame.Kind kind;
        private volatile @Nullable DataOutputStream to;

        Routed(WarmFrame.Kind kind) {
            this.kind = kind;
        }

        void connect(@Nullable DataOutputStream client) {
            to = client;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            DataOutputStream client = to;
            if (client == null) {
                return;
            }
            for (int done = 0; done < length; ) {
                int part = Math.min(length - done, WarmFrame.MAX_BYTES);
                byte[] copy = new byte[part];
                System.arraycopy(bytes, offset + done, copy, 0, part);
                synchronized (client) {
                    new WarmFrame(kind, copy).write(client);
                }
                done += part;
            }
        }
    }

    /// The standard input of the client of the moment: asked for when the command reads.
    private static final class RoutedInput extends InputStream {
        private final BlockingQueue<byte[]> taken = new LinkedBlockingQueue<>();
        private volatile @Nullable DataOutputStream to;
        private ByteArrayInputStream rest = new ByteArrayInputStream(WarmFrame.NOTHING);
        private boolean isAtEnd;

        synchronized void connect(@Nullable DataOutputStream client) {
            to = client;
            taken.clear();
            rest = new ByteArrayInputStream(WarmFrame.NOTHING);
            isAtEnd = false;
        }

        void take(byte[] bytes) {
            taken.add(bytes);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
            DataOutputStream client = to;
            if (length == 0) {
                return 0;
            }
            if (rest.available() == 0 && !isAtEnd && client != null) {
                synchronized (client) {
                    new WarmFrame(WarmFrame.Kind.WANTS_INPUT, WarmFrame.NOTHING).write(client);
                }
                try {
                    byte[] more = taken.take();
                    isAtEnd = more.length == 0;
                    rest = new ByteArrayInputStream(more);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted while waiting for input", e);
                }
            }
            return rest.read(bytes, offset, length);
        }
    }
}
