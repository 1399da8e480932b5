package dev.millrace.internal.transform;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The source line of the user's program that called a verb, as errors name it: `Main:42`, like the lambdas of that
/// line.
public final class CallSite {
    /// No line is known: a plan that was created by a rule, or a program without line numbers.
    public static final String UNKNOWN = "";

    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private static final String ROOT = "dev.millrace";

    /// Modules that call verbs on behalf of the user; our own programs (examples, benchmarks, the command) count as
    /// users.
    private static final List<String> OURS = Stream.of(
                    "arrow", "iceberg", "images", "internal", "jdbc", "models", "parquet", "preprocess", "sql")
            .map(name -> ROOT + "." + name + ".")
            .toList();

    private CallSite() {}

    /// The user's line that called into this module, on the calling thread.
    public static String here() {
        return WALKER.walk(frames -> frames.filter(frame -> isUsers(frame.getDeclaringClass()))
                        .findFirst()
                        .map(CallSite::text))
                .orElse(UNKNOWN);
    }

    /// " at Main:42", to be appended to the name of a verb; empty if it is not known.
    public static String suffix(String site) {
        return site.isEmpty() ? "" : " at " + site;
    }

    /// The sites of several verbs that were merged into one step.
    public static String joined(String first, String second) {
        return Stream.of(first, second)
                .flatMap(site -> Stream.of(site.split(", ")))
                .filter(site -> !site.isEmpty())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static boolean isUsers(Class<?> type) {
        String name = type.getName();
        if (name.startsWith("java.") || name.startsWith("jdk.")) {
            return false;
        }
        // Tests are in the packages of what they test, but not in its jar.
        return !name.startsWith(ROOT + ".")
                || !isOfThisJar(type) && OURS.stream().noneMatch(name::startsWith)
                || name.endsWith("Test");
    }

    static boolean isOfThisJar(Class<?> type) {
        return Objects.equals(
                type.getProtectionDomain().getCodeSource(),
                CallSite.class.getProtectionDomain().getCodeSource());
    }

    private static String text(StackWalker.StackFrame frame) {
        String file = frame.getFileName();
        if (file == null || frame.getLineNumber() <= 0) {
            return UNKNOWN;
        }
        int dot = file.lastIndexOf('.');
        return (dot < 0 ? file : file.substring(0, dot)) + ":" + frame.getLineNumber();
    }
}
