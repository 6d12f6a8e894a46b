// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.packaging;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests what a release needs of the poms and of the CHANGELOG. */
class ReleaseTest
{
    private static final Path ROOT = Path.of("..");

    private static List<String> published()
            throws IOException
    {
        return Files.readAllLines(ROOT.resolve("build/published")).stream().filter(line -> !line.startsWith("#")).toList();
    }

    private static Document pom(String module)
            throws Exception
    {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(ROOT.resolve(module).resolve("pom.xml").toFile());
    }

    private static String text(Document pom, String path)
            throws XPathExpressionException
    {
        return XPathFactory.newInstance().newXPath().evaluate("/project/" + path, pom);
    }

    @Test
    void parentHasWhatTheCentralRepositoryDemands()
            throws Exception
    {
        Document parent = pom(".");
        for (String path : List.of(
                "groupId", "artifactId", "version", "name", "description", "url", "licenses/license/name", "licenses/license/url",
                "developers/developer/name", "developers/developer/organization", "scm/url", "scm/connection", "scm/developerConnection")) {
            assertThat(text(parent, path)).as(path).isNotBlank();
        }
        // otherwise Maven appends each module's name to the addresses
        for (String attribute : List.of(
                "@child.project.url.inherit.append.path", "scm/@child.scm.url.inherit.append.path", "scm/@child.scm.connection.inherit.append.path",
                "scm/@child.scm.developerConnection.inherit.append.path")) {
            assertThat(text(parent, attribute)).as(attribute).isEqualTo("false");
        }
    }

    @Test
    void publishedModulesAreDescribedAndDependOnPublishedOnesOnly()
            throws Exception
    {
        List<String> published = published();
        assertThat(published).isSorted().contains("cache-fs", "cli");
        for (String module : published) {
            Document pom = pom(module);
            assertThat(text(pom, "artifactId")).isEqualTo("eyrie-" + module);
            assertThat(text(pom, "name")).as(module).isNotBlank();
            assertThat(text(pom, "description")).as(module).isNotBlank();
            assertThat(text(pom, "properties/maven.source.skip") + text(pom, "properties/maven.javadoc.skip")).as(module).isEqualTo("falsefalse");
            // also those of tests, so that a build of one module does not include the servers of the harness
            NodeList dependencies = (NodeList) XPathFactory.newInstance().newXPath().evaluate(
                    "/project/dependencies/dependency[groupId='io.eyrie']/artifactId", pom, XPathConstants.NODESET);
            assertThat(IntStream.range(0, dependencies.getLength()).mapToObj(i -> ((Element) dependencies.item(i)).getTextContent()))
                    .as("dependencies of %s", module)
                    .allMatch(artifact -> published.contains(artifact.substring("eyrie-".length())));
        }
    }

    @Test
    void notesOfTheNextReleaseAreInTheChangelog()
            throws Exception
    {
        String next = text(pom("."), "version").replace("-SNAPSHOT", "");
        Run notes = Run.of(next, "--notes");
        assertThat(notes.exitCode()).as(notes.output()).isZero();
        assertThat(notes.output()).contains("\n- ").doesNotContain("\n## ", "\n### ");
    }

    @Test
    void versionWithoutNotesIsRefused()
            throws Exception
    {
        Run unknown = Run.of("99.0.0", "--notes");
        assertThat(unknown.exitCode()).isEqualTo(1);
        assertThat(unknown.output()).contains("CHANGELOG.md has no section \"## 99.0.0\"");
        assertThat(Run.of("0.1").exitCode()).isEqualTo(2);
    }

    /* A statement about a library or a version that is not shipped any more misleads a scanner. */
    @Test
    void vulnerabilitiesAreOfLibrariesThatAreShippedAndOnThePage()
            throws IOException
    {
        String shipped = Files.readString(Path.of("src/licenses/third-party.txt"));
        String page = Files.readString(ROOT.resolve("docs/security.md"));
        JsonNode statements = new ObjectMapper().readTree(ROOT.resolve("docs/vulnerabilities.vex.json").toFile()).path("statements");
        assertThat(statements.size()).isGreaterThan(20);
        for (JsonNode statement : statements) {
            String name = statement.path("vulnerability").path("name").asText();
            assertThat(page).contains(name);
            assertThat(statement.findValuesAsText("@id")).as("libraries of %s", name)
                    .filteredOn(id -> !id.equals("pkg:maven/io.eyrie/eyrie-presto-plugin"))
                    .isNotEmpty()
                    .allMatch(id -> shipped.contains("\n" + id.replace("pkg:maven/", "").replace('/', ':').replace('@', ':') + " "));
        }
    }

    /** A run of the command. */
    private record Run(int exitCode, String output)
    {
        static Run of(String... arguments)
                throws Exception
        {
            ProcessBuilder builder = new ProcessBuilder("bash", "../bin/release").redirectErrorStream(true);
            builder.command().addAll(List.of(arguments));
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Run(process.waitFor(), output);
        }
    }
}
