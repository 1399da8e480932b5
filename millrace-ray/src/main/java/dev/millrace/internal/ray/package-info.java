/// The starter of workers on a Ray cluster: a packaged Python file, run by the driver's Python, keeps one worker on
/// each node; events come back as lines of JSON.
@NullMarked
package dev.millrace.internal.ray;

import org.jspecify.annotations.NullMarked;
