/// The running form of each physical operator: what it has queued, which tasks it has under way, when it is done. Owned
/// by the loop thread of one run; nothing here is thread-safe but [dev.millrace.internal.operator.BlockOutlet] and
/// [dev.millrace.internal.operator.SplitFeed]. Decisions (which operator starts next) are not made here.
package dev.millrace.internal.operator;
