/**
 * What the relinked connector calls in place of methods that the engine's SPI no longer has. Called by relinked bytecode
 * alone; the tool puts these classes into the jar and relocates their references like those of the connector.
 */
@NullMarked
package io.eyrie.relink.runtime;

import org.jspecify.annotations.NullMarked;
