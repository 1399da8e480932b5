/// How a transform is to run: tasks or a pool of actors, how many, with which resources. Plain values.
package dev.millrace.compute;
