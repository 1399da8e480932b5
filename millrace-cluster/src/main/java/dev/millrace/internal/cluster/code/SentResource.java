package dev.millrace.internal.cluster.code;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/// Addresses of resources that a driver sent. The JDK keeps jars open that were read by address; these it does not, so
/// that nothing stays open when the driver has left.
final class SentResource {
    private SentResource() {}

    static URL inJar(JarFile jar, String path) throws MalformedURLException {
        URI address = URI.create("jar:" + Path.of(jar.getName()).toUri() + "!" + escaped(path));
        return URL.of(address, new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) throws IOException {
                URLConnection connection = address.toURL().openConnection();
                connection.setUseCaches(false);
                return connection;
            }
        });
    }

    static URL ofBytes(String path, byte[] bytes) throws MalformedURLException {
        return URL.of(URI.create("millrace-driver:" + escaped(path)), new URLStreamHandler() {
            @Override
            protected URLConnection openConnection(URL url) {
                return new BytesConnection(url, bytes);
            }
        });
    }

    private static String escaped(String path) throws MalformedURLException {
        try {
            return new URI("file", null, "/" + path, null).getRawPath();
        } catch (URISyntaxException e) {
            throw new MalformedURLException("no path of a resource: " + path);
        }
    }

    private static final class BytesConnection extends URLConnection {
        private final byte[] bytes;

        BytesConnection(URL url, byte[] bytes) {
            super(url);
            this.bytes = bytes;
        }

        @Override
        public void connect() {}

        @Override
        public long getContentLengthLong() {
            return bytes.length;
        }

        @Override
        public @Nullable String getContentType() {
            return null;
        }

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(bytes);
        }
    }
}
