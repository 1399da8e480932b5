/// The measurements of a run, as plain values: `dataset.stats()`, progress and dashboard read the same records.
package dev.millrace.stats;
