/// Shows running datasets on standard error: [ProgressReporter] is notified of each run and reads its stats on a thread
/// of its own; [ProgressText] turns them into lines. Nothing here accesses the engine.
@NullMarked
package dev.millrace.internal.progress;

import org.jspecify.annotations.NullMarked;
