// SPDX-License-Identifier: Apache-2.0
/** A small connector, with the SPI that it was built for and replacements for the parts that a newer one lacks. */
@NullMarked
package io.eyrie.relink.sample;

import org.jspecify.annotations.NullMarked;
