/** Tests of pages on disks: contract, format, ownership, recovery, capacity, faults, crashes. */
@NullMarked
package io.eyrie.cache.disk;

import org.jspecify.annotations.NullMarked;
