package dev.millrace.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testing.ChildJvm;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/// What the POMs say of a release holds together: versions, the BOM, the natives of each system.
class ReleaseFilesTest {
    private static final Path ROOT =
            Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    private static final XPath XPATH = XPathFactory.newInstance().newXPath();

    @Test
    void allModulesChangelogAndGuideHaveOneVersion() throws Exception {
        String version = text(pom("."), "/project/version");
        for (String module : modules()) {
            Node pom = pom(module);
            assertThat(text(pom, module.equals("millrace-bom") ? "/project/version" : "/project/parent/version"))
                    .as(module)
                    .isEqualTo(version);
        }
        assertThat(Files.readAllLines(ROOT.resolve("CHANGELOG.md"))).contains("## " + version);
        assertThat(Files.readString(ROOT.resolve("docs/guide/getting-started.md")))
                .contains("<version>" + version + "</version>", ":" + version + "\")");
    }

    @Test
    void theBomNamesTheModulesThatArePublished() throws Exception {
        TreeSet<String> published = new TreeSet<>();
        for (String module : modules()) {
            Node pom = pom(module);
            if (!module.equals("millrace-bom")
                    && text(pom, "/project/properties/maven.deploy.skip").isEmpty()) {
                published.add(text(pom, "/project/artifactId"));
            }
        }
        assertThat(texts(pom("millrace-bom"), "/project/dependencyManagement/dependencies/dependency/artifactId"))
                .containsExactlyElementsOf(published);
    }

    /// A public repository takes no module without a Javadoc jar, and none is made where nothing is left to document.
    @Test
    void modulesOfInternalPackagesAloneDocumentThese() throws Exception {
        for (String module : modules()) {
            Path sources = ROOT.resolve(module).resolve("src/main/java");
            if (!Files.isDirectory(sources)
                    || !text(pom(module), "/project/properties/maven.deploy.skip")
                            .isEmpty()) {
                continue;
            }
            try (Stream<Path> files = Files.walk(sources)) {
                boolean documented = files.filter(Files::isRegularFile)
                        .map(file -> sources.relativize(file).toString().replace('\\', '/'))
                        .anyMatch(file -> !file.contains("/internal/") && !file.endsWith("-info.java"));
                assertThat(text(pom(module), "/project/properties/javadoc.excluded"))
                        .as(module)
                        .isEqualTo(documented ? "" : "none");
            }
        }
    }

    /// Systems as Java names them. JavaCPP looks for libraries by a name of its own, which must be the one that a build
    /// on that system takes.
    @Test
    void aBuildTakesTheNativesThatJavaCppLooksFor() throws Exception {
        Map<String, String> systems = new LinkedHashMap<>();
        for (String system :
                List.of("Linux/amd64", "Linux/aarch64", "Mac OS X/aarch64", "Mac OS X/x86_64", "Windows 11/amd64")) {
            String[] parts = system.split("/", 2);
            systems.put(system, taken(parts[0].toLowerCase(Locale.ROOT), parts[1]));
        }
        List<String> lookedFor = ChildJvm.linesOf(ChildJvm.start(
                List.of("-Xmx64m"), Platforms.class, systems.keySet().toArray(String[]::new)));
        assertThat(systems.values()).containsExactlyElementsOf(lookedFor);
        assertThat(lookedFor)
                .containsExactly("linux-x86_64", "linux-arm64", "macosx-arm64", "macosx-x86_64", "windows-x86_64");
    }

    /// As Maven activates profiles: all conditions about the system hold.
    private static String taken(String name, String arch) throws Exception {
        Node pom = pom(".");
        String platform = text(pom, "/project/properties/native.platform");
        NodeList profiles =
                (NodeList) XPATH.evaluate("/project/profiles/profile[activation/os]", pom, XPathConstants.NODESET);
        for (int i = 0; i < profiles.getLength(); i++) {
            Node profile = profiles.item(i);
            String family = text(profile, "activation/os/family");
            String exact = text(profile, "activation/os/name");
            if ((family.isEmpty() || name.contains(family))
                    && (exact.isEmpty() || name.equals(exact))
                    && text(profile, "activation/os/arch").equals(arch)) {
                platform = text(profile, "properties/native.platform");
            }
        }
        return platform;
    }

    private static List<String> modules() throws Exception {
        return texts(pom("."), "/project/modules/module");
    }

    private static Node pom(String module) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(ROOT.resolve(module).resolve("pom.xml").toFile());
    }

    private static String text(Node node, String path) throws Exception {
        return XPATH.evaluate(path, node);
    }

    private static List<String> texts(Node node, String path) throws Exception {
        NodeList found = (NodeList) XPATH.evaluate(path, node, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent());
        }
        return texts;
    }

    /// Asks JavaCPP, which looks at Java's properties once, anew for each system.
    static final class Platforms {
        public static void main(String[] systems) throws Exception {
            List<URL> jars = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
                if (entry.matches(".*javacpp-[0-9.]+\\.jar")) {
                    jars.add(Path.of(entry).toUri().toURL());
                }
            }
            for (String system : systems) {
                System.setProperty("os.name", system.split("/", 2)[0]);
                System.setProperty("os.arch", system.split("/", 2)[1]);
                try (URLClassLoader fresh = new URLClassLoader(jars.toArray(URL[]::new), null)) {
                    System.out.println(Class.forName("org.bytedeco.javacpp.Loader", true, fresh)
                            .getMethod("getPlatform")
                            .invoke(null));
                }
            }
        }
    }
}
