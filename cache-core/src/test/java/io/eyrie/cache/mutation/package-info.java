/** Objects that differ in one field, for tests of keys in every module. Nothing that ships sees it. */
@NullMarked
package io.eyrie.cache.mutation;

import org.jspecify.annotations.NullMarked;
