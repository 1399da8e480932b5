/// Chunks to blocks of a size.
@NullMarked
package dev.millrace.internal.block;

import org.jspecify.annotations.NullMarked;
