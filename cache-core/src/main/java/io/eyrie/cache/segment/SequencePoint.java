package io.eyrie.cache.segment;

/** A named place in the code at which a test can hold a thread up. */
interface SequencePoint
{
    SequencePoint NONE = name -> {};

    void reached(String name);
}
