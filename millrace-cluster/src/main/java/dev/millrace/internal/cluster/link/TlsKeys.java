package dev.millrace.internal.cluster.link;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/// The keys of encrypted connections, from a PKCS #12 file that the driver and all workers have: a key with its
/// certificate, which is the one that each side accepts from the other.
public final class TlsKeys {
    /// The variable with the file's password; empty if there is none.
    public static final String PASSWORD = "MILLRACE_TLS_PASSWORD";

    private final SSLContext context;

    private TlsKeys(SSLContext context) {
        this.context = context;
    }

    /// @param file null: connections are not encrypted
    /// @throws MillraceException culprit USER, if the file cannot be used
    public static @Nullable TlsKeys of(@Nullable Path file) {
        if (file == null) {
            return null;
        }
        char[] password = System.getenv().getOrDefault(PASSWORD, "").toCharArray();
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password);
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            for (String alias : Collections.list(keys.aliases())) {
                Certificate certificate = keys.getCertificate(alias);
                if (certificate != null) {
                    trusted.setCertificateEntry(alias, certificate);
                }
            }
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, password);
            TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            others.init(trusted);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(own.getKeyManagers(), others.getTrustManagers(), null);
            return new TlsKeys(context);
        } catch (IOException | GeneralSecurityException e) {
            throw new MillraceException(
                    Culprit.USER,
                    "The keys of encrypted connections cannot be read from " + file + ": " + e.getMessage()
                            + ". It must be a PKCS #12 file with a key and its certificate, whose password is in "
                            + PASSWORD + ".",
                    e);
        }
    }

    SSLSocket client(Socket socket, String host, int port) throws IOException {
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(socket, host, port, true);
        encrypted.setUseClientMode(true);
        return encrypted;
    }

    SSLSocket server(Socket socket) throws IOException {
        SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
        encrypted.setUseClientMode(false);
        encrypted.setNeedClientAuth(true);
        return encrypted;
    }
}
