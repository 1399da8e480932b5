package dev.millrace.testing;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/// Java serialisation to and from memory; classes are found by the context class loader, as on a worker.
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

    static Object decode(byte[] bytes) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
                try {
                    return Class.forName(description.getName(), false, loader);
                } catch (ClassNotFoundException e) {
                    return super.resolveClass(description);
                }
            }
        }) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new MillraceException(Culprit.USER, "what was shipped could not be read: " + e.getMessage(), e);
        }
    }
}
