/// Columns and values of Java.
package dev.millrace.internal.column;
