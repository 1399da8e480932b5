/// The public API: a [dev.millrace.Session] opens datasets, a [dev.millrace.Dataset] describes and consumes them. Every
/// verb creates a plan node after validating its arguments; every consumption is a class of `internal.consume`. No
/// logic lives here beyond those checks.
@NullMarked
package dev.millrace;

import org.jspecify.annotations.NullMarked;
