package dev.millrace.internal.fault;

/// The position of a thread, for messages about work that does not end.
public final class ThreadPlace {
    private ThreadPlace() {}

    /// "the thread millrace-worker-3 map(Main:12), at com.acme.Resize.apply(Resize.java:12)": the first frame that is
    /// not the JDK's, or the first at all.
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
                                + at.getLineNumber() + ")");
    }
}
