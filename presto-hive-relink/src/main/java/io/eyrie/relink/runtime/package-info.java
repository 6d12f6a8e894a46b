// SPDX-License-Identifier: Apache-2.0
/**
 * Methods that the relinked connector calls in place of methods that the engine no longer supports. Only relinked bytecode calls them. The tool puts these
 * classes into the jar and relocates their references like those of the connector.
 */
@NullMarked
package io.eyrie.relink.runtime;

import org.jspecify.annotations.NullMarked;
