package dev.millrace.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.Dataset;
import dev.millrace.Session;
import dev.millrace.batch.Batch;
import dev.millrace.expression.Expression;
import dev.millrace.testing.PackageCycles;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
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

    /// Javadoc shows the methods of supertypes that are not public on the page of the type that programs name.
    @Test
    void pagesOfTheApiShowAllVerbs() {
        for (Class<?> type : List.of(Dataset.class, Session.class, Batch.class, Expression.class)) {
            List<Class<?>> supertypes = new ArrayList<>(List.of(type.getInterfaces()));
            if (type.getSuperclass() != null) {
                supertypes.add(type.getSuperclass());
            }
            supertypes.removeIf(supertype -> !supertype.getName().startsWith("dev.millrace"));
            assertThat(supertypes)
                    .isNotEmpty()
                    .as("supertypes of " + type.getSimpleName() + " that would keep verbs on pages of their own")
                    .noneMatch(supertype -> Modifier.isPublic(supertype.getModifiers()));
        }
    }

    private static String[] with(String[] some, String... more) {
        String[] all = new String[some.length + more.length];
        System.arraycopy(some, 0, all, 0, some.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        return all;
    }
}
