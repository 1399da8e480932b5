package dev.millrace.internal.cluster;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.cluster.link.TlsKeys;
import dev.millrace.internal.cluster.start.StarterProvider;
import dev.millrace.internal.runtime.RuntimeProvider;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.ClusterSettings;
import dev.millrace.settings.Settings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.ServiceLoader;
import java.util.TreeSet;

/// Connects to the clusters of all starters on the class path.
public final class ClusterProvider implements RuntimeProvider {
    private static final int TOKEN_BYTES = 24;

    /// For [ServiceLoader].
    public ClusterProvider() {}

    @Override
    public Runtime connect(String address, Settings settings, Allocator driver, BlockSpiller spiller) {
        ClusterSettings access = settings.cluster();
        Path tls = access.tlsFile() == null ? null : Path.of(access.tlsFile());
        return new ClusterRuntime(
                address,
                new ClusterOptions(
                        starters(address).open(address, settings),
                        token(access),
                        TlsKeys.of(tls),
                        access.compresses(),
                        access.connectTimeout(),
                        access.shuffleStorage()),
                driver,
                spiller);
    }

    private static StarterProvider starters(String address) {
        int colon = address.indexOf(':');
        String scheme = colon < 0 ? address : address.substring(0, colon);
        TreeSet<String> known = new TreeSet<>();
        for (StarterProvider provider :
                ServiceLoader.load(StarterProvider.class, ClusterProvider.class.getClassLoader())) {
            if (provider.scheme().equals(scheme)) {
                return provider;
            }
            known.add(provider.scheme());
        }
        if (scheme.equals("ray")) {
            throw MillraceException.user("A session at '" + address
                    + "' needs the artifact dev.millrace:millrace-ray, which is not on the class path.");
        }
        throw MillraceException.user("There are no clusters of the kind '" + scheme + "': an address is local:N,"
                + " millrace://HOST:PORT,... or ray://HEAD:PORT. On the class path are: " + String.join(", ", known)
                + ".");
    }

    /// The user's token, or one of this session.
    private static String token(ClusterSettings access) {
        if (access.tokenFile() != null) {
            try {
                return Files.readString(Path.of(access.tokenFile()), StandardCharsets.UTF_8)
                        .strip();
            } catch (IOException e) {
                throw MillraceException.user("The token file " + access.tokenFile() + " could not be read: " + e + ".");
            }
        }
        String given = System.getenv("MILLRACE_TOKEN");
        if (given != null && !given.isBlank()) {
            return given.strip();
        }
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
