/// What statistics say against a filter: which row groups and pages hold no row that can pass. Nothing here reads data.
package dev.millrace.internal.parquet.prune;
