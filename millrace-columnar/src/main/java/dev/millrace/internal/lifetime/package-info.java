/// How long what a user's function is handed may be used, and whether every use is checked; what its holders release.
@NullMarked
package dev.millrace.internal.lifetime;

import org.jspecify.annotations.NullMarked;
