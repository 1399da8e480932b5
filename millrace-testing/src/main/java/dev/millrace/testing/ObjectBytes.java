package dev.millrace.testing;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.serial.FilteredInput;
import dev.millrace.internal.serial.SerialRule;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;

/// Java serialisation to and from memory; classes are loaded by the context class loader, as on a worker.
final class ObjectBytes {
    private ObjectBytes() {}

    /// @param what names the object in the error
    static byte[] encode(String what, Object value) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        } catch (NotSerializableException e) {
            throw new MillraceException(
                    Culprit.USER, what + " keeps an object of " + e.getMessage() + ", which is not serialisable.", e);
        } catch (IOException e) {
            throw new MillraceException(Culprit.USER, what + " could not be serialised: " + e.getMessage(), e);
        }
        return bytes.toByteArray();
    }

    /// @param kind the expected class
    static <T> T decode(byte[] bytes, Class<T> kind) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try {
            return kind.cast(FilteredInput.read(bytes, loader, SerialRule.of(kind)));
        } catch (IOException | ClassNotFoundException e) {
            throw new MillraceException(Culprit.USER, "what was shipped could not be read: " + e.getMessage(), e);
        }
    }
}
