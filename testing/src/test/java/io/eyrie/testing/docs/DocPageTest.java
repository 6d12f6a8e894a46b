// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.docs;

import org.junit.jupiter.api.Test;

import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DocPageTest
{
    @Test
    void blocksInsideListsLoseTheIndentation()
    {
        DocPage page = parse("""
                1. Write:

                   ```properties
                   connector.name=eyrie
                   # a remark
                   cache.enabled = true
                   ```
                """);

        assertThat(page.blocks()).containsExactly(new DocBlock(3, "properties", "connector.name=eyrie\n# a remark\ncache.enabled = true", Optional
                .empty(),
                Optional.empty()));
        assertThat(page.catalog()).containsOnlyKeys("connector.name", "cache.enabled").containsEntry("cache.enabled", "true");
    }

    @Test
    void outputBelongsToTheBlockThatItFollowsAtOnce()
    {
        DocPage page = parse("""
                ```sql
                SELECT 1
                ```

                ```text
                 _col0
                ```

                A picture:

                ```text
                a box
                ```
                """);

        assertThat(page.blocks()).extracting(DocBlock::language).containsExactly("sql", "text");
        assertThat(page.blocks().get(0).output()).contains(" _col0");
        assertThat(page.blocks().get(1).output()).isEmpty();
    }

    @Test
    void onlyTheCommentRightBeforeABlockMarksIt()
    {
        DocPage page = parse("""
                <!-- not run: it needs
                     a cluster of Kubernetes -->
                ```shell
                kubectl apply
                ```
                ```shell
                true
                ```
                <!-- not run -->

                ```shell
                false
                ```
                <!-- not run: of another block -->
                Text.
                ```shell
                true
                ```
                <!-- a remark -->
                ```shell
                true
                ```
                """);

        assertThat(page.blocks()).extracting(DocBlock::notRun).containsExactly(
                Optional.of("it needs\n     a cluster of Kubernetes"),
                Optional.empty(),
                Optional.of(""),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void statementsInTheText()
    {
        DocPage page = parse("""
                `SELECT 1` and `CALL system.f('a')`, but not `SELECT`, `SHOW STATS` or `SELECT … FROM t`.
                ```sql
                `SELECT 2`
                ```
                """);

        assertThat(page.inlineSql()).containsExactly("SELECT 1", "CALL system.f('a')");
    }

    @Test
    void blockThatDoesNotEnd()
    {
        assertThatThrownBy(() -> parse("```sql\nSELECT 1\n")).hasMessageContaining("page.md, line 1");
    }

    private static DocPage parse(String text)
    {
        return DocPage.parse("page.md", text.lines().toList());
    }
}
