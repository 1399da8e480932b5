package dev.millrace.internal.python;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which Python runs a worker: the one of the path, an interpreter, a virtual environment, or one that is made.
///
/// @param path of an interpreter or of a virtual environment's folder; null for that of the machine
/// @param requirements packages of an environment that is made; empty for none
public record PythonInterpreter(@Nullable String path, List<String> requirements) implements Serializable {
    /// Names the interpreter of a machine.
    static final String VARIABLE = "MILLRACE_PYTHON";

    static final PythonInterpreter DEFAULT = new PythonInterpreter(null, List.of());

    public PythonInterpreter {
        requirements = List.copyOf(requirements);
    }

    public static PythonInterpreter at(@Nullable String path) {
        return new PythonInterpreter(path, List.of());
    }

    public PythonInterpreter withRequirements(List<String> packages) {
        return new PythonInterpreter(path, packages);
    }

    /// The command that starts it, on this machine.
    String command() {
        String base = base();
        return requirements.isEmpty()
                ? base
                : RequirementsEnvironment.of(base, new ArrayList<>(requirements))
                        .toString();
    }

    private String base() {
        if (path == null) {
            String given = System.getenv(VARIABLE);
            return given == null || given.isBlank() ? "python3" : given;
        }
        Path place = Path.of(path);
        if (!Files.isDirectory(place)) {
            return path;
        }
        for (String name : List.of("bin/python", "bin/python3", "Scripts/python.exe")) {
            if (Files.isExecutable(place.resolve(name))) {
                return place.resolve(name).toString();
            }
        }
        throw MillraceException.user("The folder '" + place + "' is no virtual environment: it has no bin/python."
                + " Create one by 'python3 -m venv " + place + "', or give the path of an interpreter.");
    }
}
