package dev.millrace.compute;

import dev.millrace.error.MillraceException;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An amount of each resource: logical CPUs and GPUs (fractions allowed), bytes of memory beside blocks, and custom
/// names. A value: amounts are never negative except in a result of [#minus].
public record Resources(double cpus, double gpus, long memory, Map<String, Double> custom) implements Serializable {
    public static final Resources NONE = new Resources(0, 0, 0, Map.of());
    private static final double EPSILON = 1e-9;

    public Resources {
        custom = custom.isEmpty() ? Map.of() : Map.copyOf(custom);
    }

    /// CPUs and nothing else.
    public static Resources cpus(double cpus) {
        return new Resources(cpus, 0, 0, Map.of());
    }

    /// The sums of all amounts.
    public Resources plus(Resources other) {
        return combine(other, 1);
    }

    /// The differences of all amounts, which may be negative.
    public Resources minus(Resources other) {
        return combine(other, -1);
    }

    /// All amounts, multiplied.
    public Resources times(double factor) {
        Map<String, Double> scaled = new TreeMap<>();
        custom.forEach((name, amount) -> scaled.put(name, amount * factor));
        return new Resources(cpus * factor, gpus * factor, (long) (memory * factor), scaled);
    }

    /// Everything except the CPUs: what an actor holds while it lives.
    public Resources withoutCpus() {
        return cpus == 0 ? this : new Resources(0, gpus, memory, custom);
    }

    /// Only the CPUs: what an actor takes while a call computes.
    public Resources cpusOnly() {
        return cpus == 0 ? NONE : cpus(cpus);
    }

    /// True if no resource occurs in both.
    public boolean sharesNothingWith(Resources other) {
        if (cpus > EPSILON && other.cpus > EPSILON
                || gpus > EPSILON && other.gpus > EPSILON
                || memory > 0 && other.memory > 0) {
            return false;
        }
        for (Map.Entry<String, Double> mine : custom.entrySet()) {
            if (mine.getValue() > EPSILON && other.custom.getOrDefault(mine.getKey(), 0.0) > EPSILON) {
                return false;
            }
        }
        return true;
    }

    /// The amounts here of the resources that `other` has.
    public Resources onlyThoseOf(Resources other) {
        Map<String, Double> both = new TreeMap<>(custom);
        both.keySet().retainAll(other.custom.keySet());
        return new Resources(other.cpus > 0 ? cpus : 0, other.gpus > 0 ? gpus : 0, other.memory > 0 ? memory : 0, both);
    }

    /// True if each amount is available in `available`.
    public boolean fitsIn(Resources available) {
        if (cpus > available.cpus + EPSILON || gpus > available.gpus + EPSILON || memory > available.memory) {
            return false;
        }
        for (Map.Entry<String, Double> need : custom.entrySet()) {
            if (need.getValue() > available.custom.getOrDefault(need.getKey(), 0.0) + EPSILON) {
                return false;
            }
        }
        return true;
    }

    /// What `available` lacks for this need, as a phrase ("2 GPUs, 0 are there"), or null if it fits.
    public @Nullable String missingFrom(Resources available) {
        if (cpus > available.cpus + EPSILON) {
            return amount(cpus) + " CPUs, " + amount(available.cpus) + " are there";
        }
        if (gpus > available.gpus + EPSILON) {
            return amount(gpus) + " GPUs, " + amount(available.gpus) + " are there";
        }
        if (memory > available.memory) {
            return memory + " bytes of memory, " + available.memory + " are there";
        }
        for (Map.Entry<String, Double> need : custom.entrySet()) {
            double there = available.custom.getOrDefault(need.getKey(), 0.0);
            if (need.getValue() > there + EPSILON) {
                return amount(need.getValue()) + " of '" + need.getKey() + "', " + amount(there) + " are there";
            }
        }
        return null;
    }

    private Resources combine(Resources other, int sign) {
        if (custom.isEmpty() && other.custom.isEmpty()) {
            return new Resources(
                    cpus + sign * other.cpus, gpus + sign * other.gpus, memory + sign * other.memory, Map.of());
        }
        Map<String, Double> sum = new TreeMap<>(custom);
        other.custom.forEach((name, amount) -> sum.merge(name, sign * amount, Double::sum));
        return new Resources(cpus + sign * other.cpus, gpus + sign * other.gpus, memory + sign * other.memory, sum);
    }

    static void requireAmount(String what, double amount) {
        if (!(amount >= 0) || Double.isInfinite(amount)) {
            throw MillraceException.user(what + " must be 0 or more, not " + amount(amount) + ".");
        }
    }

    static void requireAmount(String what, long amount) {
        if (amount < 0) {
            throw MillraceException.user(what + " must be 0 or more, not " + amount + ".");
        }
    }

    static String amount(double amount) {
        return amount == Math.rint(amount) ? String.valueOf((long) amount) : String.valueOf(amount);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(amount(cpus)).append(" CPU");
        if (gpus > 0) {
            text.append(", ").append(amount(gpus)).append(" GPU");
        }
        if (memory > 0) {
            text.append(", ").append(memory >> 20).append(" MiB");
        }
        custom.forEach((name, amount) ->
                text.append(", ").append(amount(amount)).append(' ').append(name));
        return text.toString();
    }
}
