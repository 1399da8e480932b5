/// Measured values as text for people: [dev.millrace.stats.RunStats] comes in, rounded lines go out. Reads nothing and
/// keeps nothing; no engine, no terminal.
package dev.millrace.internal.stats;
