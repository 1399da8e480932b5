package dev.millrace.memory;

import dev.millrace.error.Culprit;
import dev.millrace.error.MillraceException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// The error messages of refusals and leaks, with the numbers and the holders.
final class MemoryErrors {
    private MemoryErrors() {}

    /// A request that exceeds what may ever be granted.
    static MemoryRefused neverFits(Allocator account, long bytes, long most) {
        return new MemoryRefused(
                account.name() + " needs " + bytes + " bytes at once, and the memory limit is "
                        + account.root().ownLimit() + " bytes, of which one task may have " + most
                        + ". Raise the memory limit, or make rows or batches smaller.",
                bytes,
                account.root().ownLimit());
    }

    /// A request for which no task is left to preempt.
    ///
    /// @param inLine the number of waiting requests
    static MemoryRefused nobodyMakesRoom(Allocator account, long bytes, int inLine) {
        MemoryRefused refusal = full(account.root(), account.name(), bytes);
        return inLine == 1
                ? refusal
                : new MemoryRefused(
                        refusal.getMessage() + " (" + inLine + " threads wait for memory, and none computes.)",
                        bytes,
                        account.root().ownLimit());
    }

    /// @param who has a request that would exceed the limit of `full`
    static MemoryRefused full(Allocator full, String who, long bytes) {
        String state = full.ownRelief() == null ? "" : full.ownRelief().state();
        return new MemoryRefused(
                "'" + full.name() + "' holds " + full.heldBytes() + " of " + full.ownLimit()
                        + " bytes of block memory" + largestHolders(full) + "; " + who + " needs " + bytes + " more. "
                        + state
                        + (state.isEmpty() ? "" : " ") + "Raise the memory limit, or use smaller batches or blocks.",
                bytes,
                full.root().ownLimit());
    }

    /// A request for collected memory that the JVM refuses.
    static MillraceException noDirectMemory(String who, long bytes, OutOfMemoryError cause) {
        return new MillraceException(
                Culprit.RESOURCES,
                who + " needs " + bytes + " bytes of the JVM's direct memory, beside the session's memory, and there"
                        + " are not as many: " + cause.getMessage()
                        + ". Keep fewer batches, or raise -XX:MaxDirectMemorySize (by default the largest heap, -Xmx).",
                cause);
    }

    /// The children that hold most, e.g. ` (read-1: 4096, itself: 512)`; empty if there are none.
    private static String largestHolders(Allocator account) {
        Map<String, Long> holders = new HashMap<>();
        long own = account.heldBytes();
        for (Allocator child : account.children()) {
            long bytes = child.heldBytes();
            own -= bytes;
            holders.merge(child.name(), bytes, Long::sum);
        }
        if (holders.isEmpty()) {
            return "";
        }
        holders.put("itself", own);
        return holders.entrySet().stream()
                .filter(holder -> holder.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(3)
                .map(holder -> holder.getKey() + ": " + holder.getValue())
                .collect(Collectors.joining(", ", " (", ")"));
    }

    /// The error of an account that was closed while it holds bytes.
    static IllegalStateException leak(Allocator account) {
        List<String> holders = new ArrayList<>();
        List<Throwable> origins = new ArrayList<>();
        collectHolders(account, holders, origins);
        IllegalStateException leak = new IllegalStateException("'" + account.name() + "' was closed while "
                + account.heldBytes() + " bytes are held: " + String.join("; ", holders));
        origins.stream().limit(3).forEach(leak::addSuppressed);
        return leak;
    }

    private static void collectHolders(Allocator account, List<String> holders, List<Throwable> origins) {
        long own = account.heldBytes()
                - account.children().stream().mapToLong(Allocator::heldBytes).sum();
        if (own != 0) {
            holders.add(account.name() + " holds " + own + " bytes");
            origins.addAll(account.origins());
        }
        account.children().forEach(child -> collectHolders(child, holders, origins));
    }
}
