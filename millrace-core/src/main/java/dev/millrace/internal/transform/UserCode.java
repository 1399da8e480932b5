package dev.millrace.internal.transform;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.internal.fault.HeapFull;
import dev.millrace.internal.fault.MissingClass;
import dev.millrace.memory.MemoryTurn;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.ProcessLost;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Converts what a user's function throws into a sentence that names the operator, the position in the input and the
/// user's own line.
public final class UserCode {
    private static final List<String> OURS = List.of(
            "dev.millrace.batch.",
            "dev.millrace.block.",
            "dev.millrace.column.",
            "dev.millrace.error.",
            "dev.millrace.expression.",
            "dev.millrace.images.",
            "dev.millrace.internal.",
            "dev.millrace.jdbc.",
            "dev.millrace.memory.",
            "dev.millrace.models.",
            "dev.millrace.preprocess.",
            "dev.millrace.python.",
            "dev.millrace.type.");

    /// The classes that call users' functions: stack frames below them do not belong to the user's function.
    private static final List<String> CALLERS = Stream.of(
                    RowStages.class,
                    RowPipeline.class,
                    RowFilter.class,
                    SingleCalls.class,
                    EmittingCalls.class,
                    FutureCalls.class,
                    ChainActor.class,
                    FilterStep.class,
                    ProjectStep.class,
                    ErrorBisection.class)
            .map(Class::getName)
            .toList();

    private UserCode() {}

    /// "mapBatches(resize) failed on part-3.parquet, rows 0-31: IllegalStateException: no model at Resize.java:12".
    public static RuntimeException failed(String operation, String where, Throwable cause) {
        return failure(operation + " failed on " + where, cause);
    }

    /// A sentence of our own about the data or an expression, with the position in front.
    static MillraceException located(String operation, InputPosition position, MillraceException cause) {
        return new MillraceException(
                cause.culprit(), operation + " failed on " + position + ": " + cause.getMessage(), cause);
    }

    static RuntimeException failure(String what, Throwable cause) {
        if (cause instanceof TaskCancelled cancelled) {
            return cancelled;
        }
        if (cause instanceof MemoryYielded yielded) {
            return yielded;
        }
        if (cause instanceof ProcessLost lost) {
            return lost;
        }
        String line = line(cause);
        if (cause instanceof MillraceException known) {
            return new MillraceException(
                    known.culprit(), what + ": " + known.getMessage() + suffix(line, known), known);
        }
        if (cause instanceof OutOfMemoryError full) {
            return HeapFull.error(what, full, line, MemoryTurn.accountOfTask());
        }
        Optional<String> missing = MissingClass.sentence(cause);
        if (missing.isPresent() && MissingClass.isOne(cause)) {
            return new MillraceException(
                    Culprit.USER, what + ": " + missing.get() + (line == null ? "" : " (" + line + ")"), cause);
        }
        String message = cause.getMessage() == null ? "" : ": " + cause.getMessage();
        return new MillraceException(
                Culprit.USER,
                what + ": " + cause.getClass().getSimpleName() + message + (line == null ? "" : " at " + line)
                        + missing.map(text -> "; " + text).orElse(""),
                cause);
    }

    /// Our own sentences end with a full stop; the line is appended in brackets.
    private static String suffix(@Nullable String line, MillraceException known) {
        return line == null || known.culprit() == Culprit.INTERNAL ? "" : " (" + line + ")";
    }

    /// The first frame that belongs to the user: "com.acme.Resize.apply(Resize.java:12)"; null if there is none.
    static @Nullable String line(Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            String type = frame.getClassName();
            if (CALLERS.stream().anyMatch(type::startsWith)) {
                return null;
            }
            boolean jdk = type.startsWith("java.") || type.startsWith("jdk.") || type.startsWith("sun.");
            if (!jdk && OURS.stream().noneMatch(type::startsWith)) {
                return type + "." + method(frame) + "(" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
            }
        }
        return null;
    }

    private static String method(StackTraceElement frame) {
        String name = frame.getMethodName();
        return name.startsWith("lambda$") ? name.split("\\$", 3)[1] : name;
    }
}
