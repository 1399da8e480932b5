/// Shared code of runtimes: the limits of the machine. The runtimes themselves are in subpackages and known only to the
/// session that opens them.
package dev.millrace.internal.runtime;
