/** Tests of reading through pages, and the contract and fakes with which other modules test their page stores. */
@NullMarked
package io.eyrie.cache.page;

import org.jspecify.annotations.NullMarked;
