/// The measurements of a run, as plain values: `dataset.stats()`, progress and dashboard read the same records.
@NullMarked
package dev.millrace.stats;

import org.jspecify.annotations.NullMarked;
