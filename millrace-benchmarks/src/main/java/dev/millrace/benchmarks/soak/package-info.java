/// Random pipelines under random settings and injected faults, each checked against a plain Java model of itself: a
/// seed goes in, counts or the failing pipeline come out.
package dev.millrace.benchmarks.soak;
