// SPDX-License-Identifier: Apache-2.0
/** Runs the commands of the documentation. */
@NullMarked
package io.eyrie.integration.docs;

import org.jspecify.annotations.NullMarked;
