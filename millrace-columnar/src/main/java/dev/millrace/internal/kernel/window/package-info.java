/// Window functions over rows that lie in memory: [WindowBlocks] takes rows of whole partitions and gives them back in
/// the window's order with the functions' columns. [WindowPartitions] knows where partitions and peers begin,
/// [WindowFrames] which rows a row sees. Nothing here knows exchanges or plans.
package dev.millrace.internal.kernel.window;
