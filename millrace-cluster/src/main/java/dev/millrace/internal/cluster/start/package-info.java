/// Where workers come from: starters of processes and of other systems' jobs, and addresses that the user gives.
/// Nothing here talks to a worker.
@NullMarked
package dev.millrace.internal.cluster.start;

import org.jspecify.annotations.NullMarked;
