package dev.millrace.internal.ray;

import dev.millrace.internal.ray.local.LocalRayCluster;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The interpreter that talks to Ray, and what its environment must have.
///
/// @param source where it was found, as a part of a sentence
record RayPython(String interpreter, String source, Map<String, String> environment) {
    /// The variable that names an interpreter.
    static final String VARIABLE = "MILLRACE_PYTHON";

    /// The one that the address names; for a cluster that `millrace cluster up` has started, that cluster's; else that
    /// of the variable, and else `python3`.
    static RayPython find(RayAddress address, Path state, Map<String, String> variables) {
        Optional<LocalRayCluster> local =
                LocalRayCluster.find(state).filter(cluster -> cluster.address().equals(address.address()));
        Map<String, String> environment =
                local.map(LocalRayCluster::environment).orElse(Map.of());
        String chosen = variables.getOrDefault(VARIABLE, "");
        if (address.python() != null) {
            return new RayPython(address.python(), "from the address", environment);
        }
        if (local.isPresent()) {
            return new RayPython(local.get().python().toString(), "of 'millrace cluster up'", environment);
        }
        return chosen.isBlank()
                ? new RayPython("python3", "on the PATH", environment)
                : new RayPython(chosen, "from " + VARIABLE, environment);
    }
}
