/// How values become HTML: every text of the data is escaped.
@NullMarked
package dev.millrace.internal.notebook;

import org.jspecify.annotations.NullMarked;
