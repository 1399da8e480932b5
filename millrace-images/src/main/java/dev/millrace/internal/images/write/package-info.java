/// Columns of images to files: `ImageOutput` is the format under a file sink. Encoding is the codec's.
package dev.millrace.internal.images.write;
