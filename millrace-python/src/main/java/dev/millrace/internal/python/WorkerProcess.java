package dev.millrace.internal.python;

import dev.millrace.compute.ActorContext;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.runtime.VisibleGpus;
import dev.millrace.internal.transform.RowJson;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A worker's process: orders go to its standard input, answers come from its standard output. Sending is thread-safe;
/// one thread receives.
final class WorkerProcess implements WorkerLink {
    /// Reads the program from standard input, so that no file is left anywhere; valid in any Python.
    private static final String BOOT = """
            import os, struct, sys
            if sys.version_info < (3, 10):
                text = '%s is Python %d.%d, and a Python worker needs 3.10 or newer' % ((sys.executable,) + tuple(sys.version_info[:2]))
                text = text.encode()
                os.write(1, struct.pack('<BIQQQQI', 5, 0, 1, 0, 0, 0, len(text)) + text)
                os._exit(1)
            size, code = struct.unpack('<I', os.read(0, 4))[0], b''
            while len(code) < size:
                code += os.read(0, size - len(code))
            exec(compile(code, '<millrace boot>', 'exec'), {'__name__': '__main__', '__file__': '<millrace boot>'})
            """;

    /// Of the package `millrace`, the same that pip installs: what a worker needs, and what user code may import there.
    private static final List<String> MODULES = List.of(
            "__init__",
            "wire",
            "columns",
            "calls",
            "worker",
            "feed",
            "launch",
            "training",
            "torch",
            "transformers",
            "vision");

    private static final byte[] PROGRAM = program();
    private static final int SIGNALS = 128;

    /// The kernel kills workers when the thread that started them ends: this one lives as long as the process.
    private static final ExecutorService STARTER = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("millrace-python-starter").factory());

    private final Process process;
    private final OutputStream orders;
    private final InputStream answers;
    private final WorkerOutput output;
    private final Thread outputReader;
    private final String operator;

    private WorkerProcess(Process process, String operator) {
        this.process = process;
        this.operator = operator;
        this.orders = process.getOutputStream();
        this.answers = new BufferedInputStream(process.getInputStream(), 1 << 16);
        this.output = new WorkerOutput(operator, System::nanoTime);
        this.outputReader = Thread.ofPlatform()
                .daemon()
                .name("millrace-python-output " + operator)
                .start(() -> output.follow(process.getErrorStream()));
    }

    private static byte[] program() {
        Map<String, String> sources = new TreeMap<>();
        MODULES.forEach(name -> sources.put(name.equals("__init__") ? "millrace" : "millrace." + name, source(name)));
        return ("SOURCES = " + RowJson.of(sources) + "\n" + source("boot")).getBytes(StandardCharsets.UTF_8);
    }

    private static String source(String module) {
        String file = "millrace/" + module + ".py";
        try (InputStream in = WorkerProcess.class.getResourceAsStream(file)) {
            return new String(
                    Objects.requireNonNull(in, file + " is in the jar").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw MillraceException.internal(file + " cannot be read: " + e);
        }
    }

    /// @param order the first order, JSON
    static WorkerProcess start(String python, String order, String operator, Optional<ActorContext> actor)
            throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of(python, "-c", BOOT));
        actor.ifPresent(context -> prepare(builder, context));
        WorkerProcess started;
        try {
            started = new WorkerProcess(startHere(builder), operator);
        } catch (ExecutionException e) {
            throw MillraceException.user("The Python interpreter '" + python + "' cannot be started: "
                    + message(e.getCause())
                    + ". Install Python 3.10 or newer with pyarrow and numpy, and give its path by python(...) or in the"
                    + " environment variable " + PythonInterpreter.VARIABLE + ".");
        }
        byte[] json = order.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream first = new ByteArrayOutputStream();
        first.writeBytes(ByteBuffer.allocate(4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(PROGRAM.length)
                .array());
        first.writeBytes(PROGRAM);
        first.writeBytes(WorkerFrame.order(WorkerFrame.Order.START, 0, json.length, 0));
        first.writeBytes(json);
        started.write(first.toByteArray());
        return started;
    }

    /// Starts a process that the kernel may kill with the thread that started it.
    static Process startHere(ProcessBuilder builder) throws InterruptedException, ExecutionException {
        return STARTER.submit(builder::start).get();
    }

    private static String message(@Nullable Throwable cause) {
        return String.valueOf(cause == null ? null : cause.getMessage());
    }

    private static void prepare(ProcessBuilder builder, ActorContext actor) {
        if (!actor.gpus().isEmpty()) {
            builder.environment().put(VisibleGpus.VARIABLE, VisibleGpus.local().variable(actor.gpus()));
            // The numbers are those of nvidia-smi.
            builder.environment().putIfAbsent("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
        }
        builder.environment().putIfAbsent("OMP_NUM_THREADS", String.valueOf(Math.max(1, (int)
                actor.resources().cpus())));
    }

    String operator() {
        return operator;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void send(WorkerFrame.Order order, int call, long a, long b) {
        write(WorkerFrame.order(order, call, a, b));
    }

    private void write(byte[] bytes) {
        synchronized (orders) {
            try {
                orders.write(bytes);
                orders.flush();
            } catch (IOException _) {
                // Its end is told to whoever receives.
            }
        }
    }

    /// @throws IOException when the process has ended
    WorkerFrame receive() throws IOException {
        return WorkerFrame.read(answers);
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Waits for its end, after [WorkerFrame.Order#END].
    boolean awaitEnd(long seconds) throws InterruptedException {
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    /// Ends the process, and those that it started.
    void kill() {
        List<ProcessHandle> started = process.descendants().toList();
        process.destroyForcibly();
        started.forEach(ProcessHandle::destroyForcibly);
        try {
            orders.close();
        } catch (IOException _) {
            // It is closed.
        }
    }

    /// Ends what a process that has ended left in its group: programs that user code started.
    void killGroup() {
        killGroup(pid());
    }

    static void killGroup(long leader) {
        try {
            new ProcessBuilder("sh", "-c", "kill -9 -" + leader)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException _) {
            // There is no shell: they end by themselves.
        }
    }

    /// "The Python worker of mapBatches(Model) (process 4711) was killed by signal 9. It printed last: ..."
    String end() throws InterruptedException {
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            kill();
            process.waitFor();
        }
        outputReader.join(1000);
        int code = process.exitValue();
        return "The Python worker of " + operator + " (process " + pid() + ") "
                + (code > SIGNALS ? "was killed by signal " + (code - SIGNALS) : "ended with exit code " + code) + "."
                + output.lastWords();
    }
}
