// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes in the notation of Presto's configuration: {@code 100GB}, in powers of 1024. */
public record DataSize(long bytes)
{
    private static final Pattern TEXT = Pattern.compile("\\s*([0-9]{1,18}(?:\\.[0-9]{1,9})?)\\s*([kMGTP]?)B\\s*", Pattern.CASE_INSENSITIVE);
    private static final String UNITS = "kMGTP";
    private static final int UNIT = 1024;

    /** Parses the value of an option. */
    public static final class Converter
            implements ITypeConverter<DataSize>
    {
        @Override
        public DataSize convert(String value)
        {
            try {
                return parse(value);
            }
            catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    public static DataSize parse(String text)
    {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a size is a number and a unit, such as 100GB, not " + text);
        }
        int power = UNITS.toLowerCase(Locale.ROOT).indexOf(matcher.group(2).toLowerCase(Locale.ROOT)) + (matcher.group(2).isEmpty() ? 0 : 1);
        BigDecimal bytes = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(UNIT).pow(power));
        if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("the size is too large: " + text);
        }
        return new DataSize(bytes.longValue());
    }

    /** Formats a number of bytes in the largest unit that leaves a number of 1 or more. */
    public static String text(long bytes)
    {
        double value = bytes;
        int power = 0;
        while (Math.abs(value) >= UNIT && power < UNITS.length()) {
            value /= UNIT;
            power++;
        }
        String number = String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f" : "%.2f", value);
        return number + (power == 0 ? "" : UNITS.substring(power - 1, power)) + "B";
    }

    @Override
    public String toString()
    {
        return text(bytes);
    }
}
