/** A connector in small, with the SPI that it was built for and the replacements for what a newer one lacks. */
@NullMarked
package io.eyrie.relink.sample;

import org.jspecify.annotations.NullMarked;
