/// The inside of reading and writing databases: SQL made and results taken apart.
package dev.millrace.internal.jdbc;
