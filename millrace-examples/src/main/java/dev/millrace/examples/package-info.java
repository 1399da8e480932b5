/// Example pipelines to run, read and copy. They use the public API only.
package dev.millrace.examples;
