/// Classification of faults and what follows them, in one place. Depends on exceptions and settings only: transforms,
/// the engine and the recovery of blocks use it.
@NullMarked
package dev.millrace.internal.fault;

import org.jspecify.annotations.NullMarked;
