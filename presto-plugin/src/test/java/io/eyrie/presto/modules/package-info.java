// SPDX-License-Identifier: Apache-2.0
/** Tests the dependencies between Eyrie's modules, in the module that uses all of them. */
@NullMarked
package io.eyrie.presto.modules;

import org.jspecify.annotations.NullMarked;
