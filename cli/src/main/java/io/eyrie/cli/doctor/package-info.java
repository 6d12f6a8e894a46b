// SPDX-License-Identifier: Apache-2.0
/** Checks a catalog's file without Presto, with the checks that run when Presto starts with it. */
@NullMarked
package io.eyrie.cli.doctor;

import org.jspecify.annotations.NullMarked;
