/// Blocks that were lost with their node are made again, without the engine: a runtime that may lose blocks goes in,
/// one whose blocks are always there comes out. Every block has a recipe, and recipes hold no blocks. Depends on the
/// seam and on the rules of faults only, not on plans, operators or transforms.
@NullMarked
package dev.millrace.internal.recovery;

import org.jspecify.annotations.NullMarked;
