/// The running form of each physical operator: its queues, its tasks in flight, and when it is done. Owned by the loop
/// thread of one run; nothing here is thread-safe except [dev.millrace.internal.operator.BlockOutlet] and
/// [dev.millrace.internal.operator.SplitFeed]. Scheduling decisions (which operator starts next) are not made here.
@NullMarked
package dev.millrace.internal.operator;

import org.jspecify.annotations.NullMarked;
