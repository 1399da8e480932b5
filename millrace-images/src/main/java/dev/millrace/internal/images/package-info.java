/// Images under their name, for `Session.readImages` and `Dataset.writeImages`; what reads and writes is below.
package dev.millrace.internal.images;
