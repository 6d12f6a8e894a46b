// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cache.segment;

/** A named place in the code where a test can stop a thread. */
interface SequencePoint
{
    SequencePoint NONE = name -> {};

    void reached(String name);
}
