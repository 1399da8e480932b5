/// Random pipelines under random settings and injected faults, each checked against a plain Java model of itself: the
/// input is a seed, the output is counts or the failing pipeline.
@NullMarked
package dev.millrace.benchmarks.soak;

import org.jspecify.annotations.NullMarked;
