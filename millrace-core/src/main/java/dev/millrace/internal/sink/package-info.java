/// Writing inside a task and the folder it goes to: [dev.millrace.internal.sink.WriteStep] ends a chain,
/// [dev.millrace.internal.sink.LocalTarget] knows the way from temporary to final names. Knows neither plans nor runs;
/// the driver's part is in `internal.consume`.
package dev.millrace.internal.sink;
