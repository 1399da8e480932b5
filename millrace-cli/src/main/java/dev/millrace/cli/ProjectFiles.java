package dev.millrace.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/// The files of a new project, by their paths in its folder.
final class ProjectFiles {
    /// Resolved and tried, for `mvn exec:java`.
    private static final String EXEC_PLUGIN = "3.6.4";

    private static final String COMPILER_PLUGIN = "3.16.0";

    private static final String MAIN = """
            package @package@;

            import static dev.millrace.aggregate.Aggregates.count;
            import static dev.millrace.aggregate.Aggregates.mean;
            import static dev.millrace.expression.Expressions.col;

            import dev.millrace.Dataset;
            import dev.millrace.Session;

            /// A pipeline to change: rows in, some work on them, rows out.
            public final class Main {
                private Main() {}

                public static void main(String[] arguments) {
                    try (Session session = Session.open()) {
                        // Files: session.readParquet("trips/"), readCsv, readJson, readImages, ...
                        Dataset rows = session.range(1_000_000)
                                .withColumn("half", col("id").dividedBy(2.0))
                                .mapBatches(batch -> batch.mapLongs("id", id -> id % 3));
                        rows.groupBy("id").aggregate(count(), mean("half")).sort("id").show();
                        rows.filter(col("id").eq(2)).limit(1_000).writeParquet("@output@/rows");
                        System.out.println(session.readParquet("@output@/rows").count() + " rows written");
                    }
                }
            }
            """;

    private static final String POM = """
            <?xml version="1.0" encoding="UTF-8"?>
            <project xmlns="http://maven.apache.org/POM/4.0.0"
                     xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                     xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
              <modelVersion>4.0.0</modelVersion>

              <groupId>@package@</groupId>
              <artifactId>@name@</artifactId>
              <version>0.1</version>

              <properties>
                <maven.compiler.release>25</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                <millrace.version>@version@</millrace.version>
                <exec.mainClass>@package@.Main</exec.mainClass>
              </properties>

              <dependencies>
                <!-- The engine, text and binary formats, Parquet. Others: millrace-sql, -images, -models, -python, ... -->
                <dependency>
                  <groupId>dev.millrace</groupId>
                  <artifactId>millrace</artifactId>
                  <version>${millrace.version}</version>
                </dependency>
              </dependencies>

              <build>
                <plugins>
                  <plugin>
                    <groupId>org.apache.maven.plugins</groupId>
                    <artifactId>maven-compiler-plugin</artifactId>
                    <version>@compilerPlugin@</version>
                  </plugin>
                  <plugin>
                    <groupId>org.codehaus.mojo</groupId>
                    <artifactId>exec-maven-plugin</artifactId>
                    <version>@execPlugin@</version>
                  </plugin>
                </plugins>
              </build>
            </project>
            """;

    private static final String GRADLE = """
            plugins {
                application
            }

            repositories {
                mavenLocal() // where ./millrace install puts the modules
                mavenCentral()
            }

            java {
                toolchain { languageVersion = JavaLanguageVersion.of(25) }
            }

            dependencies {
                // The engine, text and binary formats, Parquet. Others: millrace-sql, -images, -models, -python, ...
                implementation("dev.millrace:millrace:@version@")
            }

            application {
                mainClass = "@package@.Main"
                applicationDefaultJvmArgs = listOf("--enable-native-access=ALL-UNNAMED")
            }
            """;

    private static final String README = """
            # @name@

                @command@

            builds and runs `src/main/java/@folder@/Main.java`. It needs a JDK 25 or newer, and the modules of Millrace in
            the local Maven repository, where `./millrace install` in a checkout of Millrace puts them.

            The same program as one file, without a project: `millrace run src/main/java/@folder@/Main.java`.
            """;

    private ProjectFiles() {}

    /// @param name of the project
    /// @param javaPackage of its classes
    static Map<String, String> of(String name, String javaPackage, boolean gradle, String version) {
        String folder = javaPackage.replace('.', '/');
        Map<String, String> values = Map.of(
                "name", name,
                "package", javaPackage,
                "folder", folder,
                "version", version,
                "output", gradle ? "build" : "target",
                "command", command(gradle),
                "compilerPlugin", COMPILER_PLUGIN,
                "execPlugin", EXEC_PLUGIN);
        Map<String, String> files = new LinkedHashMap<>();
        files.put("src/main/java/" + folder + "/Main.java", filled(MAIN, values));
        files.put("README.md", filled(README, values));
        files.put(".gitignore", gradle ? "build/\n.gradle/\n" : "target/\n");
        if (gradle) {
            files.put("build.gradle.kts", filled(GRADLE, values));
            files.put("settings.gradle.kts", "rootProject.name = \"" + name + "\"\n");
        } else {
            files.put("pom.xml", filled(POM, values));
            files.put(".mvn/jvm.config", "--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow\n");
        }
        return files;
    }

    static String command(boolean gradle) {
        return gradle ? "gradle run" : "mvn -q compile exec:java";
    }

    private static String filled(String template, Map<String, String> values) {
        String text = template;
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("@" + value.getKey() + "@", value.getValue());
        }
        return text;
    }
}
