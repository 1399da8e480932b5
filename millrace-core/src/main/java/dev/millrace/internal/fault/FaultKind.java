package dev.millrace.internal.fault;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.error.TaskCancelled;
import dev.millrace.memory.MemoryYielded;
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

/// What went wrong in a task. Each kind has its own rule: a lost worker is nobody's fault and tried again without end;
/// an IO error passes by itself, so it is tried again after a while; errors of the user's code and of the data come
/// again when they are tried again, so a policy may tolerate them; the rest stops the run.
public enum FaultKind {
    /// The user's code threw, or returned what cannot be taken. IO errors in there are the user's too.
    USER,
    /// The data is broken, and stays so.
    DATA,
    /// A source or a sink could not be reached, and may be in a moment.
    IO,
    /// Memory, disk or other things there is not enough of; files that are not there, or not ours to read.
    RESOURCES,
    /// Also a task that made room for another one: nothing is wrong with it.
    LOST_WORKER,
    CANCELLED,
    /// A bug of ours.
    INTERNAL;

    /// IO errors that do not pass by waiting.
    private static final List<Class<? extends IOException>> LASTING = List.of(
            NoSuchFileException.class,
            FileNotFoundException.class,
            AccessDeniedException.class,
            NotDirectoryException.class,
            FileAlreadyExistsException.class,
            FileSystemLoopException.class,
            ClosedByInterruptException.class,
            LastingIOException.class);

    /// Mistakes of a program and parts that it lacks: they come again whenever it is tried again.
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
            case MemoryYielded _ -> LOST_WORKER;
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

    /// Whether an error policy may let it pass.
    public boolean isTolerable() {
        return this == USER || this == DATA;
    }

    /// Whether what a user's code threw is sure to come again: a file, a class or a constructor that is not there, a
    /// mistake of the program, a sentence of ours about what was asked for or about the data. Anything else, a server
    /// that does not answer for example, may be over the next time.
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

    /// Sources and sinks tell an IO error as one of the resources, with itself as the cause.
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
