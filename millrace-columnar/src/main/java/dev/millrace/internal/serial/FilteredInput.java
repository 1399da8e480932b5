package dev.millrace.internal.serial;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;

/// An object stream over bytes that reads only the classes that its rule allows, from a given class loader.
public final class FilteredInput extends ObjectInputStream {
    private final ClassLoader loader;
    private final UnaryOperator<Object> resolve;

    private FilteredInput(byte[] bytes, ClassLoader loader, SerialRule rule, UnaryOperator<Object> resolve)
            throws IOException {
        super(new ByteArrayInputStream(bytes));
        this.loader = loader;
        this.resolve = resolve;
        enableResolveObject(true);
        setObjectInputFilter(rule.filter(bytes.length));
    }

    /// @param loader the class loader that is tried first; null: the JDK's default
    /// @throws java.io.InvalidClassException for a class that the rule does not allow
    public static Object read(byte[] bytes, ClassLoader loader, SerialRule rule)
            throws IOException, ClassNotFoundException {
        return read(bytes, loader, rule, UnaryOperator.identity());
    }

    /// @param resolve is called with each object of the stream and returns it, or the one to put in its place
    public static Object read(byte[] bytes, ClassLoader loader, SerialRule rule, UnaryOperator<Object> resolve)
            throws IOException, ClassNotFoundException {
        try (FilteredInput in = new FilteredInput(bytes, loader, rule, resolve)) {
            return in.readObject();
        }
    }

    @Override
    protected Object resolveObject(Object read) {
        return resolve.apply(read);
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

    @Override
    protected Class<?> resolveProxyClass(String[] names) throws IOException, ClassNotFoundException {
        if (loader == null) {
            return super.resolveProxyClass(names);
        }
        Class<?>[] interfaces = new Class<?>[names.length];
        for (int i = 0; i < names.length; i++) {
            interfaces[i] = Class.forName(names[i], false, loader);
        }
        try {
            return Proxy.newProxyInstance(loader, interfaces, (_, _, _) -> null).getClass();
        } catch (IllegalArgumentException e) {
            throw new ClassNotFoundException(null, e);
        }
    }
}
