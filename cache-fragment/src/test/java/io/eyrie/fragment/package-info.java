/** Code that the tests of several packages share. */
@NullMarked
package io.eyrie.fragment;

import org.jspecify.annotations.NullMarked;
