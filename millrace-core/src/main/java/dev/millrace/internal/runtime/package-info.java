/// Shared code of runtimes: the limits of the machine. The runtimes themselves are in subpackages and known only to the
/// session that opens them.
@NullMarked
package dev.millrace.internal.runtime;

import org.jspecify.annotations.NullMarked;
