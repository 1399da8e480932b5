/// A Ray cluster of several nodes on this machine, for development and tests: its Python environment, its processes,
/// and the file that records them. Nothing here knows of workers.
@NullMarked
package dev.millrace.internal.ray.local;

import org.jspecify.annotations.NullMarked;
