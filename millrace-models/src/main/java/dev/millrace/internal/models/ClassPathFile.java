package dev.millrace.internal.models;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.Optional;

/// Files that artifacts contain. A path refers to one as `classpath:folder/name`.
public final class ClassPathFile {
    private static final String PREFIX = "classpath:";

    private ClassPathFile() {}

    public static String path(String name) {
        return PREFIX + name;
    }

    public static boolean isOne(String path) {
        return path.startsWith(PREFIX);
    }

    public static boolean exists(String path) {
        return find(path).isPresent();
    }

    /// The content of the file in off-heap memory.
    ///
    /// @throws MillraceException culprit USER, if there is no such file
    public static ByteBuffer read(String path) {
        URL file = find(path)
                .orElseThrow(() -> MillraceException.user("There is no file '" + path.substring(PREFIX.length())
                        + "' on the class path. Add the artifact that has it."));
        try {
            URLConnection connection = file.openConnection();
            long size = connection.getContentLengthLong();
            try (InputStream in = connection.getInputStream();
                    ReadableByteChannel channel = Channels.newChannel(in)) {
                if (size < 0 || size > Integer.MAX_VALUE) {
                    throw new IOException("it has " + size + " bytes");
                }
                ByteBuffer bytes = ByteBuffer.allocateDirect((int) size);
                while (bytes.hasRemaining()) {
                    if (channel.read(bytes) < 0) {
                        throw new IOException("it ends after " + bytes.position() + " of " + size + " bytes");
                    }
                }
                return bytes.flip();
            }
        } catch (IOException e) {
            throw new MillraceException(Culprit.RESOURCES, "'" + path + "' could not be read: " + e.getMessage(), e);
        }
    }

    private static Optional<URL> find(String path) {
        String name = path.substring(PREFIX.length());
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        URL near = context == null ? null : context.getResource(name);
        return Optional.ofNullable(near == null ? ClassPathFile.class.getResource("/" + name) : near);
    }
}
