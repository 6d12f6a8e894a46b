// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

import io.eyrie.cache.config.DefaultQuota;
import io.eyrie.cache.file.Scope;
import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import static java.util.Objects.requireNonNull;

/**
 * The scopes of pages, by number, with the bytes that each uses, and the quotas over them. Accessed under the lock of the {@link PageTable}, except
 * for {@link #isDead} and {@link #isOfRecords}, which any thread may call.
 */
final class Scopes
{
    /*
     * Invalidation   An invalidated scope's number is dead forever: its pages are no longer found, at once; a page that is added later gets another
     *                number. The number is reused when its last page has been removed.
     * Twice          A journal that begins before the snapshot that it follows may temporarily restore a number that had died, so that a scope has
     *                two numbers, of which live knows one at most
     * Default        A scope of the default quota's level has a quota as long as it has pages, unless it has an explicit quota, or the number of
     *                default quotas is at its limit
     * Groups         Pages that the same quotas bind are evicted from one group; a pin binds like a quota without a limit
     */
    static final int NONE = -1;
    static final int MAX_SCOPES = 1 << 22;
    /** Approximate memory that a scope takes, not including its names. */
    static final int BYTES_PER_SCOPE = 256;

    /** Each is a group for eviction, and all groups are examined for each evicted page. */
    private static final int MAX_DEFAULTS = 4096;

    private final Map<Scope, NumberedScope> live = new HashMap<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final Map<Scope, ScopeQuota> quotas = new HashMap<>();
    private final Map<Scope, ScopeQuota> defaults = new HashMap<>();
    private final Supplier<Optional<DefaultQuota>> defaultQuota;
    // binds the pinned pages together, without a limit
    private final ScopeQuota pin = new ScopeQuota(Scope.NONE, Long.MAX_VALUE, true);
    private Set<Scope> pins = Set.of();
    private volatile @Nullable NumberedScope[] numbered = {};
    private int used;
    private int withPages;

    /** A limit on the bytes of all scopes within one. */
    static final class ScopeQuota
    {
        private final Scope scope;
        private long limitBytes;
        private final boolean pin;
        private long usedBytes;

        ScopeQuota(Scope scope, long limitBytes)
        {
            this(scope, limitBytes, false);
        }

        private ScopeQuota(Scope scope, long limitBytes, boolean pin)
        {
            this.scope = scope;
            this.limitBytes = limitBytes;
            this.pin = pin;
        }

        boolean hasRoom(long bytes)
        {
            return usedBytes + bytes <= limitBytes;
        }
    }

    /** A scope and its number. */
    static final class NumberedScope
    {
        private final int id;
        private final Scope scope;
        private volatile boolean dead;
        private long bytes;
        private int pages;
        private List<ScopeQuota> quotas;

        NumberedScope(int id, Scope scope, List<ScopeQuota> quotas)
        {
            this.id = id;
            this.scope = scope;
            this.quotas = quotas;
        }

        /** Also without the lock. */
        int id()
        {
            return id;
        }

        /** Also without the lock. */
        Scope scope()
        {
            return scope;
        }
    }

    /** @param defaultQuota returns the current one */
    Scopes(Supplier<Optional<DefaultQuota>> defaultQuota)
    {
        this.defaultQuota = defaultQuota;
    }

    /** Whether the pages of a number must no longer be found. Without a lock. */
    boolean isDead(int id)
    {
        @Nullable
        NumberedScope[] all = numbered;
        NumberedScope scope = id < all.length ? all[id] : null;
        return scope == null || scope.dead;
    }

    /** Whether a number is that of {@link Scope#RECORDS}. Without a lock. */
    boolean isOfRecords(int id)
    {
        @Nullable
        NumberedScope[] all = numbered;
        NumberedScope scope = id < all.length ? all[id] : null;
        return scope != null && scope.scope.equals(Scope.RECORDS);
    }

    /** Returns the number of a scope; {@link #NONE} if it has none. */
    int find(Scope scope)
    {
        NumberedScope found = live.get(scope);
        return found == null ? NONE : found.id;
    }

    /** Assigns a number to a scope. */
    int add(Scope scope)
    {
        Integer reused = free.pollFirst();
        int id = reused == null ? used : reused;
        restore(id, scope);
        return id;
    }

    /** Assigns to a scope its earlier number, which from now on belongs only to this scope. */
    void restore(int id, Scope scope)
    {
        if (id >= numbered.length) {
            numbered = Arrays.copyOf(numbered, Math.max(id + 1, numbered.length * 2));
        }
        NumberedScope before = numbered[id];
        if (before != null) {
            live.remove(before.scope, before);
        }
        NumberedScope added = new NumberedScope(id, scope, binding(scope));
        numbered[id] = added;
        // readers see it with the next volatile write, and do not need it before
        live.put(scope, added);
        used = Math.max(used, id + 1);
    }

    /** Completes the calls of {@link #restore}: frees the numbers that no page has. */
    void freeUnused()
    {
        free.clear();
        for (int id = 0; id < used; id++) {
            NumberedScope scope = numbered[id];
            if (scope == null) {
                free.add(id);
            }
            else {
                boolean unused = releaseIfUnused(id);
            }
        }
    }

