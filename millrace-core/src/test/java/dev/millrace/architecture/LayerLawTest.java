package dev.millrace.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.testing.PackageCycles;
import org.junit.jupiter.api.Test;

/// The layer law: api -> plan -> engine -> runtime seam; transforms know none of them. That data and kernels know
/// nothing above them is their module's doing.
class LayerLawTest {
    private static final String API = "dev.millrace";
    private static final String CONSUME = "dev.millrace.internal.consume..";
    private static final String PLAN = "dev.millrace.internal.plan..";
    private static final String LOGICAL = "dev.millrace.internal.plan.logical..";
    private static final String OPTIMIZE = "dev.millrace.internal.plan.optimize..";
    private static final String[] ENGINE = {
        "dev.millrace.internal.engine..",
        "dev.millrace.internal.operator..",
        "dev.millrace.internal.resource..",
        "dev.millrace.internal.backpressure.."
    };
    private static final String SEAM = "dev.millrace.runtime..";
    private static final String RUNTIMES = "dev.millrace.internal.runtime..";
    private static final String TRANSFORM = "dev.millrace.internal.transform..";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test") && !location.contains("-test"))
            .withImportOption(location -> location.contains("core") || location.contains("columnar"))
            .importPackages("dev.millrace");

    @Test
    void transformsKnowNoPlansNoEngineAndNoApi() {
        noClasses()
                .that()
                .resideInAPackage(TRANSFORM)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(with(ENGINE, API, CONSUME, PLAN, RUNTIMES))
                .check(CLASSES);
    }

    @Test
    void theRuntimeSeamKnowsNeitherWhoSubmitsNorWhatItRuns() {
        noClasses()
                .that()
                .resideInAnyPackage(SEAM, RUNTIMES)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(with(ENGINE, API, CONSUME, PLAN, TRANSFORM))
                .check(CLASSES);
    }

    @Test
    void theEngineKnowsPhysicalPlansOnlyAndNoUserFunctions() {
        noClasses()
                .that()
                .resideInAnyPackage(ENGINE)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        API, CONSUME, LOGICAL, OPTIMIZE, RUNTIMES, "dev.millrace.batch..", "dev.millrace.function..")
                .check(CLASSES);
    }

    @Test
    void plansRunNothing() {
        noClasses()
                .that()
                .resideInAPackage(PLAN)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(with(ENGINE, API, CONSUME, RUNTIMES))
                .check(CLASSES);
    }

    @Test
    void packagesFormNoCycle() {
        PackageCycles.check(CLASSES);
    }

    private static String[] with(String[] some, String... more) {
        String[] all = new String[some.length + more.length];
        System.arraycopy(some, 0, all, 0, some.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        return all;
    }
}
