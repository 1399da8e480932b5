package dev.millrace.internal.fault;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.memory.MemoryYielded;
import dev.millrace.runtime.BlocksLost;
import dev.millrace.runtime.RemoteFailure;
import dev.millrace.storage.LastingIOException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;

/// Classifies the fault of a task. Each kind has its own rule: a lost worker is retried at once; an IO error is
/// transient, so it is retried with backoff; errors of the user's code and of the data would recur, so a policy may
/// tolerate them; the rest stops the run.
public enum FaultKind {
    /// The user's code threw, or returned an invalid result. IO errors in it count as the user's too.
    USER,
    /// The data is broken, permanently.
    DATA,
    /// A source or a sink could not be reached; a retry may succeed.
    IO,
    /// Memory, disk or other resources are exhausted; files are missing or not readable.
    RESOURCES,
    /// Also a preempted task, and one whose input was lost: nothing is wrong with it.
    LOST_WORKER,
    CANCELLED,
    /// A bug of ours.
    INTERNAL;

    /// IO errors that are permanent.
    private static final List<Class<? extends IOException>> LASTING = List.of(
            NoSuchFileException.class,
            FileNotFoundException.class,
            AccessDeniedException.class,
            NotDirectoryException.class,
            FileAlreadyExistsException.class,
            FileSystemLoopException.class,
            ClosedByInterruptException.class,
            LastingIOException.class);

    /// Mistakes of a program and missing parts of it: they recur with every retry.
    private static final List<Class<? extends Throwable>> MISTAKES = List.of(
            LinkageError.class,
            ReflectiveOperationException.class,
            NullPointerException.class,
            ClassCastException.class,
            IllegalArgumentException.class,
            IndexOutOfBoundsException.class,
            ArithmeticException.class,
            UnsupportedOperationException.class);

    private static final int DEEPEST = 20;

    /// @param workerLost as the runtime says
    public static FaultKind of(Throwable thrown, boolean workerLost) {
        return switch (thrown) {
            case TaskCancelled _ -> CANCELLED;
            case MemoryYielded _, BlocksLost _ -> LOST_WORKER;
            case Throwable _ when workerLost -> LOST_WORKER;
            case MillraceException told ->
                switch (told.culprit()) {
                    case USER -> USER;
                    case DATA -> DATA;
                    case RESOURCES -> isPassing(told) ? IO : RESOURCES;
                    case INTERNAL -> INTERNAL;
                };
            case StackOverflowError _ -> USER;
            case VirtualMachineError _ -> RESOURCES;
            case InterruptedException _ -> CANCELLED;
            default -> USER;
        };
    }

    /// Whether an error policy may tolerate it.
    public boolean isTolerable() {
        return this == USER || this == DATA;
    }

    /// Whether an exception of a user's code is certain to recur: a missing file, class or constructor, a mistake of
    /// the program, a sentence of ours about the request or about the data. Anything else, a server that does not
    /// answer for example, may succeed the next time.
    public static boolean isLasting(Throwable thrown) {
        int depth = 0;
        for (Throwable cause = thrown; cause != null && depth < DEEPEST; cause = cause.getCause(), depth++) {
            boolean sentence = cause instanceof MillraceException told
                    && (told.culprit() == Culprit.DATA || told.culprit() == Culprit.USER && told.getCause() == null);
            Throwable at = cause;
            if (sentence
                    || LASTING.stream().anyMatch(lasting -> isOne(at, lasting))
                    || MISTAKES.stream().anyMatch(mistake -> isOne(at, mistake))) {
                return true;
            }
        }
        return false;
    }

    /// Sources and sinks report an IO error with the culprit RESOURCES, with itself as the cause.
    private static boolean isPassing(MillraceException told) {
        int depth = 0;
        for (Throwable cause = told.getCause(); cause != null && depth < DEEPEST; cause = cause.getCause(), depth++) {
            if (cause instanceof MillraceException inner && inner.culprit() != Culprit.RESOURCES) {
                return false;
            }
            Throwable at = cause;
            if (LASTING.stream().anyMatch(lasting -> isOne(at, lasting))) {
                return false;
            }
            if (isOne(at, IOException.class) && !(at.getCause() instanceof IOException)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOne(Throwable thrown, Class<? extends Throwable> type) {
        return switch (thrown) {
            case UncheckedIOException unchecked -> type.isInstance(unchecked.getCause());
            case RemoteFailure remote ->
                remote.originalClass().equals(type.getName())
                        || type == IOException.class && remote.originalClass().endsWith("IOException");
            default -> type.isInstance(thrown);
        };
    }
}
