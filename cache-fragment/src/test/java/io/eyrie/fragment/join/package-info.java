// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.fragment.join;

import org.jspecify.annotations.NullMarked;
