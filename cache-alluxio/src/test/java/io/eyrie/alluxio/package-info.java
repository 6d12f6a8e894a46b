/** Tests of Alluxio's client behind the page cache interface: the contract, and what only this cache does. */
@NullMarked
package io.eyrie.alluxio;

import org.jspecify.annotations.NullMarked;
