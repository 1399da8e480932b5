/// Files of lines to columns and back, and the input that formats made of text share.
package dev.millrace.internal.textfile;
