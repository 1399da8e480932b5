package dev.millrace.internal.cluster.worker;

import dev.millrace.compute.Resources;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.MachineLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a worker is told when it is started. The command line:
///
/// ```
/// WorkerMain [--listen HOST:PORT] [--advertise HOST] [--cpus N] [--gpus N] [--memory BYTES] [--task-memory BYTES]
///            [--custom NAME=AMOUNT,...] [--spill FOLDER] [--code-cache FOLDER] [--code-cache-size BYTES]
///            [--token-file FILE] [--address-file FILE] [--tls FILE] [--stdin]
/// ```
///
/// The token is never an argument, since other users of the machine see those: it is in a file, or in the environment
/// ([#TOKEN]).
///
/// @param host where it listens; only there
/// @param port 0: the system chooses
/// @param advertised the host by which drivers and other workers reach it
/// @param resources what tasks may take here
/// @param blockMemory bytes for blocks and for what tasks allocate
/// @param spillFolder where blocks go that do not fit; null: the folder for temporary files
/// @param codeFolder keeps jars of drivers by their hashes; several workers may share it
/// @param codeBytes beyond which the least recently used of those leave
/// @param addressFile gets the line that standard output gets; null: none
/// @param tls a key store with the worker's key and certificate; null: connections are not encrypted
/// @param untilStdinEnds whether the worker ends when its standard input does, as it does when its parent dies
public record WorkerOptions(
        String host,
        int port,
        String advertised,
        Resources resources,
        long blockMemory,
        @Nullable Path spillFolder,
        Path codeFolder,
        long codeBytes,
        String token,
        @Nullable Path addressFile,
        @Nullable Path tls,
        boolean untilStdinEnds) {
    /// The variable with the token, where no file is named.
    public static final String TOKEN = "MILLRACE_TOKEN";

    /// What the first line of standard output, and of the address file, begins with when the worker listens; then come
    /// host and port, each after a space.
    public static final String READY = "millrace-worker";

    private static final int MIN_TOKEN = 16;
    private static final long CODE_BYTES = 4L << 30;

    /// @param environment of the process
    /// @throws MillraceException culprit USER, for a wrong option or a missing token
    public static WorkerOptions parse(String[] arguments, Map<String, String> environment) {
        Map<String, String> given = new HashMap<>();
        boolean stdin = false;
        for (int i = 0; i < arguments.length; i++) {
            String name = arguments[i];
            if (name.equals("--stdin")) {
                stdin = true;
            } else if (KNOWN.contains(name) && i + 1 < arguments.length) {
                given.put(name, arguments[++i]);
            } else {
                throw MillraceException.user("A worker has no option '" + name + "', or its value is missing. It has "
                        + String.join(", ", KNOWN) + " and --stdin.");
            }
        }
        String listen = given.getOrDefault("--listen", "127.0.0.1:0");
        int colon = listen.lastIndexOf(':');
        if (colon < 1) {
            throw MillraceException.user("--listen needs HOST:PORT, such as 127.0.0.1:7400, not '" + listen + "'.");
        }
        String host = bare(listen.substring(0, colon));
        int port = (int) number("--listen", listen.substring(colon + 1), 65535);
        MachineLimits machine = MachineLimits.local();
        Resources all = machine.resources();
        Resources resources = new Resources(
                decimal(given, "--cpus", all.cpus()),
                decimal(given, "--gpus", all.gpus()),
                given.containsKey("--task-memory") ? bytes("--task-memory", given.get("--task-memory")) : all.memory(),
                custom(given.get("--custom")));
        return new WorkerOptions(
                host,
                port,
                bare(given.getOrDefault("--advertise", host)),
                resources,
                given.containsKey("--memory") ? bytes("--memory", given.get("--memory")) : machine.storeBytes(),
                path(given.get("--spill")),
                given.containsKey("--code-cache")
                        ? Path.of(given.get("--code-cache"))
                        : Path.of(System.getProperty("user.home"), ".cache", "millrace", "code"),
                given.containsKey("--code-cache-size")
                        ? bytes("--code-cache-size", given.get("--code-cache-size"))
                        : CODE_BYTES,
                token(given.get("--token-file"), environment),
                path(given.get("--address-file")),
                path(given.get("--tls")),
                stdin);
    }

    private static final List<String> KNOWN = List.of(
            "--listen",
            "--advertise",
            "--cpus",
            "--gpus",
            "--memory",
            "--task-memory",
            "--custom",
            "--spill",
            "--code-cache",
            "--code-cache-size",
            "--token-file",
            "--address-file",
            "--tls");

    /// Without the brackets of an IPv6 address.
    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static @Nullable Path path(@Nullable String text) {
        return text == null ? null : Path.of(text);
    }

    private static String token(@Nullable String file, Map<String, String> environment) {
        String token = environment.getOrDefault(TOKEN, "");
        if (file != null) {
            try {
                token = Files.readString(Path.of(file), StandardCharsets.UTF_8).strip();
            } catch (IOException e) {
                throw MillraceException.user("The token file " + file + " could not be read: " + e + ".");
            }
        }
        if (token.length() < MIN_TOKEN) {
            throw MillraceException.user("A worker needs a token of at least " + MIN_TOKEN
                    + " characters, which its drivers know too: in a file (--token-file FILE) or in the environment ("
                    + TOKEN + "). It runs the code of whoever has it.");
        }
        return token;
    }

    private static Map<String, Double> custom(@Nullable String text) {
        Map<String, Double> custom = new HashMap<>();
        for (String part : text == null || text.isBlank() ? new String[0] : text.split(",")) {
            int at = part.indexOf('=');
            if (at < 1) {
                throw MillraceException.user("--custom needs NAME=AMOUNT,..., not '" + text + "'.");
            }
            custom.put(part.substring(0, at).strip(), decimal("--custom", part.substring(at + 1)));
        }
        return custom;
    }

    private static double decimal(Map<String, String> given, String option, double otherwise) {
        return given.containsKey(option) ? decimal(option, given.get(option)) : otherwise;
    }

    private static double decimal(String option, String text) {
        try {
            double number = Double.parseDouble(text.strip());
            if (number >= 0 && number < 1e9) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw MillraceException.user(option + " needs a number from 0 on, not '" + text + "'.");
    }

    /// 1073741824, 1024m, 1g.
    static long bytes(String option, String text) {
        String number = text.strip().toLowerCase(Locale.ROOT);
        int shift = number.isEmpty()
                ? 0
                : switch (number.charAt(number.length() - 1)) {
                    case 'k' -> 10;
                    case 'm' -> 20;
                    case 'g' -> 30;
                    case 't' -> 40;
                    default -> 0;
                };
        return number(option, shift == 0 ? number : number.substring(0, number.length() - 1), Long.MAX_VALUE >> shift)
                << shift;
    }

    private static long number(String option, String text, long most) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw MillraceException.user(option + " needs a number from 0 to " + most + ", not '" + text + "'.");
    }
}
