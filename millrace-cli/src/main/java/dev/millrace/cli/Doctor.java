package dev.millrace.cli;

import dev.millrace.internal.consume.TableText;
import dev.millrace.internal.progress.TerminalStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Looks at what this machine has.
@Command(
        name = "doctor",
        description = "Looks at what this machine has: Java, processors, memory, disks, native libraries, GPUs, Python,"
                + " Ray. Says what works, what is missing and how to get it.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is broken; things that not everybody needs may be missing",
            "1:something that every run needs is broken"
        },
        footer = {"", "Examples:", "  millrace doctor", "  millrace doctor --json | jq '.[] | select(.state != \"ok\")'"
        })
final class Doctor implements Callable<Integer> {
    private static final int NAMES = 11;
    private static final int STATES = 8;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "a JSON array instead of text")
    private boolean json;

    @Override
    public Integer call() {
        List<DoctorCheck> checks = new ArrayList<>(MachineChecks.all());
        checks.addAll(LibraryChecks.all(System.getenv()));
        PrintWriter to = spec.commandLine().getOut();
        if (json) {
            List<Map<String, Object>> all =
                    checks.stream().map(DoctorCheck::json).toList();
            JsonOutput.print(to, all);
        } else {
            int width = TableText.Layout.of(TerminalStream.OUT).width();
            checks.forEach(check -> print(to, check, width));
        }
        to.flush();
        return checks.stream().anyMatch(check -> check.state() == DoctorCheck.State.BROKEN) ? 1 : 0;
    }

    private void print(PrintWriter to, DoctorCheck check, int width) {
        Ansi ansi = spec.commandLine().getColorScheme().ansi();
        String state = check.state().word();
        String before = ansi.string("@|" + check.state().colour() + " " + state + "|@")
                + " ".repeat(STATES - state.length()) + " " + check.name()
                + " ".repeat(Math.max(1, NAMES - check.name().length()));
        String indent = " ".repeat(STATES + 1 + NAMES);
        for (String line : wrapped(check.found(), width - indent.length())) {
            to.println(before + line);
            before = indent;
        }
        if (!check.remedy().isEmpty()) {
            wrapped("-> " + check.remedy(), width - indent.length()).forEach(line -> to.println(indent + line));
        }
    }

    static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
