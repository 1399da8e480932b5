/// Registers the image format by name, for `Session.readImages` and `Dataset.writeImages`; the packages below implement
/// reading and writing.
@NullMarked
package dev.millrace.internal.images;

import org.jspecify.annotations.NullMarked;
