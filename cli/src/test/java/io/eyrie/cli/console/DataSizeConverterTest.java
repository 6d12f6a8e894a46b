// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DataSizeConverterTest
{
    private final DataSizeConverter converter = new DataSizeConverter();

    @ParameterizedTest
    @CsvSource({"0B,0", "512B,512", "1kB,1024", "1.5MB,1572864", "100GB,107374182400", "2 TB,2199023255552", "1PB,1125899906842624"})
    void sizesAsPrestoReadsThem(String text, long bytes)
    {
        assertThat(converter.convert(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "100", "GB", "-1GB", "1e3GB", "1XB", "1.GB", "1gb"})
    void noSize(String text)
    {
        assertThatExceptionOfType(TypeConversionException.class).isThrownBy(() -> converter.convert(text)).withMessageContaining("100GB");
    }

    @Test
    void moreThanThereIs()
    {
        assertThatExceptionOfType(TypeConversionException.class).isThrownBy(() -> converter.convert("999999999PB")).withMessageContaining(
                "too large");
    }

    @ParameterizedTest
    @CsvSource({"0,0B", "1023,1023B", "1024,1kB", "1572864,1.50MB", "107374182400,100GB", "1125899906842624,1PB"})
    void text(long bytes, String text)
    {
        assertThat(Words.size(bytes)).isEqualTo(text);
    }
}
