// SPDX-License-Identifier: Apache-2.0
/**
 * Weighted rendezvous hashing, and its hash functions. Places pages on disks ({@code segment}) and files on workers (module {@code scheduler-affinity}).
 * Depends on no other package.
 */
@NullMarked
package io.eyrie.cache.rendezvous;

import org.jspecify.annotations.NullMarked;
