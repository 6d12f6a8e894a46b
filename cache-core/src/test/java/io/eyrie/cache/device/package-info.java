/** Tests of devices, their contract, and a disk in memory with faults. */
@NullMarked
package io.eyrie.cache.device;

import org.jspecify.annotations.NullMarked;