    private NumberedScope get(int id)
    {
        return requireNonNull(numbered[id], "no such scope");
    }

    boolean isKnown(int id)
    {
        return id >= 0 && id < used && numbered[id] != null;
    }

    Scope scope(int id)
    {
        return get(id).scope;
    }

    List<ScopeQuota> quotas(int id)
    {
        return get(id).quotas;
    }

    void pageAdded(int id, long bytes)
    {
        NumberedScope scope = get(id);
        withPages += scope.pages == 0 ? 1 : 0;
        scope.pages++;
        account(scope, bytes);
    }

    /** Like {@link #pageRemoved}, but the scope retains its number in any case. */
    void pageLost(int id, long bytes)
    {
        NumberedScope scope = get(id);
        scope.pages--;
        withPages -= scope.pages == 0 ? 1 : 0;
        account(scope, -bytes);
    }

    boolean hasPages(int id)
    {
        return get(id).pages > 0;
    }

    /** Removes a page from a scope; returns whether the number is now free. */
    boolean pageRemoved(int id, long bytes)
    {
        pageLost(id, bytes);
        return releaseIfUnused(id);
    }

    private boolean releaseIfUnused(int id)
    {
        NumberedScope scope = get(id);
        if (scope.pages > 0) {
            return false;
        }
        live.remove(scope.scope, scope);
        numbered[id] = null;
        free.add(id);
        for (ScopeQuota quota : scope.quotas) {
            if (quota.usedBytes == 0) {
                defaults.remove(quota.scope, quota);
            }
        }
        return true;
    }

    private static void account(NumberedScope scope, long bytes)
    {
        scope.bytes += bytes;
        for (ScopeQuota quota : scope.quotas) {
            quota.usedBytes += bytes;
        }
    }

    /** Makes a scope and all scopes within it dead; returns their numbers. */
    List<Integer> invalidate(Scope within)
    {
        List<NumberedScope> dying = Arrays.stream(numbered)
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .filter(scope -> !scope.dead && within.contains(scope.scope))
                .toList();
        dying.forEach(this::kill);
        return dying.stream().map(scope -> scope.id).toList();
    }

    void kill(int id)
    {
        kill(get(id));
    }

    private void kill(NumberedScope scope)
    {
        scope.dead = true;
        live.remove(scope.scope, scope);
    }

    /** Replaces all quotas. */
    void setQuotas(Map<Scope, Long> limits)
    {
        quotas.clear();
        defaults.clear();
        pin.usedBytes = 0;
        limits.forEach((scope, limit) -> quotas.put(scope, new ScopeQuota(scope, limit)));
        for (NumberedScope scope : numbered) {
            if (scope != null) {
                scope.quotas = binding(scope.scope);
                scope.quotas.forEach(quota -> quota.usedBytes += scope.bytes);
            }
        }
    }

    /** Replaces all pins. */
    void setPins(Set<Scope> newPins)
    {
        pins = newPins;
        Map<Scope, Long> limits = new HashMap<>();
        quotas.forEach((scope, quota) -> limits.put(scope, quota.limitBytes));
        setQuotas(limits);
    }

    /** Whether the pages of a number are pinned: they are not evicted to make room for others. */
    boolean isPinned(int id)
    {
        return isPinned(get(id).quotas);
    }

    /** Whether the pages that these quotas bind are pinned. */
    static boolean isPinned(List<ScopeQuota> quotas)
    {
        for (ScopeQuota quota : quotas) {
            if (quota.pin) {
                return true;
            }
        }
        return false;
    }

    private List<ScopeQuota> binding(Scope scope)
    {
        Stream<ScopeQuota> own = quotas.values().stream().filter(quota -> quota.scope.contains(scope));
        Stream<ScopeQuota> named = pins.stream().anyMatch(pinned -> pinned.contains(scope)) ? Stream.concat(Stream.of(pin), own) : own;
        return Stream.concat(named, defaultQuota.get().flatMap(quota -> byDefault(quota.scopeOf(scope), quota.bytes())).stream()).toList();
    }

    private Optional<ScopeQuota> byDefault(Scope scope, long bytes)
    {
        return quotas.containsKey(scope) || (defaults.size() >= MAX_DEFAULTS && !defaults.containsKey(scope))
                ? Optional.empty()
                : Optional.of(defaults.computeIfAbsent(scope, of -> new ScopeQuota(of, bytes)));
    }

    /** Returns a quota that is exceeded; null if there is none. */
    @Nullable
    ScopeQuota exceeded()
    {
        return Stream.concat(quotas.values().stream(), defaults.values().stream()).filter(quota -> !quota.hasRoom(0)).findFirst().orElse(null);
    }

    /** Returns the scopes that are not dead, in the order of their numbers. */
    List<NumberedScope> alive()
    {
        return Arrays.stream(numbered).filter(Objects::nonNull).map(Objects::requireNonNull).filter(scope -> !scope.dead).toList();
    }

    /** The number of scopes that have pages. While a journal is replayed, others exist before their pages. */
    int size()
    {
        return withPages;
    }
}
