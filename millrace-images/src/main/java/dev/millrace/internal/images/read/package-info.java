/// Image files to rows: `ImageFiles` is the format under a file source, `ImageReader` reads one file. Decoding is the
/// codec's.
package dev.millrace.internal.images.read;
