/// The metrics of a session for OpenTelemetry:
/// `Session.builder().metrics(OpenTelemetryMetrics.to(openTelemetry)).open()`.
@NullMarked
package dev.millrace.opentelemetry;

import org.jspecify.annotations.NullMarked;
