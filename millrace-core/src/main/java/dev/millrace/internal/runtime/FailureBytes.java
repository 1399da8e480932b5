package dev.millrace.internal.runtime;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import dev.millrace.runtime.RemoteFailure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Serialises what a program threw, from a worker to the driver. The exception arrives as itself if its class can be
/// serialised there and found here; otherwise as a [MillraceException] with the same culprit, or as a [RemoteFailure]
/// with the name, message and stack of the original, causes included. Neither side ever fails on it.
public final class FailureBytes {
    private static final SerialRule TRAVELLING = SerialRule.only(
            FailureDescription.class.getName(),
            ShippedFailure.class.getName(),
            "dev.millrace.error.Culprit",
            "java.lang.Enum",
            "java.lang.StackTraceElement");

    private FailureBytes() {}

    /// The properties that every exception has.
    private record FailureDescription(
            String className,
            @Nullable String message,
            @Nullable Culprit culprit,
            StackTraceElement[] stack,
            @Nullable FailureDescription cause)
            implements Serializable {}

    private record ShippedFailure(byte @Nullable [] itself, FailureDescription described) implements Serializable {}

    public static byte[] encode(Throwable failure) {
        byte[] itself;
        try {
            itself = write(failure);
        } catch (IOException | RuntimeException | StackOverflowError e) {
            itself = null;
        }
        try {
            return write(new ShippedFailure(itself, describe(failure, new HashSet<>(Set.of(failure)))));
        } catch (IOException e) {
            throw new IllegalStateException("strings and numbers could not be written to memory", e);
        }
    }

    /// @param loader finds the classes of user exceptions
    public static Throwable decode(byte[] bytes, ClassLoader loader) {
        ShippedFailure travelling;
        try {
            travelling = (ShippedFailure) FilteredInput.read(bytes, FailureBytes.class.getClassLoader(), TRAVELLING);
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            return new MillraceException(
                    Culprit.INTERNAL, "a task failed, and what it threw could not be read: " + e.getMessage(), e);
        }
        if (travelling.itself != null) {
            try {
                return (Throwable) FilteredInput.read(travelling.itself, loader, SerialRule.failures());
            } catch (IOException | ClassNotFoundException | RuntimeException | LinkageError e) {
                // Its class does not exist here, or differs: use the description.
            }
        }
        return rebuild(travelling.described);
    }

    /// @param seen the failure and those it is the cause of
    private static FailureDescription describe(Throwable failure, Set<Throwable> seen) {
        String message;
        try {
            message = failure.getMessage();
        } catch (RuntimeException e) {
            message = "(its message could not be made: " + e + ")";
        }
        Throwable cause = failure.getCause();
        return new FailureDescription(
                failure.getClass().getName(),
                message,
                failure instanceof MillraceException ours ? ours.culprit() : null,
                failure.getStackTrace(),
                cause == null || !seen.add(cause) ? null : describe(cause, seen));
    }

    private static Throwable rebuild(FailureDescription described) {
        Throwable cause = described.cause == null ? null : rebuild(described.cause);
        Throwable rebuilt = described.culprit == null
                ? new RemoteFailure(described.className, described.message, cause)
                : new MillraceException(
                        described.culprit, Objects.requireNonNullElse(described.message, described.className), cause);
        rebuilt.setStackTrace(described.stack);
        return rebuilt;
    }

    private static byte[] write(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }
}
