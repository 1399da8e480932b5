/// Parquet's metadata: footers, page headers and indexes in Thrift's compact protocol, as records. Nothing here knows
/// columns, and nothing here trusts what it reads.
package dev.millrace.internal.parquet.format;
