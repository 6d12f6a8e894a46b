package io.eyrie.fragment.key;

import com.facebook.presto.common.function.SqlFunctionProperties;

/** What functions may ask of a session, less the time at which it began: who asks for that gets a constant in the plan. */
public final class SessionFacts
{
    private SessionFacts()
    {}

    /** Writes it, for {@link KeyPart#SESSION}. */
    @SuppressWarnings("deprecation") // functions still ask for legacy timestamps
    public static void write(SqlFunctionProperties properties, IdentityWriter writer)
    {
        writer.number(properties.isParseDecimalLiteralAsDouble() ? 1 : 0)
                .number(properties.isLegacyRowFieldOrdinalAccessEnabled() ? 1 : 0)
                .text(properties.getTimeZoneKey().getId())
                .number(properties.isLegacyTimestamp() ? 1 : 0)
                .number(properties.isLegacyMapSubscript() ? 1 : 0)
                .text(properties.getSessionLocale().toLanguageTag())
                .text(properties.getSessionUser())
                .map(properties.getExtraCredentials())
                .number(properties.isFieldNamesInJsonCastEnabled() ? 1 : 0)
                .number(properties.isLegacyJsonCast() ? 1 : 0)
                .number(properties.isCanonicalizedJsonExtract() ? 1 : 0);
    }
}
