// SPDX-License-Identifier: Apache-2.0
package io.eyrie.benchmarks.report;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class PagecountsExperimentTest
{
    @Test
    void fileHasItsSizeAndWholeRowsAndIsTheSameAgain()
    {
        byte[] file = PagecountsExperiment.rows(100_000);
        assertThat(file).hasSize(100_000).isEqualTo(PagecountsExperiment.rows(100_000));
        String text = new String(file, US_ASCII);
        assertThat(text).endsWith("\n");
        List<String> lines = text.lines().toList();
        assertThat(lines).hasSizeGreaterThan(2000).allMatch(Pattern.compile("[a-z.]+\u0001\\w+\u0001\\d+\u0001\\d+").asMatchPredicate());
    }
}
