/**
 * The properties of a catalog: those of Eyrie's own, and those that Presto's caches had and whose meaning Eyrie takes over.
 * Defaults live in the layers; this package maps names onto them and turns their complaints into the operator's terms.
 */
@NullMarked
package io.eyrie.presto.config;

import org.jspecify.annotations.NullMarked;
