// SPDX-License-Identifier: Apache-2.0
/**
 * Encryption at rest: the operator's keys, the data keys wrapped by them, and the ciphers of granules and of files that are written once. Used by
 * {@code segment}, {@code journal} and {@code trace}; does no I/O except reading the operator's keys.
 *
 * <p>Invariants: <i>K1</i> no nonce is used twice with a key, whatever crashes, is lost or is restored. <i>K2</i> no exception, log line or
 * {@code toString} contains a key. <i>K3</i> data that does not authenticate is not returned.
 */
@NullMarked
package io.eyrie.cache.crypt;

import org.jspecify.annotations.NullMarked;
