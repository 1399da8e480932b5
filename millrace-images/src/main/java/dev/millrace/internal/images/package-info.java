/// Images under their name, for `Session.readImages` and `Dataset.writeImages`; what reads and writes is below.
@NullMarked
package dev.millrace.internal.images;

import org.jspecify.annotations.NullMarked;
