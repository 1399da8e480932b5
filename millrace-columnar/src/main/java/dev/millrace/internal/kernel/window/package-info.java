/// Window functions over rows in memory: [WindowBlocks] takes rows of whole partitions and returns them in the window's
/// order with the functions' columns. [WindowPartitions] has the starts of partitions and peer groups, [WindowFrames]
/// the frame of each row. Nothing here depends on exchanges or plans.
@NullMarked
package dev.millrace.internal.kernel.window;

import org.jspecify.annotations.NullMarked;
