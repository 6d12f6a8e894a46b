// SPDX-License-Identifier: Apache-2.0
/**
 * The properties of a catalog: Eyrie's own, and those of Presto's caches that Eyrie adopts. The layers define the defaults; this package maps property names
 * onto them and translates their errors into the operator's terms.
 */
@NullMarked
package io.eyrie.presto.config;

import org.jspecify.annotations.NullMarked;
