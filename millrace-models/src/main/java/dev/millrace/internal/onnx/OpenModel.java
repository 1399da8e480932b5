package dev.millrace.internal.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtProvider;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.providers.OrtCUDAProviderOptions;
import dev.millrace.compute.ActorContext;
import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import dev.millrace.models.tensor.ModelTensor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An onnxruntime session and the declarations of its model. Thread-safe, as sessions are.
///
/// @param threads the number of threads of one call
/// @param gpu the device; null: CPUs
public record OpenModel(
        OrtEnvironment environment,
        OrtSession session,
        List<ModelTensor> inputs,
        List<ModelTensor> outputs,
        int threads,
        @Nullable Integer gpu)
        implements AutoCloseable {

    public static OpenModel open(OnnxOptions options) {
        OrtEnvironment environment = OnnxEnvironment.get();
        Optional<ActorContext> actor = ActorContext.current();
        OnnxOptions.Execution execution = options.execution();
        int threads = execution.threads() > 0 ? execution.threads() : threads(actor);
        Integer gpu = gpu(execution, actor);
        try (OrtSession.SessionOptions session = new OrtSession.SessionOptions()) {
            configure(session, execution, threads);
            if (gpu != null) {
                useGpu(session, gpu, actor);
            }
            OrtSession opened = ModelFile.open(environment, options.path(), session);
            MallocTrim.now();
            return new OpenModel(
                    environment,
                    opened,
                    describe(opened.getInputInfo().values()),
                    describe(opened.getOutputInfo().values()),
                    threads,
                    gpu);
        } catch (OrtException e) {
            throw new MillraceException(
                    Culprit.USER, "'" + options.path() + "' could not be loaded: " + OnnxErrors.text(e), e);
        }
    }

    /// A fraction of a CPU counts as a thread; outside an actor the model uses the whole machine.
    private static int threads(Optional<ActorContext> actor) {
        return actor.map(given -> Math.max(1, (int) Math.floor(given.resources().cpus())))
                .orElse(Runtime.getRuntime().availableProcessors());
    }

    private static @Nullable Integer gpu(OnnxOptions.Execution execution, Optional<ActorContext> actor) {
        if (execution.gpu() != null) {
            return execution.gpu();
        }
        return actor.filter(given -> given.resources().gpus() > 0)
                .map(given -> given.gpus().isEmpty() ? 0 : given.gpus().getFirst())
                .orElse(null);
    }

    private static void configure(OrtSession.SessionOptions session, OnnxOptions.Execution execution, int threads)
            throws OrtException {
        // Failures are reported by exceptions.
        session.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
        session.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.ALL_OPT);
        session.setExecutionMode(OrtSession.SessionOptions.ExecutionMode.SEQUENTIAL);
        session.setIntraOpNumThreads(threads);
        session.setInterOpNumThreads(1);
        Boolean spinning = execution.spinning();
        String spins = spinning == null || spinning ? "1" : "0";
        session.addConfigEntry("session.intra_op.allow_spinning", spins);
        session.addConfigEntry("session.inter_op.allow_spinning", spins);
        session.addConfigEntry("session.force_spinning_stop", spinning == null ? "1" : "0");
        for (var entry : execution.config().entrySet()) {
            session.addConfigEntry(entry.getKey(), entry.getValue());
        }
    }

    private static void useGpu(OrtSession.SessionOptions session, int device, Optional<ActorContext> actor) {
        String who =
                actor.map(given -> given.operator() + " asks for GPUs").orElse("The model is to run on GPU " + device);
        if (!OrtEnvironment.getAvailableProviders().contains(OrtProvider.CUDA)) {
            throw MillraceException.user(
                    who + ", and the onnxruntime on the class path is the one for CPUs. Replace the"
                            + " artifact com.microsoft.onnxruntime:onnxruntime by com.microsoft.onnxruntime:onnxruntime_gpu"
                            + " of the same version.");
        }
        // The exhaustive search, which is the default, takes seconds for each new shape and finds nothing faster.
        try (OrtCUDAProviderOptions cuda = new OrtCUDAProviderOptions(device)) {
            cuda.add("cudnn_conv_algo_search", "HEURISTIC");
            session.addCUDA(cuda);
        } catch (OrtException e) {
            throw new MillraceException(
                    Culprit.RESOURCES,
                    who + ", and CUDA does not start on device " + device + ": " + OnnxErrors.text(e)
                            + " It needs NVIDIA's driver, CUDA and cuDNN of the versions that this onnxruntime was made"
                            + " for.",
                    e);
        }
    }

    private static List<ModelTensor> describe(Collection<ai.onnxruntime.NodeInfo> nodes) {
        List<ModelTensor> tensors = new ArrayList<>();
        nodes.forEach(node -> tensors.add(ElementTypes.describe(node)));
        return List.copyOf(tensors);
    }

    @Override
    public void close() {
        try {
            session.close();
            MallocTrim.soon();
        } catch (OrtException e) {
            throw new MillraceException(Culprit.INTERNAL, "A model did not close: " + OnnxErrors.text(e), e);
        }
    }
}
