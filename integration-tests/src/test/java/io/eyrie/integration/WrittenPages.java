// SPDX-License-Identifier: Apache-2.0
package io.eyrie.integration;

import io.eyrie.testing.client.PrestoClient;

import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** Waits for pages, which reach the disks shortly after the query that read them. */
final class WrittenPages
{
    private WrittenPages()
    {}

    /** Returns when a node has pages of each file of a table on its disks. */
    static void await(PrestoClient client, String table)
    {
        await(client, table, "");
    }

    /** @param directory a part of the files' paths */
    static void await(PrestoClient client, String table, String directory)
    {
        String least = "SELECT coalesce(min(cached), 0) FROM (SELECT max(cached_bytes) AS cached FROM cache.files WHERE table_name = '" + table
                + "' AND path LIKE '%" + directory + "%' GROUP BY path)";
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        long bytes = bytes(client, least);
        while (bytes == 0 && System.nanoTime() < end) {
            client.execute("SELECT 1");
            bytes = bytes(client, least);
        }
        assertThat(bytes).as("least bytes of a file on the disks").isPositive();
    }

    private static long bytes(PrestoClient client, String sql)
    {
        return ((Number) client.execute(sql).onlyValue()).longValue();
    }
}
