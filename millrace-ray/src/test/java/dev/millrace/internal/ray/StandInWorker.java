package dev.millrace.internal.ray;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Takes the options of a worker, listens, says so, and ends with its standard input: enough to see what a starter
/// does.
public final class StandInWorker {
    private StandInWorker() {}

    public static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        String listen = option(options, "--listen");
        String token = Files.readString(Path.of(option(options, "--token-file")));
        if (!options.contains("--stdin") || token.length() < 16) {
            throw new IllegalArgumentException("a worker was started with " + options);
        }
        InetAddress host = InetAddress.getByName(listen.substring(0, listen.lastIndexOf(':')));
        try (ServerSocket socket = new ServerSocket(0, 5, host)) {
            System.err.println("A stand-in listens, with GPUs " + System.getenv("CUDA_VISIBLE_DEVICES"));
            System.out.println("millrace-worker " + option(options, "--advertise") + " " + socket.getLocalPort());
            int read = 0;
            while (read >= 0) {
                read = System.in.read();
            }
        }
    }

    private static String option(List<String> options, String name) {
        return options.get(options.indexOf(name) + 1);
    }
}
