package dev.millrace.internal.ray;

import dev.millrace.internal.ray.local.RayNodeProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What tests look for among the processes of the machine.
final class RayProcesses {
    private RayProcesses() {}

    /// Java processes whose main class is this one, started for nodes with these loopback addresses.
    static List<ProcessHandle> withClass(String name) {
        return ProcessHandle.allProcesses()
                .filter(process -> text(process, "cmdline").contains("\0" + name + "\0")
                        && text(process, "cmdline").contains("\0--token-file\0/dev/fd/"))
                .toList();
    }

    /// Whether all of them have ended, after a while.
    static boolean awaitNone(String name) throws InterruptedException {
        for (int i = 0; i < 600 && !withClass(name).isEmpty(); i++) {
            Thread.sleep(50);
        }
        return withClass(name).isEmpty();
    }

    /// Processes whose arguments or environment show a text to other processes of the user; not this one.
    static List<Long> thatShow(String secret) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> Stream.of("cmdline", "environ")
                        .anyMatch(file -> text(process, file).contains(secret)))
                .map(ProcessHandle::pid)
                .toList();
    }

    /// The process of a node that starts its workers and without which it is dead.
    static ProcessHandle raylet(RayNodeProcess node) {
        return ProcessHandle.of(node.pid())
                .orElseThrow()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/raylet"))
                .findFirst()
                .orElseThrow();
    }

    private static String text(ProcessHandle process, String file) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/" + file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // It has ended, or is not ours.
        }
    }
}
