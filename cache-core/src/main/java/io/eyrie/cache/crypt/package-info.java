/**
 * Encryption at rest: the operator's keys, the data keys wrapped by them, and the ciphers of granules and of files that are made once. Used by
 * {@code segment}, {@code journal} and {@code trace}; does no I/O but reading the operator's key.
 *
 * <p>Invariants: <i>K1</i> no nonce is used twice with a key, whatever crashes, is lost or is restored. <i>K2</i> no key is in an exception, a
 * log line or a {@code toString}. <i>K3</i> what does not authenticate is not returned.
 */
@NullMarked
package io.eyrie.cache.crypt;

import org.jspecify.annotations.NullMarked;
