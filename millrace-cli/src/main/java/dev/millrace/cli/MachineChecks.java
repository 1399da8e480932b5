package dev.millrace.cli;

import static dev.millrace.internal.stats.HumanUnits.bytes;

import dev.millrace.internal.runtime.MachineLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.module.ModuleFinder;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Java, processors, memory and disks of this machine.
final class MachineChecks {
    private static final long LITTLE_MEMORY = 2L << 30;
    private static final long LITTLE_DISK = 10L << 30;
    private static final long FEW_FILES = 4_096;

    private MachineChecks() {}

    static List<DoctorCheck> all() {
        MachineLimits machine = MachineLimits.local();
        List<DoctorCheck> checks = new ArrayList<>();
        checks.add(java());
        checks.add(processors(machine));
        checks.add(memory(machine, Runtime.getRuntime().maxMemory()));
        checks.add(disk(Path.of(System.getProperty("java.io.tmpdir"))));
        checks.add(openFiles());
        return checks;
    }

    private static DoctorCheck java() {
        String found =
                Runtime.version() + " (" + System.getProperty("java.vendor") + "), " + System.getProperty("java.home");
        if (ModuleFinder.ofSystem().find("jdk.compiler").isEmpty()) {
            return DoctorCheck.missing(
                    "Java",
                    found + ", without a compiler: 'millrace run Job.java' does not work",
                    "Install a JDK instead of a JRE, and point MILLRACE_JAVA_HOME to it.");
        }
        return MachineChecks.class.getModule().isNativeAccessEnabled()
                ? DoctorCheck.ok("Java", found)
                : DoctorCheck.trouble(
                        "Java",
                        found + ", without access to native libraries",
                        "Start Java with --enable-native-access=ALL-UNNAMED, as the launcher does.");
    }

    private static DoctorCheck processors(MachineLimits machine) {
        String found = machine.cpus() + (machine.cpus() == 1 ? " core, " : " cores, ") + System.getProperty("os.arch")
                + ", " + System.getProperty("os.name") + " " + System.getProperty("os.version");
        return DoctorCheck.ok("CPU", found);
    }

    static DoctorCheck memory(MachineLimits machine, long heap) {
        boolean heapIsKnown = heap < Long.MAX_VALUE;
        String found = bytes(machine.memory()) + " of this machine or its container, of which blocks take up to "
                + bytes(machine.storeBytes()) + (heapIsKnown ? " and Java's heap " + bytes(heap) : "");
        if (heapIsKnown && heap + machine.storeBytes() > machine.memory()) {
            return DoctorCheck.trouble(
                    "memory",
                    found + ", together more than there is",
                    "Give Java a smaller heap, MILLRACE_JAVA_OPTS=-Xmx" + (machine.memory() >> 22)
                            + "m, or the session less memory for blocks (ResourceLimits.withMemory).");
        }
        return machine.memory() < LITTLE_MEMORY
                ? DoctorCheck.trouble(
                        "memory", found + ", which is little", "Small blocks help: BlockSettings, in docs/guide.")
                : DoctorCheck.ok("memory", found);
    }

    /// Where blocks are spilled.
    static DoctorCheck disk(Path folder) {
        String place = folder + ", where blocks are spilled,";
        String elsewhere =
                "Choose another folder: MILLRACE_JAVA_OPTS=-Djava.io.tmpdir=/big/disk, or SpillSettings in a program.";
        try {
            FileStore store = Files.getFileStore(folder);
            String found = place + " has " + bytes(store.getUsableSpace()) + " free";
            if (!Files.isWritable(folder)) {
                return DoctorCheck.broken("disk", place + " cannot be written", elsewhere);
            }
            if (store.type().equals("tmpfs")) {
                return DoctorCheck.trouble(
                        "disk", found + ", but is in memory (tmpfs): what is spilled takes memory", elsewhere);
            }
            return store.getUsableSpace() < LITTLE_DISK
                    ? DoctorCheck.trouble("disk", found + ", which is little", elsewhere)
                    : DoctorCheck.ok("disk", found);
        } catch (IOException e) {
            return DoctorCheck.broken("disk", place + " cannot be used: " + e, elsewhere);
        }
    }

    private static DoctorCheck openFiles() {
        if (!(ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.UnixOperatingSystemMXBean unix)) {
            return DoctorCheck.ok("open files", "not limited per process");
        }
        long most = unix.getMaxFileDescriptorCount();
        String found = "up to " + most + " at once";
        return most < FEW_FILES
                ? DoctorCheck.trouble(
                        "open files", found + ", which is few for shuffles and clusters", "ulimit -n 65536")
                : DoctorCheck.ok("open files", found);
    }
}
