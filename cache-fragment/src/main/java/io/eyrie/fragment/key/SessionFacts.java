// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.function.SqlFunctionProperties;

/**
 * The session properties that functions read. Left out are the start time and the user, whose functions are constants in a plan, and the extra
 * credentials, which no function reads.
 */
public final class SessionFacts
{
    private SessionFacts()
    {}

    /** Writes the properties for {@link KeyPart#SESSION}. */
    @SuppressWarnings("deprecation") // functions still read the legacy timestamp setting
    public static void write(SqlFunctionProperties properties, IdentityWriter writer)
    {
        writer.number(properties.isParseDecimalLiteralAsDouble() ? 1 : 0)
                .number(properties.isLegacyRowFieldOrdinalAccessEnabled() ? 1 : 0)
                .text(properties.getTimeZoneKey().getId())
                .number(properties.isLegacyTimestamp() ? 1 : 0)
                .number(properties.isLegacyMapSubscript() ? 1 : 0)
                .text(properties.getSessionLocale().toLanguageTag())
                .number(properties.isFieldNamesInJsonCastEnabled() ? 1 : 0)
                .number(properties.isLegacyJsonCast() ? 1 : 0)
                .number(properties.isCanonicalizedJsonExtract() ? 1 : 0);
    }
}
