/// Reading Parquet files: paths become splits, row groups become chunks. Enters: paths and options, a filter, the
/// columns wanted; leaves: blocks. Decoding is next door; nothing here knows plans, engine or runtimes.
package dev.millrace.internal.parquet.read;
