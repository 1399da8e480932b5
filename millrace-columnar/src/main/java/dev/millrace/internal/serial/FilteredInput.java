package dev.millrace.internal.serial;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/// An object stream over bytes that reads only the classes that its rule allows, from a given class loader.
public final class FilteredInput extends ObjectInputStream {
    private final ClassLoader loader;

    private FilteredInput(byte[] bytes, ClassLoader loader, SerialRule rule) throws IOException {
        super(new ByteArrayInputStream(bytes));
        this.loader = loader;
        setObjectInputFilter(rule.filter(bytes.length));
    }

    /// @param loader the class loader that is tried first; null: the JDK's default
    /// @throws java.io.InvalidClassException for a class that the rule does not allow
    public static Object read(byte[] bytes, ClassLoader loader, SerialRule rule)
            throws IOException, ClassNotFoundException {
        try (FilteredInput in = new FilteredInput(bytes, loader, rule)) {
            return in.readObject();
        }
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws IOException, ClassNotFoundException {
        if (loader != null) {
            try {
                return Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException _) {
                // A primitive type, or a class of the JDK's own loaders.
            }
        }
        return super.resolveClass(description);
    }
}
