package io.eyrie.presto.fragment;

import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.google.inject.Inject;
import io.eyrie.cache.page.PageCache;
import io.eyrie.fragment.leaf.RefusalCounters;
import io.eyrie.fragment.result.FragmentResults;
import io.eyrie.fragment.result.ResultFormat;
import io.eyrie.presto.config.FragmentConfig;

import java.util.Optional;

/** What runs leaves and keeps their results in one catalog, where it is turned on and possible. */
public final class FragmentParts
{
    private final Optional<LeafEngine> engine;
    private final Optional<FragmentResults> results;
    private final RefusalCounters refusals = new RefusalCounters();

    @Inject
    public FragmentParts(FragmentConfig config, Optional<PageCache> cache, FunctionMetadataManager functions, BlockEncodingSerde blocks)
    {
        this.results = config.isEnabled()
                ? cache.flatMap(PageCache::blobs).map(blobs -> new FragmentResults(blobs, new ResultFormat(blocks, config.isCompressed()), config
                        .limits(), System::nanoTime))
                : Optional.empty();
        this.engine = results.flatMap(kept -> LeafEngine.load(functions));
    }

    Optional<LeafEngine> engine()
    {
        return engine;
    }

    Optional<FragmentResults> results()
    {
        return results;
    }

    RefusalCounters refusals()
    {
        return refusals;
    }
}
