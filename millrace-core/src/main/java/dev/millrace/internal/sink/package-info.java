/// Writing inside a task and its target folder: [dev.millrace.internal.sink.WriteStep] ends a chain,
/// [dev.millrace.internal.sink.LocalTarget] moves files from temporary to final names. Depends neither on plans nor on
/// runs; the driver's part is in `internal.consume`.
@NullMarked
package dev.millrace.internal.sink;

import org.jspecify.annotations.NullMarked;
