package io.eyrie.fragment.result;

import com.facebook.presto.common.Page;

import java.util.List;

/**
 * A result with the columns that were asked for, in the order in which they were.
 *
 * @param cost what it took to compute
 * @param storedBytes its length in the store
 */
public record StoredResult(List<Page> pages, Cost cost, long storedBytes)
{
    public StoredResult
    {
        pages = List.copyOf(pages);
    }
}
