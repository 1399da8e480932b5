package dev.millrace.internal.fault;

import java.util.concurrent.locks.LockSupport;

/// The position of a thread, for messages about work that does not end.
public final class ThreadPlace {
    private ThreadPlace() {}

    /// "the thread millrace-worker-3 map(Main:12), at com.acme.Resize.apply(Resize.java:12)": the first frame that is
    /// not the JDK's, or the first at all, and what the thread waits for, if it says so ([WaitReason]).
    public static String of(Thread thread) {
        StackTraceElement[] frames = thread.getStackTrace();
        StackTraceElement at = frames.length == 0 ? null : frames[0];
        for (StackTraceElement frame : frames) {
            String type = frame.getClassName();
            if (!type.startsWith("java.") && !type.startsWith("jdk.") && !type.startsWith("sun.")) {
                at = frame;
                break;
            }
        }
        return "the thread " + thread.getName()
                + (at == null
                        ? ""
                        : ", at " + at.getClassName() + "." + at.getMethodName() + "(" + at.getFileName() + ":"
                                + at.getLineNumber() + ")")
                + waits(thread);
    }

    /// ", which waits for the future of mapBatchesAsync(ask) ..."; empty if it does not say.
    public static String waits(Thread thread) {
        return LockSupport.getBlocker(thread) instanceof WaitReason reason
                ? ", which waits for " + reason.reason()
                : "";
    }
}
