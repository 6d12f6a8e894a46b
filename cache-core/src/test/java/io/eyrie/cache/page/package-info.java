/** Tests of reading through pages, and what other modules test their page stores with: the contract and the fakes. */
@NullMarked
package io.eyrie.cache.page;

import org.jspecify.annotations.NullMarked;
