// SPDX-License-Identifier: Apache-2.0
package io.eyrie.metastore.files;

import com.facebook.presto.hive.HiveFileInfo;

import java.util.Iterator;

/** Lists a directory that a query looks up in {@link FileLists}. */
@FunctionalInterface
public interface Listing
{
    /** Why the list of a directory was not cached. */
    enum ListRefusal
    {
        /** The newest file is too young, or there are no files. */
        OPEN,
        /** The version of the directory changed, or lists were dropped, during the listing. */
        CHANGED,
        /** No version can be validated for the query. */
        NOT_VALIDATED,
        /** The lists that were being read took all the memory that they may. */
        NO_MEMORY,
    }

    /** Lists the directory. Called at most once. */
    Iterator<HiveFileInfo> list();

    /** Called if the list is not cached although its directory may be sealed. */
    default void refused(ListRefusal refusal)
    {}
}
