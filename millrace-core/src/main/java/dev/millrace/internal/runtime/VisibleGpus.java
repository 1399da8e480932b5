package dev.millrace.internal.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The GPUs that this process may use. CUDA numbers them from 0, in the order of the variable `CUDA_VISIBLE_DEVICES` if
/// that is set; a process that this one starts needs their names in that variable.
///
/// @param names numbers, or `GPU-...` and `MIG-...`
public record VisibleGpus(List<String> names) {
    public static final String VARIABLE = "CUDA_VISIBLE_DEVICES";

    public VisibleGpus {
        names = List.copyOf(names);
    }

    /// @param variable the value of the variable, or null
    /// @param devices of the machine
    static VisibleGpus of(@Nullable String variable, int devices) {
        if (variable == null || devices == 0) {
            return new VisibleGpus(
                    IntStream.range(0, devices).mapToObj(String::valueOf).toList());
        }
        List<String> names = new ArrayList<>();
        for (String word : variable.split(",", -1)) {
            String name = word.strip();
            boolean isNumber = name.matches("\\d{1,9}");
            if (isNumber ? Integer.parseInt(name) >= devices : !name.startsWith("GPU-") && !name.startsWith("MIG-")) {
                // CUDA ignores what follows a device that does not exist.
                break;
            }
            names.add(name);
        }
        return new VisibleGpus(names);
    }

    /// Of this process.
    public static VisibleGpus local() {
        return of(System.getenv(VARIABLE), MachineLimits.installedGpus());
    }

    /// The variable for a process that gets these of them.
    ///
    /// @param devices as CUDA numbers them in this process
    public String variable(List<Integer> devices) {
        return devices.stream().map(this::name).collect(Collectors.joining(","));
    }

    /// A session may be told that it has more GPUs than there are.
    String name(int device) {
        return device < names.size() ? names.get(device) : String.valueOf(device);
    }
}
