/// How bytes are compressed, by name.
package dev.millrace.compression;
