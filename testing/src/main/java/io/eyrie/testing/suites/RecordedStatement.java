// SPDX-License-Identifier: Apache-2.0
package io.eyrie.testing.suites;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * A statement that a method of a suite sent.
 *
 * @param suite the simple name of the class that declares the method
 * @param session the session properties
 * @param prepared the prepared statements of the session
 * @param ordered whether the suite compares the order of rows
 * @param inTransaction whether the session is in an explicit transaction
 */
public record RecordedStatement(String suite, String method, String sql, Map<String, String> session, Map<String, String> prepared, String timeZone,
        boolean ordered,
        boolean inTransaction)
{
    private static final String SET_UP = "@BeforeClass";
    private static final String CATALOG = "recorded_catalog";
    private static final String SCHEMA = "recorded_schema";

    public RecordedStatement
    {
        session = Map.copyOf(session);
        prepared = Map.copyOf(prepared);
    }

    /** Returns whether the statement creates a table for the whole suite. */
    public boolean isSetUp()
    {
        return method.equals(SET_UP);
    }

    /** Returns {@code suite#method}. */
    public String test()
    {
        return suite + "#" + method;
    }

    /** Returns the same statement with this catalog and schema in place of the recorded ones. */
    public RecordedStatement in(String catalog, String schema)
    {
        return new RecordedStatement(suite, method, in(sql, catalog, schema), in(session, catalog, schema), in(prepared, catalog, schema), timeZone,
                ordered, inTransaction);
    }

    private static Map<String, String> in(Map<String, String> texts, String catalog, String schema)
    {
        return texts.entrySet().stream().collect(Collectors.toMap(entry -> in(entry.getKey(), catalog, schema), entry -> in(entry.getValue(), catalog,
                schema)));
    }

    private static String in(String text, String catalog, String schema)
    {
        return text.replace(CATALOG, catalog).replace(SCHEMA, schema);
    }
}
