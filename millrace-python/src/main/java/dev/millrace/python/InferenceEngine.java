package dev.millrace.python;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.python.EngineProcess;
import dev.millrace.internal.python.PythonInterpreter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// An engine that serves a model over HTTP in a process of its own on this machine, such as vLLM: an immutable
/// description. The pipeline calls it as any model behind HTTP (`HttpModel` of millrace-models).
///
/// ```java
/// try (InferenceEngine.Running engine = InferenceEngine.vllm("models/llama").python("/opt/vllm").start()) {
///     questions.mapBatches(HttpModel.chat(engine.url() + "/v1", "models/llama") ...);
/// }
/// ```
public final class InferenceEngine {
    private static final Duration START = Duration.ofMinutes(15);

    private final List<String> command;
    private final String health;
    private final Duration limit;
    private final PythonInterpreter interpreter;

    private InferenceEngine(List<String> command, String health, Duration limit, PythonInterpreter interpreter) {
        this.command = command;
        this.health = health;
        this.limit = limit;
        this.interpreter = interpreter;
    }

    /// vLLM, installed in the Python environment, with a model of a folder. The model's name for clients is the folder,
    /// as given.
    public static InferenceEngine vllm(String folder) {
        return python("/health", "-m", "vllm.entrypoints.openai.api_server")
                .options("--model", Objects.requireNonNull(folder), "--host", "127.0.0.1", "--port", "{port}");
    }

    /// Another engine that runs in Python.
    ///
    /// @param health the path that answers 200 when the engine can be used
    /// @param arguments of Python; `{port}` stands for the port that it is to listen at, on 127.0.0.1
    public static InferenceEngine python(String health, String... arguments) {
        return new InferenceEngine(
                List.of(arguments), Objects.requireNonNull(health), START, PythonInterpreter.at(null));
    }

    /// More arguments: `options("--max-model-len", "4096", "--tensor-parallel-size", "2")`.
    public InferenceEngine options(String... more) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(more));
        return new InferenceEngine(List.copyOf(all), health, limit, interpreter);
    }

    /// The interpreter, or the folder of a virtual environment, that has the engine; by default as
    /// [PythonUdf#python] says.
    public InferenceEngine python(String path) {
        return new InferenceEngine(command, health, limit, PythonInterpreter.at(Objects.requireNonNull(path)));
    }

    /// How long loading the model may take, by default 15 minutes.
    public InferenceEngine startLimit(Duration other) {
        if (other.isNegative() || other.isZero()) {
            throw MillraceException.user("InferenceEngine: the start limit is longer than nothing, not " + other + ".");
        }
        return new InferenceEngine(command, health, other, interpreter);
    }

    /// Starts the engine and waits until it can be used. It ends when it is closed, and with this process.
    public Running start() throws InterruptedException {
        return new Running(EngineProcess.start(interpreter, command, health, limit));
    }

    /// An engine that answers.
    public static final class Running implements AutoCloseable {
        private final EngineProcess process;

        private Running(EngineProcess process) {
            this.process = process;
        }

        /// "http://127.0.0.1:8000"
        public String url() {
            return process.url();
        }

        @Override
        public void close() {
            process.close();
        }
    }
}
