// SPDX-License-Identifier: Apache-2.0
package io.eyrie.affinity.placement;

import org.junit.jupiter.api.Test;

import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SectionKeysTest
{
    private static final long MIB = 1 << 20;
    private final SectionKeys keys = new SectionKeys(SectionKeys.DEFAULT_SECTION_SIZE_BYTES);

    @Test
    void aFileOfOneSectionIsDivided()
    {
        long whole = keys.key("s3://b/f", 256 * MIB, 0);
        assertThat(keys.key("s3://b/f", 256 * MIB, 255 * MIB)).isEqualTo(whole);
        assertThat(keys.key("s3://b/f", 10 * MIB, 5 * MIB)).isEqualTo(whole);
        assertThat(keys.key("s3://b/g", 256 * MIB, 0)).isNotEqualTo(whole);
    }

    @Test
    void sectionsOfALargeFileShareAKey()
    {
        long first = keys.key("s3://b/f", 600 * MIB, 0);
        long second = keys.key("s3://b/f", 600 * MIB, 256 * MIB);
        long third = keys.key("s3://b/f", 600 * MIB, 512 * MIB);
        assertThat(Set.of(first, second, third)).hasSize(3);
        assertThat(keys.key("s3://b/f", 600 * MIB, 256 * MIB - 1)).isEqualTo(first);
        assertThat(keys.key("s3://b/f", 600 * MIB, 511 * MIB)).isEqualTo(second);
    }

    @Test
    void aSectionOfNothing()
    {
        assertThatThrownBy(() -> new SectionKeys(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
