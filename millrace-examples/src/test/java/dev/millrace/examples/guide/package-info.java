/// The samples of README.md and docs/guide, compiled and run: [GuidePage] finds them, [SampleCompiler] makes classes of
/// them, [SampleRunner] runs these in a process of its own over the files of [GuideData].
package dev.millrace.examples.guide;
