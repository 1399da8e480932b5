/// The lifetime of objects that are passed to user functions, whether every access is checked, and the release of
/// references.
@NullMarked
package dev.millrace.internal.lifetime;

import org.jspecify.annotations.NullMarked;
