/// Looking at datasets in notebooks and shells.
@NullMarked
package dev.millrace.notebook;

import org.jspecify.annotations.NullMarked;
