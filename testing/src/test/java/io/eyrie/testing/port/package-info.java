// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.eyrie.testing.port;

import org.jspecify.annotations.NullMarked;
