package dev.millrace.examples.guide;

import java.util.List;

/// A block of Java in a page. Its class has the lines of the page, so that compilers' and stacks' line numbers are the
/// page's.
///
/// @param page the path below the project's root
/// @param line where the code begins, from 1
/// @param hidden members that the page declared in comments before it, each with the line where it begins
/// @param compiledOnly why it is not run; null: it is
/// @param prints what it must print, null: anything
record GuideSample(
        String page, int line, List<String> code, List<HiddenMembers> hidden, String compiledOnly, String prints) {
    /// Java members in a comment of a page.
    ///
    /// @param line where they begin, from 1
    record HiddenMembers(int line, List<String> code) {}

    String className() {
        return (isProgram() ? "Program_" : "Sample_")
                + page.replaceAll(".*/", "").replace(".md", "").replaceAll("\\W", "_") + "_" + line;
    }

    /// The class as the launcher names it.
    String binaryName() {
        return isProgram() ? className() : SampleCompiler.PACKAGE + "." + className();
    }

    /// A block with a `main` of its own imports what it uses and opens its own session.
    boolean isProgram() {
        return code.stream().anyMatch(text -> text.startsWith("void main("));
    }

    String place() {
        return page + ":" + line;
    }
}
