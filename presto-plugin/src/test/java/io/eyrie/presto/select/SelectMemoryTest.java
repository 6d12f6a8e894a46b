// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.select;

import org.junit.jupiter.api.Test;

import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

class SelectMemoryTest
{
    private final SelectMemory.Shape shape = new SelectMemory.Shape("lake", "schema.table", Set.of());
    private long nanos;
    private final SelectMemory memory = new SelectMemory(() -> nanos);

    @Test
    void refusalThatIsNeverForgotten()
    {
        memory.refused(shape);
        nanos += TimeUnit.MINUTES.toNanos(9);
        assertThat(memory.wasRefused(shape)).isTrue();
        nanos += TimeUnit.MINUTES.toNanos(2);
        assertThat(memory.wasRefused(shape)).isFalse();
    }

    @Test
    void refusalOfAnotherTable()
    {
        memory.refused(shape);
        assertThat(memory.wasRefused(new SelectMemory.Shape("lake", "schema.other", Set.of()))).isFalse();
    }

    @Test
    void otherVersionOfAFileThatWasSelectedFrom()
    {
        memory.selected(new SelectMemory.File("s3://lake/a", "1"));
        assertThat(memory.wasSelected(new SelectMemory.File("s3://lake/a", "1"))).isTrue();
        assertThat(memory.wasSelected(new SelectMemory.File("s3://lake/a", "2"))).isFalse();
    }
}
