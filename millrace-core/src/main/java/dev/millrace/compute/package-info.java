/// How a transform wants to be run: tasks or a pool of actors, how many, with which resources. Plain values.
package dev.millrace.compute;
