// SPDX-License-Identifier: Apache-2.0
/** Tests of the hash functions. */
@NullMarked
package io.eyrie.cache.rendezvous;

import org.jspecify.annotations.NullMarked;
