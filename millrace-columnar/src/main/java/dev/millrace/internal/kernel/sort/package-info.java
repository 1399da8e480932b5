/// The order of rows: sorting columns, comparing rows of different blocks. Columns in, row numbers or key bytes out.
package dev.millrace.internal.kernel.sort;
