/// Java values to what columns store and back.
package dev.millrace.internal.value;
