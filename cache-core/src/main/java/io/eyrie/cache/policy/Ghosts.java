package io.eyrie.cache.policy;

/**
 * Remembers the hashes of what has left lately, about as many as there is room for; takes another hash for one of them about once in
 * 8,000 times. Two bytes each. Not thread-safe.
 */
final class Ghosts
{
    /*
     * Sets        Of eight 16-bit fingerprints, the newest first; a new one pushes out the oldest of its set.
     *             0 stands for none and is no fingerprint. In chunks: a collector rounds large arrays up
     */
    private static final int WAYS = 8;
    private static final int CHUNK_SETS_BITS = 10;
    private static final int CHUNK_SETS = 1 << CHUNK_SETS_BITS;

    private short[][] chunks = {new short[WAYS]};
    private int sets = 1;

    /** Makes room for about so many, an eighth fewer at least. Forgets everything when the room grows. */
    void grow(int count)
    {
        if (count > sets * (WAYS + 1)) {
            sets = (count + WAYS - 1) / WAYS;
            chunks = new short[(sets + CHUNK_SETS - 1) / CHUNK_SETS][];
            for (int i = 0; i < chunks.length; i++) {
                chunks[i] = new short[Math.min(CHUNK_SETS, sets - i * CHUNK_SETS) * WAYS];
            }
        }
    }

    void add(long hash)
    {
        long mixed = Hashes.mix(hash);
        int set = set(mixed);
        short[] chunk = chunks[set >>> CHUNK_SETS_BITS];
        int first = first(set);
        System.arraycopy(chunk, first, chunk, first + 1, WAYS - 1);
        chunk[first] = fingerprint(mixed);
    }

    /** Whether a hash is remembered; then it is forgotten. */
    boolean remove(long hash)
    {
        long mixed = Hashes.mix(hash);
        int set = set(mixed);
        short[] chunk = chunks[set >>> CHUNK_SETS_BITS];
        short fingerprint = fingerprint(mixed);
        int first = first(set);
        for (int i = first; i < first + WAYS; i++) {
            if (chunk[i] == fingerprint) {
                System.arraycopy(chunk, i + 1, chunk, i, first + WAYS - 1 - i);
                chunk[first + WAYS - 1] = 0;
                return true;
            }
        }
        return false;
    }

    long memoryBytes()
    {
        return (long) sets * WAYS * Short.BYTES;
    }

    private int set(long mixed)
    {
        return (int) (((mixed >>> 32) * sets) >>> 32);
    }

    private static int first(int set)
    {
        return (set & CHUNK_SETS - 1) * WAYS;
    }

    private static short fingerprint(long mixed)
    {
        short fingerprint = (short) mixed;
        return fingerprint == 0 ? 1 : fingerprint;
    }
}
