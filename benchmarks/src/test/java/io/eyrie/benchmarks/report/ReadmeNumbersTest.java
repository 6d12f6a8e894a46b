// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import io.eyrie.testing.lake.Checkout;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares the README's numbers with the report, from which they are copied. */
class ReadmeNumbersTest
{
    @Test
    void rowsOfTheReadmeAreTheReports()
            throws IOException
    {
        Path root = Checkout.find().root();
        List<String> report = Files.readAllLines(root.resolve("docs/benchmarks/report.md"));
        List<String> rows = Files.readAllLines(root.resolve("README.md")).stream().filter(line -> line.startsWith("| far, ") || line.startsWith(
                "| near, "))
                .toList();

        assertThat(rows).hasSizeGreaterThanOrEqualTo(5);
        assertThat(report).containsAll(rows);
    }
}
