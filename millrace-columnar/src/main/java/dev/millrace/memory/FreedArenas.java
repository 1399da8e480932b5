package dev.millrace.memory;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// Returns the memory of closed arenas to the system. The C library keeps it (glibc: areas up to 32 MiB), so that a
/// process that opens and closes sessions, or whose block sizes vary, grows although nothing is in use. The JVM can
/// trim the native heap; where it cannot, nothing is done. Thread-safe.
final class FreedArenas {
    /// Trimming takes some milliseconds and pays off from this many bytes on.
    private static final long WORTHWHILE = 64L << 20;

    private static final String TRIM = "systemTrimNativeHeap";
    private static final AtomicLong FREED = new AtomicLong();

    private FreedArenas() {}

    /// Arenas of this many bytes were closed.
    static void closed(long bytes) {
        if (FREED.addAndGet(bytes) >= WORTHWHILE) {
            FREED.set(0);
            trim();
        }
    }

    private static void trim() {
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            server.invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    TRIM,
                    new Object[] {null},
                    new String[] {String[].class.getName()});
        } catch (JMException | RuntimeException e) {
            System.getLogger(FreedArenas.class.getName())
                    .log(System.Logger.Level.DEBUG, "the C library's idle memory could not be returned", e);
        }
    }
}
