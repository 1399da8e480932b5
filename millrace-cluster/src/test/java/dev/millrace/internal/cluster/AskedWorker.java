package dev.millrace.internal.cluster;

import dev.millrace.internal.cluster.worker.WorkerOptions;
import dev.millrace.internal.cluster.worker.WorkerServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/// The main class of a worker process that can be asked what it holds: for each line on standard input it prints the
/// number of its drivers and the bytes in use. Ends with its standard input.
final class AskedWorker {
    private AskedWorker() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream output = System.out;
        System.setOut(System.err);
        WorkerServer server = new WorkerServer(WorkerOptions.parse(arguments, System.getenv()));
        Thread.ofPlatform().daemon().start(server::run);
        output.println(server.port());
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (input.readLine() != null) {
            output.println(server.sessions() + " " + server.heldBytes());
        }
        Runtime.getRuntime().halt(0);
    }
}
