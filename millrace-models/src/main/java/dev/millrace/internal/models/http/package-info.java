/// Models behind HTTP. Rows of a batch enter, requests leave, so many at once and so many a minute; answers come back
/// as columns. What a server does wrong ends here: as a retry, or as a sentence about one row.
@NullMarked
package dev.millrace.internal.models.http;

import org.jspecify.annotations.NullMarked;
