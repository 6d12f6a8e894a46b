// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.console;

import io.airlift.units.DataSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a size in the notation of Presto's configuration, such as {@code 100GB}, to bytes. */
public final class DataSizeConverter
        implements ITypeConverter<Long>
{
    @Override
    public Long convert(String value)
    {
        try {
            return DataSize.valueOf(value).toBytes();
        }
        catch (IllegalArgumentException e) {
            throw new TypeConversionException("a size is a number and a unit, such as 100GB, not " + value);
        }
        catch (IllegalStateException e) {
            throw new TypeConversionException("the size is too large: " + value);
        }
    }
}
