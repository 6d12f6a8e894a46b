// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

import io.eyrie.cache.config.PageCacheConfig;
import io.eyrie.presto.config.CacheEngine;
import io.eyrie.presto.config.CatalogFile;
import io.eyrie.presto.config.EyrieAdmissionConfig;
import io.eyrie.presto.config.EyrieCacheConfig;
import io.eyrie.presto.config.FragmentConfig;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import static io.airlift.units.DataSize.succinctBytes;

/** Checks for properties that are each valid but contradict each other. */
final class ContradictionChecks
{
    private static final long LEAST_TTL_MILLIS = 60_000;
    private static final long LEAST_DISK_TIMEOUT_MILLIS = 100;
    private static final String RESULT_BYTES = "fragment-result-cache.max-single-pages-size";
    private static final List<String> ENCRYPTION = List.of("cache.encryption-key-file", "cache.encryption-key-variable");

    private final CatalogFile catalog;
    private final List<Finding> findings = new ArrayList<>();

    private ContradictionChecks(CatalogFile catalog)
    {
        this.catalog = catalog;
    }

    static List<Finding> of(CatalogFile catalog)
    {
        ContradictionChecks checks = new ContradictionChecks(catalog);
        IdleLine.of(catalog).forEach(idle -> checks.warning(idle.property(), idle.reason(), idle.fix()));
        checks.grace();
        PropertyChecks.parsed(catalog, read -> read.config(EyrieCacheConfig.class)).filter(EyrieCacheConfig::isEnabled).ifPresent(cache -> {
            checks.affinity();
            PropertyChecks.parsed(catalog, ignored -> cache.engine()).ifPresent(engine -> {
                if (engine == CacheEngine.ALLUXIO_CLIENT) {
                    checks.alluxiosClient();
                }
                else {
                    PropertyChecks.pageCache(catalog).ifPresent(checks::ownEngine);
                }
            });
        });
        return checks.findings;
    }

    private void warning(String key, String problem, String fix)
    {
        findings.add(Finding.warning(key, catalog.value(key).orElse("not set"), problem, fix));
    }

    private void grace()
    {
        long ttlMillis = catalog.millis(IdleLine.METASTORE_TTL);
        if (ttlMillis > 0 && catalog.millis("cache.metastore.grace") > ttlMillis) {
            warning("cache.metastore.grace", "metadata is cached no longer than " + IdleLine.METASTORE_TTL + ", "
                    + catalog.value(IdleLine.METASTORE_TTL).orElse(""), "lower it, or raise the other");
        }
    }

    private void affinity()
    {
        String strategy = catalog.value("hive.node-selection-strategy").orElse("SOFT_AFFINITY").toUpperCase(Locale.ROOT);
        if (strategy.equals("NO_PREFERENCE")) {
            warning("hive.node-selection-strategy", "affinity is off while the cache is on: every worker fetches and caches its own copy of a file",
                    "remove the line; with the cache on, SOFT_AFFINITY is the default");
        }
        else if (strategy.equals("HARD_AFFINITY")) {
            warning("hive.node-selection-strategy",
                    "Eyrie chooses the workers of splits only under SOFT_AFFINITY; under HARD_AFFINITY an absent or busy worker delays its splits",
                    "remove the line; with the cache on, SOFT_AFFINITY is the default");
        }
    }

    private void alluxiosClient()
    {
        IdleLine.set(catalog, ENCRYPTION).forEach(property -> findings.add(Finding.error(property, catalog.value(property).orElse(""),
                "Alluxio's client (cache.type=ALLUXIO_CLIENT) does not encrypt: cached data is stored in plaintext", "set cache.type=EYRIE")));
    }

    private void ownEngine(PageCacheConfig pages)
    {
        sizes(pages);
        admission(pages);
        if (pages.ttlMillis() > 0 && pages.ttlMillis() < LEAST_TTL_MILLIS) {
            warning("cache.ttl", "pages may expire before another query reads them",
                    "set 0s to cache pages until they are evicted; a changed file gets new pages in any case");
        }
        if (pages.diskTimeoutMillis() < LEAST_DISK_TIMEOUT_MILLIS) {
            warning("cache.disk-timeout", "reads bypass a disk that is only busy, and it is taken out of service after ten times as long",
                    "use the default of 2s");
        }
        if (pages.encryptionKey().isEmpty() && !pages.previousEncryptionKeys().isEmpty()) {
            warning("cache.previous-encryption-keys", "there is no current key: nothing is encrypted, and data that was encrypted is dropped",
                    "set cache.encryption-key-file or cache.encryption-key-variable");
        }
    }

    private void sizes(PageCacheConfig pages)
    {
        if (pages.writeBufferBytes() > pages.capacityBytes()) {
            warning("cache.write-buffer", "it exceeds the disk space of the cache, cache.max-cache-size=" + succinctBytes(pages
                    .capacityBytes()), "lower it, or raise cache.max-cache-size");
        }
        PropertyChecks.parsed(catalog, read -> read.config(FragmentConfig.class)).filter(FragmentConfig::isEnabled).ifPresent(fragments -> {
            if (catalog.value(RESULT_BYTES).isPresent() && fragments.getMaxSinglePagesSize().toBytes() > pages.maxBlobBytes()) {
                warning(RESULT_BYTES, "results larger than " + succinctBytes(pages.maxBlobBytes())
                        + ", the smaller of 64MB and a quarter of cache.write-buffer, are not cached", "lower it, or raise cache.write-buffer");
            }
        });
        pages.quotas().ifPresent(quotas -> quotas.forEach((scope, bytes) -> {
            if (bytes > pages.capacityBytes()) {
                findings.add(Finding.warning("cache.quotas", scope + "=" + succinctBytes(bytes), "it exceeds cache.max-cache-size, "
                        + succinctBytes(pages.capacityBytes()) + ", and so has no effect", "lower it"));
            }
        }));
        pages.defaultQuota().filter(quota -> quota.bytes() > pages.capacityBytes()).ifPresent(quota -> warning("cache.default-cache-quota",
                "it exceeds cache.max-cache-size, " + succinctBytes(pages.capacityBytes()) + ", and so has no effect", "lower it"));
        if (pages.defaultQuota().isEmpty() && catalog.value("cache.cache-quota-scope").isPresent()) {
            warning("cache.cache-quota-scope", "it has no effect, because cache.default-cache-quota, the size of the quota, is not set",
                    "set cache.default-cache-quota, or remove the line");
        }
    }

    private void admission(PageCacheConfig pages)
    {
        Set<String> both = new HashSet<>(pages.admission().allow().stream().map(Object::toString).toList());
        both.retainAll(pages.admission().deny().stream().map(Object::toString).toList());
        both.forEach(pattern -> findings.add(Finding.warning("cache.admission.deny", pattern,
                "cache.admission.allow also has it; deny takes precedence",
                "keep one of the two")));
        if (pages.admission().dryRun() && !IdleLine.anyAdmission(catalog)) {
            warning("cache.admission.dry-run", "there is no rule to test: no other property of cache.admission is set", "remove the line");
        }
        PropertyChecks.parsed(catalog, read -> read.config(EyrieAdmissionConfig.class)).ifPresent(admission -> {
            long daily = pages.admission().dailyWriteBytes().orElse(Long.MAX_VALUE);
            if (admission.queryWriteBytes().orElse(0) > daily) {
                warning("cache.admission.query-write-budget", "it exceeds the daily budget of all queries, "
                        + succinctBytes(daily), "lower it, or raise cache.admission.daily-write-budget");
            }
        });
    }
}
