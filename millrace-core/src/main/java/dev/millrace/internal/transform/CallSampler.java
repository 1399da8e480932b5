package dev.millrace.internal.transform;

import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Looks into running calls of users' functions, 20 times a second, to see what they build: a class whose constructor
/// runs whenever one looks is built in each call ([dev.millrace.stats.Hint]). One daemon thread for the process, which
/// ends when there were no calls for a second; calls shorter than a millisecond are not looked into. A call costs two
/// operations of a hash table.
final class CallSampler {
    static final CallSampler SHARED = new CallSampler();

    private static final long PAUSE_MILLIS = 50;
    private static final int IDLE_LOOKS = 20;
    private static final long SHORT_CALL = 1_000_000;
    private static final int MAX_LOOKS_AT_ONCE = 4;
    private static final String ENGINE = "dev.millrace.internal.transform.";
    private static final String[] NOT_OF_USERS = {"java.", "javax.", "jdk.", "sun.", "com.sun.", "dev.millrace."};

    private final ConcurrentHashMap<Thread, FunctionMeter> calls = new ConcurrentHashMap<>();
    /// Changed under the monitor.
    private volatile boolean looking;

    private CallSampler() {}

    /// The current thread is in a call of this function.
    void enter(FunctionMeter meter) {
        calls.put(Thread.currentThread(), meter);
        if (!looking) {
            begin();
        }
    }

    void leave() {
        calls.remove(Thread.currentThread());
    }

    private synchronized void begin() {
        if (!looking) {
            looking = true;
            Thread.ofPlatform().daemon().name("millrace-looks").start(this::loop);
        }
    }

    private void loop() {
        int idle = 0;
        while (true) {
            try {
                Thread.sleep(PAUSE_MILLIS);
            } catch (InterruptedException _) {
                idle = IDLE_LOOKS;
            }
            idle = calls.isEmpty() ? idle + 1 : 0;
            if (idle >= IDLE_LOOKS) {
                synchronized (this) {
                    // A call that began meanwhile starts another thread, or finds that this one goes on.
                    if (calls.isEmpty()) {
                        looking = false;
                        return;
                    }
                }
            }
            look();
        }
    }

    private void look() {
        int looks = 0;
        for (var entry : calls.entrySet()) {
            FunctionMeter meter = entry.getValue();
            long began = meter.began();
            if (System.nanoTime() - began < SHORT_CALL) {
                continue;
            }
            StackTraceElement[] stack = entry.getKey().getStackTrace();
            // Only if it is still the same call: otherwise the stack may be that of another function.
            if (meter.began() == began && calls.get(entry.getKey()) == meter) {
                meter.looked(built(stack), began);
            }
            if (++looks == MAX_LOOKS_AT_ONCE) {
                return;
            }
        }
    }

    /// The class whose constructor the user's function called, the outermost one; null if it is in none.
    static @Nullable String built(StackTraceElement[] stack) {
        int engine = 0;
        while (engine < stack.length && !stack[engine].getClassName().startsWith(ENGINE)) {
            engine++;
        }
        for (int i = engine - 1; i >= 0; i--) {
            String type = stack[i].getClassName();
            if (stack[i].getMethodName().equals("<init>") && isOfUsers(type)) {
                return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
            }
        }
        return null;
    }

    private static boolean isOfUsers(String type) {
        for (String prefix : NOT_OF_USERS) {
            if (type.startsWith(prefix)) {
                return false;
            }
        }
        return true;
    }
}
