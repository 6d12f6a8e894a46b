package io.eyrie.cache.policy;

/**
 * Remembers the hashes of what has left lately, about as many as there is room for; takes another hash for one of them about once in
 * 8,000 times. Two bytes each. Not thread-safe.
 */
final class Ghosts
{
    /*
     * Sets        Of eight 16-bit fingerprints, the newest first; a new one pushes out the oldest of its set.
     *             0 stands for none and is no fingerprint.
     */
    private static final int WAYS = 8;

    private short[] fingerprints = new short[WAYS];

    /** Makes room for about so many, an eighth fewer at least. Forgets everything when the room grows. */
    void grow(int count)
    {
        if (count > fingerprints.length + (fingerprints.length >>> 3)) {
            fingerprints = new short[(count + WAYS - 1) & -WAYS];
        }
    }

    void add(long hash)
    {
        long mixed = Hashes.mix(hash);
        int set = set(mixed);
        System.arraycopy(fingerprints, set, fingerprints, set + 1, WAYS - 1);
        fingerprints[set] = fingerprint(mixed);
    }

    /** Whether a hash is remembered; then it is forgotten. */
    boolean remove(long hash)
    {
        long mixed = Hashes.mix(hash);
        int set = set(mixed);
        short fingerprint = fingerprint(mixed);
        for (int i = set; i < set + WAYS; i++) {
            if (fingerprints[i] == fingerprint) {
                System.arraycopy(fingerprints, i + 1, fingerprints, i, set + WAYS - 1 - i);
                fingerprints[set + WAYS - 1] = 0;
                return true;
            }
        }
        return false;
    }

    long memoryBytes()
    {
        return (long) fingerprints.length * Short.BYTES;
    }

    private int set(long mixed)
    {
        long sets = fingerprints.length / WAYS;
        return (int) (((mixed >>> 32) * sets) >>> 32) * WAYS;
    }

    private static short fingerprint(long mixed)
    {
        short fingerprint = (short) mixed;
        return fingerprint == 0 ? 1 : fingerprint;
    }
}
