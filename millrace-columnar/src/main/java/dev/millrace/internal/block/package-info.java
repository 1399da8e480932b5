/// Combines chunks into blocks of a target size.
@NullMarked
package dev.millrace.internal.block;

import org.jspecify.annotations.NullMarked;
