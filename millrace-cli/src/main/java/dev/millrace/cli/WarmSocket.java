package dev.millrace.cli;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// The sockets of warm workers, in a folder that only the user can enter. The name of one holds all that a command sees
/// of its surroundings: working directory, environment, Java with its flags, and the jars. So a worker never runs a
/// command that would behave differently in a process of its own.
final class WarmSocket {
    /// Another folder, for tests.
    static final String FOLDER = "millrace.workers";

    private static final String ENDING = ".sock";

    /// The system allows 108 bytes with the end, some allow 104.
    private static final int MAX_PATH_BYTES = 100;

    /// What differs from command to command in one shell and no command reads.
    private static final Set<String> IGNORED = Set.of("_", "SHLVL", "OLDPWD", "LINES");

    private WarmSocket() {}

    /// The socket of the worker for commands like this one; null if there can be none.
    static @Nullable Path path() {
        try {
            Path folder = folder();
            Path socket = folder.resolve(name() + ENDING);
            return socket.toString().getBytes(StandardCharsets.UTF_8).length <= MAX_PATH_BYTES ? socket : null;
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /// All sockets that are there.
    static List<Path> all() throws IOException {
        try (Stream<Path> files = Files.list(folder())) {
            return files.filter(file -> file.toString().endsWith(ENDING)).toList();
        }
    }

    /// A connection to the worker at the socket; null if none listens.
    static @Nullable SocketChannel connect(Path socket) throws IOException {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return null;
        }
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            if (isOfThisUser(channel)) {
                return channel;
            }
        } catch (IOException e) {
            // It has died and left its socket.
            Files.deleteIfExists(socket);
        }
        channel.close();
        return null;
    }

    /// Whether the other end is a process of the user of this one.
    static boolean isOfThisUser(SocketChannel channel) throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED)
                .user()
                .getName()
                .equals(Files.getOwner(folder(), LinkOption.NOFOLLOW_LINKS).getName());
    }

    /// Created if it is missing.
    ///
    /// @throws IOException if it is not private to its owner
    private static Path folder() throws IOException {
        String given = System.getProperty(FOLDER);
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        Path folder = given != null
                ? Path.of(given)
                : runtime != null && !runtime.isBlank()
                        ? Path.of(runtime, "millrace")
                        : Path.of(System.getProperty("user.home"), ".cache", "millrace", "workers");
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(folder.toAbsolutePath().getParent());
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        String may = PosixFilePermissions.toString(Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS));
        if (!may.equals("rwx------")) {
            throw new IOException(folder + " may be entered by others: " + may);
        }
        return folder;
    }

    private static String name() throws IOException {
        StringBuilder all = new StringBuilder();
        Path directory = Path.of("").toRealPath();
        all.append(directory)
                .append(' ')
                .append(Files.readAttributes(directory, BasicFileAttributes.class)
                        .fileKey());
        all.append('\n').append(Runtime.version()).append(' ').append(System.getProperty("java.home"));
        ManagementFactory.getRuntimeMXBean()
                .getInputArguments()
                .forEach(flag -> all.append('\n').append(flag));
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            BasicFileAttributes file = Files.readAttributes(Path.of(entry), BasicFileAttributes.class);
            all.append('\n')
                    .append(entry)
                    .append(' ')
                    .append(file.size())
                    .append(' ')
                    .append(file.lastModifiedTime());
        }
        for (Map.Entry<String, String> variable : new TreeMap<>(System.getenv()).entrySet()) {
            if (!IGNORED.contains(variable.getKey())) {
                all.append('\n').append(variable.getKey()).append('=').append(variable.getValue());
            }
        }
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(all.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
