// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyrie.benchmarks.CommandRunner;
import io.eyrie.testing.files.Directories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import picocli.CommandLine;

import javax.xml.parsers.DocumentBuilderFactory;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class ReportCommandTest
{
    private final List<String> measured = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private boolean broken;
    private String rootBefore = "";
    private final Path root;

    ReportCommandTest(@TempDir Path root)
    {
        this.root = root;
    }

    @BeforeEach
    void makeCheckout()
            throws Exception
    {
        Files.createFile(root.resolve("mvnw"));
        rootBefore = System.getProperty("eyrie.root", "");
        System.setProperty("eyrie.root", root.toString());
    }

    @AfterEach
    void leaveCheckout()
    {
        if (rootBefore.isEmpty()) {
            System.clearProperty("eyrie.root");
        }
        else {
            System.setProperty("eyrie.root", rootBefore);
        }
    }

    /** An experiment in which Eyrie is always twice as fast as {@code peer} and three times slower than {@code rival}. */
    private final class Fake
            implements Experiment
    {
        @Override
        public String name()
        {
            return "fake";
        }

        @Override
        public String question()
        {
            return "Is 1 < 2 & 3?";
        }

        @Override
        public List<String> cells(boolean quick)
        {
            return quick ? List.of("one") : List.of("one", "two");
        }

        @Override
        public int repeats(boolean quick)
        {
            return 3;
        }

        @Override
        public void measure(String cell, Setup setup, Findings findings)
        {
            measured.add(cell);
            if (broken && cell.equals("one")) {
                throw new IllegalStateException("no cluster");
            }
            for (int repeat = 0; repeat < setup.repeats(); repeat++) {
                findings.add(cell + "-q1", "warm-time", "s", "ours", 0.5);
                findings.add(cell + "-q1", "warm-time", "s", "peer", 1);
                findings.add(cell + "-q1", "warm-time", "s", "rival", 0.25);
            }
            findings.compare(cell + "-q1", "warm-time", "peer", 1.5);
            findings.compare(cell + "-q1", "warm-time", "rival", 1.0);
            findings.note("a note of " + cell);
            findings.profile(cell + "-q1", "warm-time", "ours", "0.5 s of planning");
            findings.profile(cell + "-q1", "warm-time", "peer", "1 s of reading");
        }
    }

    private int run(String... arguments)
    {
        CommandLine command = CommandRunner.of(new ReportCommand(List.of(new Fake())));
        return command.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true)).execute(arguments);
    }

    private Path written(String name)
    {
        return root.resolve("docs/benchmarks").resolve(name);
    }

    @Test
    void whatWasMeasuredIsNotMeasuredAgain()
            throws Exception
    {
        assertThat(run("--only", "fake/two")).isZero();
        assertThat(measured).containsExactly("two");
        assertThat(Files.readString(written("report.md"))).contains("- not measured: fake/one");
        assertThat(run()).isZero();
        assertThat(measured).containsExactly("two", "one");
        assertThat(Files.readString(written("report.md"))).doesNotContain("not measured");
        assertThat(run("--fresh", "--only", "fake")).isZero();
        assertThat(measured).containsExactly("two", "one", "one", "two");
        JsonNode report = new ObjectMapper().readTree(written("report.json").toFile());
        assertThat(report).hasSize(2);
        assertThat(report.get(0).path("samples").get(0).path("values").path("ours")).hasSize(3);
    }

    @Test
    void cellsOfAnotherMachineAreLostOrTakenForMeasuredHere()
            throws Exception
    {
        assertThat(run()).isZero();
        Directories.delete(root.resolve("target"));
        measured.clear();
        assertThat(run("--only", "fake/two")).isZero();
        assertThat(measured).containsExactly("two");
        assertThat(Files.readString(written("report.md"))).doesNotContain("not measured").contains("a note of one");
        assertThat(run()).isZero();
        assertThat(measured).containsExactly("two", "one");

        Directories.delete(root.resolve("target"));
        broken = true;
        assertThat(run()).isEqualTo(1);
        assertThat(Files.readString(written("report.md"))).contains("- not measured: fake/one (failed: no cluster)");
    }

    @Test
    void cellThatFailsIsSaidAndTriedAgain()
            throws Exception
    {
        broken = true;
        assertThat(run()).isEqualTo(1);
        assertThat(measured).containsExactly("one", "two");
        assertThat(Files.readString(written("report.md"))).contains("not measured: fake/one (failed: no cluster)");
        broken = false;
        assertThat(run()).isZero();
        assertThat(measured).containsExactly("one", "two", "one");
    }

    @Test
    void fileOfACellThatCannotBeReadIsMeasuredAgain()
            throws Exception
    {
        assertThat(run()).isZero();
        Files.writeString(root.resolve("target/bench/report/cells/fake-one.json"), "{\"cell\": ");
        assertThat(run()).isZero();
        assertThat(measured).containsExactly("one", "two", "one");
    }

    @Test
    void reportNamesWhatIsMissedAndItsPageIsXml()
            throws Exception
    {
        Files.createDirectories(written("remarks"));
        Files.writeString(written("remarks/fake.md"), "Where the time goes.\n\nWhat was tried: a & b.\n");
        assertThat(run()).isZero();
        assertThat(Files.readString(written("report.md")))
                .contains("Is 1 < 2 & 3?\n\nWhere the time goes.\n\nWhat was tried: a & b.\n")
                .contains("2 cells measured, 0 missing; 2 of 4 bars hold")
                .contains("**missed**: fake/one, one-q1 warm-time: 0.500 times rival, bar 1.00")
                .contains("- a note of two")
                .contains("- one-q1 warm-time, the last of ours: 0.5 s of planning")
                .doesNotContain("of reading")
                .contains("| one-q1 | warm-time | 0.500 s | peer | 1.00 s | 2.00 | 2.00 to 2.00 | 1.50 | yes |");
        Document page = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(root.resolve("target/bench/report/report.html").toFile());
        assertThat(written("report.html")).doesNotExist();
        assertThat(page.getElementsByTagName("svg").getLength()).isEqualTo(2);
        assertThat(page.getElementsByTagName("body").item(0).getTextContent()).contains("Is 1 < 2 & 3?", "What was tried: a & b.");
    }

    @Test
    void quickLookHasCellsAndFilesOfItsOwn()
            throws Exception
    {
        assertThat(run("--quick")).isZero();
        assertThat(measured).containsExactly("one");
        assertThat(written("report.md")).doesNotExist();
        assertThat(Files.readString(root.resolve("target/bench/report-quick/report.md"))).contains("A quick look");
        assertThat(run("--list")).isZero();
        assertThat(out.toString().lines().filter(line -> line.startsWith("fake/"))).containsExactly("fake/one", "fake/two");
    }

    @Test
    void reportIsWrittenAgainWithoutMeasuring()
            throws Exception
    {
        assertThat(run()).isZero();
        Directories.delete(root.resolve("target"));
        measured.clear();
        assertThat(run("--render")).isZero();
        assertThat(measured).isEmpty();
        assertThat(Files.readString(written("report.md"))).contains("a note of one", "a note of two").doesNotContain("not measured");
        assertThat(root.resolve("target/bench/report/report.html")).exists();
    }

    @Test
    void unknownCellIsRefused()
            throws Exception
    {
        assertThat(run("--only", "fake/three")).isEqualTo(2);
        assertThat(err.toString()).contains("--only names an experiment or a cell, not fake/three; there are fake/one, fake/two");
        assertThat(measured).isEmpty();
        try (Stream<Path> files = Files.list(root)) {
            assertThat(files).containsExactly(root.resolve("mvnw"));
        }
    }
}
