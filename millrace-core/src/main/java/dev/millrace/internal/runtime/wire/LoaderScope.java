package dev.millrace.internal.runtime.wire;

/// The context class loader of a thread while it runs code of a user: that of the driver whose code it is.
///
/// @param before what the thread had
public record LoaderScope(ClassLoader before) implements AutoCloseable {
    /// Sets the context class loader of this thread until the scope is closed by it.
    public static LoaderScope enter(ClassLoader loader) {
        Thread thread = Thread.currentThread();
        LoaderScope scope = new LoaderScope(thread.getContextClassLoader());
        thread.setContextClassLoader(loader);
        return scope;
    }

    @Override
    public void close() {
        Thread.currentThread().setContextClassLoader(before);
    }
}
