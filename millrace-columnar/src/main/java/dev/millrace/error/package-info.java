/// Errors: the one exception that leaves Millrace, and who has to act on it.
@NullMarked
package dev.millrace.error;

import org.jspecify.annotations.NullMarked;
