/// Shows running datasets on standard error: [ProgressReporter] is told of each run and reads its stats from a thread
/// of its own; [ProgressText] turns them into lines. Nothing here touches the engine.
package dev.millrace.internal.progress;
