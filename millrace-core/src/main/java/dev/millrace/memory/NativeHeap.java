package dev.millrace.memory;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/// The C library's heap, below all arenas of the process. It keeps what it is given back (glibc: areas up to 32 MiB),
/// so
/// that a process whose sessions come and go, or whose blocks change their size, grows although nothing is in use. The
/// JVM can have it return that to the system; where it cannot, nothing is done. Thread-safe.
final class NativeHeap {
    /// Returning is worth its time, some milliseconds, from so many bytes on.
    private static final long WORTHWHILE = 64L << 20;

    private static final String TRIM = "systemTrimNativeHeap";
    private static final AtomicLong FREED = new AtomicLong();

    private NativeHeap() {}

    /// Arenas of so many bytes were closed.
    static void freed(long bytes) {
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
            System.getLogger(NativeHeap.class.getName())
                    .log(System.Logger.Level.DEBUG, "the C library's idle memory could not be returned", e);
        }
    }
}
