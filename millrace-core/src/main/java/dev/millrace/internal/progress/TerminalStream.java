package dev.millrace.internal.progress;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;

/// The standard output streams of this process, and what is at their other end.
public enum TerminalStream {
    OUT(1) {
        @Override
        Charset charset() {
            return System.out.charset();
        }
    },
    ERR(2) {
        @Override
        Charset charset() {
            return System.err.charset();
        }
    };

    private static final int DEFAULT_WIDTH = 80;
    private static final int MIN_WIDTH = 20;

    /// The request number of TIOCGWINSZ.
    private static final long WINDOW_SIZE_LINUX = 0x5413;

    private static final long WINDOW_SIZE_MAC = 0x40087468;

    private final int descriptor;

    TerminalStream(int descriptor) {
        this.descriptor = descriptor;
    }

    abstract Charset charset();

    /// Whether a person looks at it: lines can be redrawn there. Java's console covers standard input and output
    /// together; so the link of the descriptor is checked if there is one.
    @SuppressWarnings("SystemConsoleNull") // null again since JDK 25, whose console is not JLine's by default
    public boolean isInteractive() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        Path link = Path.of("/proc/self/fd/" + descriptor);
        try {
            String target = Files.readSymbolicLink(link).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException _) {
            return System.console() != null && System.console().isTerminal();
        }
    }

    /// Whether it can show the characters of bars.
    public boolean showsBlocks() {
        return charset().newEncoder().canEncode("█░…▁");
    }

    /// The columns now: as the user exported them, else as the terminal reports, else 80.
    public int width() {
        try {
            String columns = System.getenv("COLUMNS");
            int width = columns == null ? ask() : Integer.parseInt(columns.strip());
            return width > 0 ? Math.max(MIN_WIDTH, width) : DEFAULT_WIDTH;
        } catch (NumberFormatException _) {
            return DEFAULT_WIDTH;
        }
    }

    /// Makes the system call only if native access was granted: without it Java would print a warning.
    private int ask() {
        if (!TerminalStream.class.getModule().isNativeAccessEnabled()) {
            return 0;
        }
        long request = switch (System.getProperty("os.name")) {
            case "Linux" -> WINDOW_SIZE_LINUX;
            case "Mac OS X" -> WINDOW_SIZE_MAC;
            default -> 0;
        };
        if (request == 0) {
            return 0;
        }
        try (Arena arena = Arena.ofConfined()) {
            Linker linker = Linker.nativeLinker();
            MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
            int answer = (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("ioctl"),
                            FunctionDescriptor.of(
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_INT,
                                    ValueLayout.JAVA_LONG,
                                    ValueLayout.ADDRESS),
                            Linker.Option.firstVariadicArg(2))
                    .invokeExact(descriptor, request, size);
            return answer == 0 ? size.getAtIndex(ValueLayout.JAVA_SHORT, 1) & 0xFFFF : 0;
        } catch (Throwable _) {
            return 0;
        }
    }
}
