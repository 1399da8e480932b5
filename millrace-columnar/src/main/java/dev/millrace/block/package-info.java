/// Blocks: the unit that moves between operators. [dev.millrace.block.Block] owns references to its columns' buffers;
/// the block shaper assembles blocks of the target size from chunks. Nothing here depends on plans, operators or
/// runtimes.
@NullMarked
package dev.millrace.block;

import org.jspecify.annotations.NullMarked;
