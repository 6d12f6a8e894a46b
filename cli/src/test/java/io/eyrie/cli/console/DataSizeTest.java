// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DataSizeTest
{
    @ParameterizedTest
    @CsvSource({"0B,0", "512B,512", "1kB,1024", "1.5MB,1572864", "100GB,107374182400", "2 TB,2199023255552", "1pb,1125899906842624"})
    void sizesAsPrestoReadsThem(String text, long bytes)
    {
        assertThat(DataSize.parse(text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "100", "GB", "-1GB", "1e3GB", "1XB", "1.GB"})
    void noSize(String text)
    {
        assertThatIllegalArgumentException().isThrownBy(() -> DataSize.parse(text)).withMessageContaining("100GB");
    }

    @Test
    void moreThanThereIs()
    {
        assertThatIllegalArgumentException().isThrownBy(() -> DataSize.parse("999999999PB"));
    }

    @ParameterizedTest
    @CsvSource({"0,0B", "1023,1023B", "1024,1kB", "1572864,1.50MB", "107374182400,100GB", "-2048,-2kB"})
    void text(long bytes, String text)
    {
        assertThat(DataSize.text(bytes)).isEqualTo(text);
    }
}
