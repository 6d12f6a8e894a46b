// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.config;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class SettingTextTest
{
    @ParameterizedTest
    @CsvSource({
            "capacityBytes, 1717986918400, 1600GB",
            "capacityBytes, 2147483648, 2GB",
            "capacityBytes, 1234567, 1234567B",
            "minFreeSpaceBytes, 0, 0B",
            "ttlMillis, 0, 0ms",
            "ttlMillis, 172800000, 2d",
            "diskTimeoutMillis, 2000, 2s",
            "diskTimeoutMillis, 1500, 1500ms",
            "fetchThreads, 64, 64",
            "encryptionKey, Optional.empty, not set",
            "encryptionKey, Optional[file:/k], file:/k",
            "evictionPolicy, LRU, LRU"})
    void rawValue(String key, String value, String text)
    {
        assertThat(SettingText.of(key, value)).isEqualTo(text);
    }
}
