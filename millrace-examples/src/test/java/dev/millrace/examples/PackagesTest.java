package dev.millrace.examples;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.testing.PackageCycles;
import org.junit.jupiter.api.Test;

/// The modules that programs add, as LayerLawTest has it for the engine.
class PackagesTest {
    @Test
    void packagesFormNoCycle() {
        PackageCycles.check(new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test") && !location.contains("-test"))
                .withImportOption(location -> !location.contains("/models/")
                        && !location.contains("/onnx/")
                        && !location.contains("/tune/")
                        && !location.contains("/images/"))
                .importPackages("dev.millrace"));
    }
}
