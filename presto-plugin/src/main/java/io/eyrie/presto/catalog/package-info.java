// SPDX-License-Identifier: Apache-2.0
/**
 * Names the catalog that the connector serves, registers its MBeans, and defines the modes in which its queries use each layer. The packages of the layers
 * depend on it.
 */
@NullMarked
package io.eyrie.presto.catalog;

import org.jspecify.annotations.NullMarked;
