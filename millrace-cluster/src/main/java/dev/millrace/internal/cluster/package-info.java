/// The driver's side of a cluster: a [dev.millrace.runtime.Runtime] over connections to workers.
@NullMarked
package dev.millrace.internal.cluster;

import org.jspecify.annotations.NullMarked;
