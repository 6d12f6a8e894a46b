// SPDX-License-Identifier: Apache-2.0
package org.apache.hudi.common.table;

/** Refuses a Hudi table: the connector calls this class first. */
public final class HoodieTableMetaClient
{
    private HoodieTableMetaClient()
    {}

    /** What the refused call would return. */
    public static final class Builder
    {
        private Builder()
        {}
    }

    /**
     * Refuses the table.
     *
     * @throws UnsupportedOperationException naming the jar to add
     */
    @SuppressWarnings("DoNotCallSuggester") // the caller is compiled for Hudi's own class
    public static Builder builder()
    {
        throw new UnsupportedOperationException(
                "Hudi tables need Hudi's classes, which the plugin's folder does not contain. To fix: on every node, replace"
                        + " eyrie-hudi-absent-*.jar in Eyrie's folder by hudi-presto-bundle-0.14.0.jar from Presto's hive-hadoop2 folder, and restart.");
    }
}
