/// Chunks to blocks of a size.
package dev.millrace.internal.block;
