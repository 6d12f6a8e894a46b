// SPDX-License-Identifier: Apache-2.0
/**
 * The build-time tool that links Presto's Hive connector of one release to the SPI of another. Only this module's build runs it; the module's jar contains no
 * class of this package.
 */
@NullMarked
package io.eyrie.relink;

import org.jspecify.annotations.NullMarked;
