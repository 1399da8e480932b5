/// Shuffle data in files of a folder that the driver and all workers see, instead of in the workers' memory. Workers
/// write and read the files, the driver removes them.
@NullMarked
package dev.millrace.internal.cluster.shuffle;

import org.jspecify.annotations.NullMarked;
