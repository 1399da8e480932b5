package dev.millrace.internal.runtime;

import dev.millrace.error.MillraceException;
import dev.millrace.internal.spill.BlockSpiller;
import dev.millrace.memory.Allocator;
import dev.millrace.runtime.Runtime;
import dev.millrace.settings.Settings;
import java.util.ServiceLoader;

/// Connects to runtimes by their address; found by [ServiceLoader].
public interface RuntimeProvider {
    /// Connects; the caller closes the runtime.
    ///
    /// @param driver the account of blocks in this process
    /// @param spiller for blocks in this process; its creator closes it after the runtime
    /// @throws MillraceException culprit USER for an address that is wrong, RESOURCES if no worker is found
    Runtime connect(String address, Settings settings, Allocator driver, BlockSpiller spiller);

    /// The runtime at an address.
    ///
    /// @throws MillraceException culprit USER, naming the artifact that is missing, if no provider is on the class path
    static Runtime at(String address, Settings settings, Allocator driver, BlockSpiller spiller) {
        for (RuntimeProvider provider : ServiceLoader.load(RuntimeProvider.class)) {
            return provider.connect(address, settings, driver, spiller);
        }
        for (RuntimeProvider provider :
                ServiceLoader.load(RuntimeProvider.class, RuntimeProvider.class.getClassLoader())) {
            return provider.connect(address, settings, driver, spiller);
        }
        throw MillraceException.user("A session at '" + address + "' needs the artifact dev.millrace:"
                + (address.startsWith("ray:") ? "millrace-ray" : "millrace-cluster")
                + ", which is not on the class path.");
    }
}
