/// Classification of faults, in one place. Depends on exceptions only: transforms and the engine both use it.
@NullMarked
package dev.millrace.internal.fault;

import org.jspecify.annotations.NullMarked;
