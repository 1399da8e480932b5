package dev.millrace.internal.transform;

import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// Serialises an object into nothing, to learn whether that works and which object inside of it prevents it.
final class SerialProbe extends ObjectOutputStream {
    /// The object that was about to be written last, before a failure.
    private @Nullable Object last;
    private boolean failed;

    private SerialProbe() throws IOException {
        super(OutputStream.nullOutputStream());
        enableReplaceObject(true);
    }

    /// Why an object cannot be serialised.
    ///
    /// @param culprit the object whose class is not serialisable; null if that is not the reason
    record Refusal(Throwable reason, @Nullable Object culprit) {}

    /// Null if the object can be serialised.
    static @Nullable Refusal refusal(Object value) {
        try (SerialProbe probe = new SerialProbe()) {
            try {
                probe.writeObject(value);
                return null;
            } catch (NotSerializableException e) {
                return new Refusal(e, probe.last);
            }
        } catch (IOException | RuntimeException | StackOverflowError e) {
            return new Refusal(e, null);
        }
    }

    @Override
    protected @Nullable Object replaceObject(@Nullable Object value) {
        // A failure is written to the stream too, with all that belongs to it.
        failed |= value instanceof NotSerializableException;
        if (!failed) {
            last = value;
        }
        return value;
    }
}
