/// Compressed bytes to plain ones: [dev.millrace.internal.compress.FileCompression] tells files by their names and
/// opens them as feeds that decompress while they are read, in bounded memory. Nothing here knows what the bytes mean.
package dev.millrace.internal.compress;
