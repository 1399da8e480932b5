/// Errors: the only exception that Millrace throws, and who has to act on it.
@NullMarked
package dev.millrace.error;

import org.jspecify.annotations.NullMarked;
