/// Test support: runtimes that are harder on the engine than the real ones, the contract that every runtime keeps, and
/// small data. Other modules use it through the test jar.
package dev.millrace.testing;
