// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.check;

/** How serious a finding is for the operator. */
public enum Severity
{
    /** Presto does not start, or the cache does not behave as the file demands. */
    ERROR,
    /** It works, but is probably not intended. */
    WARNING,
    /** For information. */
    NOTE,
}
