/// Models behind HTTP. The input is the rows of a batch, which are sent as requests with limited concurrency and rate;
/// the answers become columns. Failures of a server are handled here: by a retry, or by an error message for one row.
@NullMarked
package dev.millrace.internal.models.http;

import org.jspecify.annotations.NullMarked;
