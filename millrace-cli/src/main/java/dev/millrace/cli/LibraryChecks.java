package dev.millrace.cli;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtProvider;
import dev.millrace.error.MillraceException;
import dev.millrace.internal.images.codec.OpenCv;
import dev.millrace.internal.onnx.OnnxEnvironment;
import dev.millrace.internal.runtime.MachineLimits;
import dev.millrace.internal.runtime.NvidiaSmi;
import io.airlift.compress.v3.zstd.ZstdNativeDecompressor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Native libraries, GPUs, and the Python beside this Java.
final class LibraryChecks {
    private static final int SECONDS = 20;

    /// Prints the version and those of packages, without importing them, which would take seconds.
    private static final String ASK_PYTHON = """
            import sys
            from importlib import metadata
            print("python", ".".join(map(str, sys.version_info[:3])))
            for name in ("pyarrow", "numpy", "ray", "torch"):
                try:
                    print(name, metadata.version(name))
                except metadata.PackageNotFoundError:
                    pass
            """;

    private LibraryChecks() {}

    static List<DoctorCheck> all(Map<String, String> environment) {
        List<DoctorCheck> checks = new ArrayList<>();
        checks.add(zstd());
        checks.add(openCv());
        EnumSet<OrtProvider> providers = EnumSet.noneOf(OrtProvider.class);
        checks.add(onnx(providers));
        checks.add(gpu(providers.contains(OrtProvider.CUDA)));
        String interpreter = Objects.requireNonNullElse(environment.get("MILLRACE_PYTHON"), "");
        checks.addAll(python(interpreter.isBlank() ? "python3" : interpreter));
        checks.add(maven());
        return checks;
    }

    private static DoctorCheck zstd() {
        return ZstdNativeDecompressor.isEnabled()
                ? DoctorCheck.ok("Zstandard", "the native library")
                : DoctorCheck.trouble(
                        "Zstandard",
                        "in Java, as the native library does not load here",
                        "It works, several times slower; Linux and macOS on x86-64 and arm64 have the library.");
    }

    private static DoctorCheck openCv() {
        try {
            OpenCv.require();
            return DoctorCheck.ok("images", "OpenCV's libraries load");
        } catch (MillraceException e) {
            return DoctorCheck.missing("images", "OpenCV does not load", String.valueOf(e.getMessage()));
        }
    }

    private static DoctorCheck onnx(EnumSet<OrtProvider> found) {
        try {
            String version = OnnxEnvironment.get().getVersion();
            found.addAll(OrtEnvironment.getAvailableProviders());
            return DoctorCheck.ok("models", "ONNX Runtime " + version + " on " + found);
        } catch (MillraceException e) {
            return DoctorCheck.missing("models", "ONNX Runtime does not load", String.valueOf(e.getMessage()));
        }
    }

    private static DoctorCheck gpu(boolean cuda) {
        int devices = MachineLimits.local().gpus();
        if (devices == 0) {
            return DoctorCheck.missing(
                    "GPU",
                    "none: there is no /dev/nvidia0, and nvidia-smi reports none",
                    "Models run on CPUs. In a container, give it the GPUs (docker run --gpus all).");
        }
        String names = NvidiaSmi.local().stream()
                .flatMap(program -> program.read().stream())
                .map(gpu -> gpu.name() + ", " + (gpu.totalBytes() >> 20) + " MiB")
                .collect(Collectors.joining("; "));
        String found = devices + (devices == 1 ? " device" : " devices") + (names.isEmpty() ? "" : ": " + names);
        if (names.isEmpty()) {
            return DoctorCheck.trouble(
                    "GPU", found + ", but nvidia-smi does not answer", "Install NVIDIA's driver for this kernel.");
        }
        return cuda
                ? DoctorCheck.ok("GPU", found + "; ONNX Runtime has CUDA")
                : DoctorCheck.missing(
                        "GPU",
                        found + "; ONNX Runtime has no CUDA, functions in Python may have",
                        "For ONNX models on a GPU, name com.microsoft.onnxruntime:onnxruntime_gpu instead of onnxruntime"
                                + " in your program (docs/guide/models.md).");
    }

    static List<DoctorCheck> python(String interpreter) {
        Map<String, String> versions = new LinkedHashMap<>();
        output(List.of(interpreter, "-c", ASK_PYTHON)).forEach(line -> {
            String[] words = line.split(" ", 2);
            if (words.length == 2) {
                versions.put(words[0], words[1]);
            }
        });
        String version = versions.get("python");
        if (version == null) {
            String how = "Install Python 3.10 or newer, or name one in MILLRACE_PYTHON.";
            return List.of(
                    DoctorCheck.missing("Python", "'" + interpreter + "' does not start", how),
                    DoctorCheck.missing(
                            "Ray",
                            "needs Python",
                            "'millrace cluster up' installs Ray into a folder of its own, once there is one."));
        }
        List<DoctorCheck> checks = new ArrayList<>();
        List<String> without = new ArrayList<>(List.of("pyarrow", "numpy"));
        without.removeAll(versions.keySet());
        String found = version + ", " + interpreter;
        if (!isAtLeast(version, 3, 10)) {
            checks.add(DoctorCheck.missing(
                    "Python",
                    found + ", which is too old for functions in Python",
                    "Install Python 3.10 or newer, or name one in MILLRACE_PYTHON."));
        } else if (!without.isEmpty()) {
            checks.add(DoctorCheck.missing(
                    "Python",
                    found + ", without " + String.join(" and ", without) + ", which functions in Python need",
                    interpreter + " -m pip install " + String.join(" ", without)
                            + ", or PythonUdf.requirements(...) in the program"));
        } else {
            checks.add(DoctorCheck.ok(
                    "Python",
                    found + " with pyarrow " + versions.get("pyarrow") + ", NumPy " + versions.get("numpy")
                            + (versions.containsKey("torch") ? ", torch " + versions.get("torch") : "")));
        }
        checks.add(
                versions.containsKey("ray")
                        ? DoctorCheck.ok("Ray", versions.get("ray") + " in " + interpreter)
                        : DoctorCheck.missing(
                                "Ray",
                                interpreter + " has none",
                                "'millrace cluster up' installs it into a folder of its own; for a cluster elsewhere, "
                                        + interpreter + " -m pip install with the version of the cluster."));
        return checks;
    }

    private static boolean isAtLeast(String version, int major, int minor) {
        String[] parts = version.split("\\.", -1);
        int first = Integer.parseInt(parts[0]);
        return first > major || (first == major && Integer.parseInt(parts[1]) >= minor);
    }

    private static DoctorCheck maven() {
        List<String> lines = output(List.of("mvn", "--version"));
        return lines.isEmpty()
                ? DoctorCheck.missing(
                        "Maven",
                        "'mvn' does not start",
                        "Install Maven 3.8 or newer: programs of your own need it, or Gradle.")
                : DoctorCheck.ok("Maven", lines.getFirst().replaceAll("\u001b\\[[0-9;]*m", ""));
    }

    /// The lines that a program prints; none if it does not start, fails or takes too long.
    private static List<String> output(List<String> command) {
        Path file = null;
        try {
            // A file, since a program that is stopped may leave children that keep a pipe open.
            file = Files.createTempFile("millrace-doctor", ".txt");
            Process process = new ProcessBuilder(command)
                    .redirectOutput(file.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return List.of();
            }
            return process.exitValue() == 0 ? Files.readAllLines(file, StandardCharsets.UTF_8) : List.of();
        } catch (IOException _) {
            return List.of();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            delete(file);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException _) {
            // A temporary file of some bytes stays.
        }
    }
}
