// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

import static org.assertj.core.api.Assertions.assertThat;

final class MixTest
{
    @Property
    void unmixedIsWhatWasMixed(@ForAll long value)
    {
        assertThat(Mix.unmix(Mix.mix(value))).isEqualTo(value);
        assertThat(Mix.mix(Mix.unmix(value))).isEqualTo(value);
    }
}
