package dev.millrace.testing;

import dev.millrace.internal.runtime.wire.WireMessage;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/// The main class of a worker process: a [LoopbackWorker] whose messages arrive on standard input and leave on standard
/// output. Output of user functions goes to standard error.
final class ProcessWorker {
    private static final int LEAKED = 3;

    private ProcessWorker() {}

    public static void main(String[] args) {
        PrintStream pipe = System.out;
        System.setOut(System.err);
        Frames.Out out = new Frames.Out(pipe);
        LoopbackWorker worker = new LoopbackWorker(message -> write(out, message));
        Frames.In in = new Frames.In(System.in);
        for (WireMessage message = in.read();
                message != null && !(message instanceof WireMessage.Bye);
                message = in.read()) {
            worker.handle(message);
        }
        List<RuntimeException> leaks = worker.close();
        leaks.forEach(leak -> System.err.println(leak.getMessage()));
        System.exit(leaks.isEmpty() ? 0 : LEAKED);
    }

    private static void write(Frames.Out out, WireMessage message) {
        try {
            out.write(message);
        } catch (IOException e) {
            // The driver is gone.
            Runtime.getRuntime().halt(1);
        }
    }
}
