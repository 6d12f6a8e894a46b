// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore;

import io.eyrie.cache.mutation.FieldMutations;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which fields of a query's context determine the reader whose view an answer is. */
final class MetastoreViewTest
{
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyFieldTells(boolean impersonation)
    {
        FieldMutations mutations = new FieldMutations()
                .excusing("MetastoreContext.queryId", "a query's own name")
                .excusing("MetastoreContext.clientInfo", "for people")
                .excusing("MetastoreContext.clientTags", "for people")
                .excusing("MetastoreContext.source", "for people")
                .excusing("MetastoreContext.impersonationEnabled", "a setting of the catalog, as the reader is given it")
                .excusing("MetastoreContext.metastoreHeaders", "no client of metastores in presto-hive 0.294 sends them")
                .excusing("MetastoreContext.columnConverterProvider", "the catalog's only one")
                .excusing("MetastoreContext.columnConverter", "made by the provider, for userDefinedTypeEncodingEnabled")
                .excusing("MetastoreContext.warningCollector", "takes what the query is warned of")
                .excusing("MetastoreContext.runtimeStats", "takes what the query counts");
        if (!impersonation) {
            mutations.excusing("MetastoreContext.username", "the metastore is asked as the server's own user");
        }
        mutations.assertEachTells(Contexts.newQuery("alice"), context -> Answers.reader(context, impersonation));
    }
}
