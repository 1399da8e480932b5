package dev.millrace.cli;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Has a command run by the user's warm worker, if the user wants one: the variable `MILLRACE_KEEP` says for how many
/// minutes a worker is kept. Its output, input and exit code are those of this process; when this process ends, so does
/// the command.
///
/// Whatever goes wrong before the worker has begun the command, the command runs in this process.
final class WarmClient {
    /// How many minutes a worker stays without work; none is kept if it is not set.
    static final String KEEP = "MILLRACE_KEEP";

    /// Commands that read and write only what their arguments name and the standard streams. Others start processes or
    /// servers, or measure.
    private static final Set<String> SERVED = Set.of("sql");

    private static final int MAX_MINUTES = 24 * 60;
    /// So many workers at most: each has some hundred megabytes.
    private static final int MAX_WORKERS = 4;

    private static final int INPUT_BYTES = 1 << 16;

    private WarmClient() {}

    /// The minutes that workers are kept for commands with these arguments; 0 for those that run by themselves.
    static int minutes(String[] arguments, Map<String, String> environment) {
        String ci = environment.getOrDefault("CI", "");
        // The command, and what it works on: without that it may ask the terminal.
        if (arguments.length < 2
                || !SERVED.contains(arguments[0])
                || arguments[1].startsWith("-")
                || Arrays.stream(arguments).anyMatch(WarmClient::runsAlone)
                || !(ci.isEmpty() || ci.equals("false"))) {
            return 0;
        }
        try {
            return Math.clamp(
                    Integer.parseInt(environment.getOrDefault(KEEP, "0").strip()), 0, MAX_MINUTES);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /// A server, and the text of help, whose colours depend on the terminal.
    private static boolean runsAlone(String argument) {
        return argument.startsWith("--dashboard") || argument.equals("--help") || argument.equals("-h");
    }

    /// Has the command run by the worker.
    ///
    /// @return its exit code; null if the command is to be run here
    static @Nullable Integer run(Path socket, String[] arguments) {
        try (SocketChannel channel = WarmSocket.connect(socket)) {
            if (channel == null) {
                return null;
            }
            DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel)));
            DataInputStream in = new DataInputStream(Channels.newInputStream(channel));
            new WarmFrame(WarmFrame.Kind.COMMAND, packed(arguments)).write(out);
            return converse(in, out);
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable Integer converse(DataInputStream in, DataOutputStream out) throws IOException {
        boolean hasBegun = false;
        while (true) {
            WarmFrame frame;
            try {
                frame = WarmFrame.read(in);
            } catch (IOException e) {
                if (!hasBegun) {
                    throw e;
                }
                frame = null;
            }
            if (frame == null) {
                if (!hasBegun) {
                    return null;
                }
                System.err.println(
                        "millrace: the warm worker has ended before the command. Run it again, or unset " + KEEP + ".");
                return 1;
            }
            switch (frame.kind()) {
                case BUSY -> {
                    return null;
                }
                case OUT -> print(System.out, frame.bytes());
                case ERR -> print(System.err, frame.bytes());
                case WANTS_INPUT -> new WarmFrame(WarmFrame.Kind.INPUT, input(System.in)).write(out);
                case EXIT -> {
                    return (int) frame.bytes()[0];
                }
                case COMMAND, INPUT, STOP -> throw new IOException("the worker sent " + frame);
            }
            hasBegun = true;
        }
    }

    private static void print(PrintStream to, byte[] bytes) {
        to.write(bytes, 0, bytes.length);
        to.flush();
    }

    /// Some bytes as soon as there are some: nothing is taken of the input that the command does not ask for.
    private static byte[] input(InputStream from) throws IOException {
        byte[] bytes = new byte[INPUT_BYTES];
        int count = from.read(bytes);
        return count <= 0 ? WarmFrame.NOTHING : Arrays.copyOf(bytes, count);
    }

    static byte[] packed(String[] arguments) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(arguments.length);
        for (String argument : arguments) {
            byte[] text = argument.getBytes(java.nio.charset.StandardCharsets.UTF_8);
            out.writeInt(text.length);
            out.write(text);
        }
        return bytes.toByteArray();
    }

    /// Starts a worker for later commands like this one; it becomes ready by itself.
    static void startWorker(Path socket, int minutes) {
        try {
            if (WarmSocket.all().size() >= MAX_WORKERS) {
                return;
            }
            List<String> command = new ArrayList<>(List.of(
                    "sh",
                    "-c",
                    // A session of its own: an interrupt of the terminal is not for it.
                    "if command -v setsid >/dev/null; then exec setsid \"$0\" \"$@\"; else exec nohup \"$0\" \"$@\"; fi",
                    Path.of(System.getProperty("java.home"), "bin", "java").toString()));
            command.addAll(RunProgram.flags());
            String archive = RunProgram.archive();
            if (archive != null) {
                command.add(dev.millrace.internal.cluster.start.WorkerArchive.OPTION + archive);
            }
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
            command.addAll(List.of(WarmWorker.NAME, socket.toString(), Integer.toString(minutes)));
            Process _ = new ProcessBuilder(command)
                    .redirectInput(new java.io.File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException | RuntimeException e) {
            // Then there is none: the next command runs by itself, too.
        }
    }

    /// Asks the worker at the socket to end.
    ///
    /// @return whether there was one
    static boolean stop(Path socket) {
        try (SocketChannel channel = WarmSocket.connect(socket)) {
            if (channel == null) {
                return false;
            }
            new WarmFrame(WarmFrame.Kind.STOP, WarmFrame.NOTHING)
                    .write(new DataOutputStream(Channels.newOutputStream(channel)));
            // It answers with nothing: its end is the answer.
            return Channels.newInputStream(channel).read() < 0;
        } catch (IOException e) {
            return false;
        }
    }
}
